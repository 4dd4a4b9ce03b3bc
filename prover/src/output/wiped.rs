//! Memory for secrets.

use std::io;

use zeroize::Zeroizing;

/// Bytes that are wiped when they are dropped, and when they grow: a vector's growth leaves a copy
/// behind.
#[derive(Debug, Default)]
pub struct Wiped(Zeroizing<Vec<u8>>);

impl Wiped {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl io::Write for Wiped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.0.len() + bytes.len();
        if length > self.0.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(length.next_power_of_two()));
            larger.extend_from_slice(&self.0);
            // The old one is wiped with all of its capacity.
            self.0 = larger;
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
