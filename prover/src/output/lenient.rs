//! A writer and reader for code that panics on errors.

use std::io::{self, Write};

/// A writer or reader for code that panics on errors: it accepts everything, and keeps the first error.
#[derive(Debug)]
pub(crate) struct Lenient<W> {
    inner: W,
    error: Option<io::Error>,
}

impl<W> Lenient<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, error: None }
    }

    /// The first error, if there was one.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.error.map_or(Ok(self.inner), Err)
    }
}

impl<W: Write> Write for Lenient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.inner.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<R: io::Read> io::Read for Lenient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.error.is_none() {
            match self.inner.read(buffer) {
                Ok(0) if !buffer.is_empty() => {
                    self.error = Some(io::ErrorKind::UnexpectedEof.into());
                }
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => self.error = Some(error),
            }
        }
        // Zeros: as lengths, they end what is being read.
        buffer.fill(0);
        Ok(buffer.len())
    }
}
