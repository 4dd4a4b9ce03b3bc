//! Reading an untrusted file once, front to back, hashing every byte.
//!
//! The length is taken from the file system before anything is read, every allocation is preceded
//! by [`Source::need`], and memory for points is allocated as they are read: neither a header nor a
//! sparse file, which is long and holds nothing, makes the reader reserve memory.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::{
    error::{ParamsError, PointFault, PointName, FURTHER},
    origin::SourceFile,
};

/// Bytes of the read buffer.
const BUFFER: usize = 1 << 18;
/// Points decoded in one parallel batch.
const BATCH: u64 = 1 << 13;

/// An open file, its length, and the SHA-256 of what has been read of it.
pub(crate) struct Source {
    path: PathBuf,
    reader: BufReader<File>,
    len: u64,
    position: u64,
    hash: Sha256,
    /// The hash of everything read, if parts have hashes of their own.
    whole: Option<Sha256>,
}

impl Source {
    /// Opens a regular file.
    pub(crate) fn open(path: &Path) -> Result<Self, ParamsError> {
        let io = |source| ParamsError::Io { path: path.to_path_buf(), source };
        // Asked before opening: opening a pipe would wait for a writer.
        if !std::fs::metadata(path).map_err(io)?.is_file() {
            let reason = "not a regular file".to_string();
            return Err(ParamsError::Format { path: path.to_path_buf(), reason });
        }
        let file = File::open(path).map_err(io)?;
        let len = file.metadata().map_err(io)?.len();
        Ok(Self {
            path: path.to_path_buf(),
            reader: BufReader::with_capacity(BUFFER, file),
            len,
            position: 0,
            hash: Sha256::new(),
            whole: None,
        })
    }

    /// Opens a regular file whose parts [`Self::take_hash`] hashes, and keeps that of the whole for [`Self::finish`].
    pub(crate) fn open_in_parts(path: &Path) -> Result<Self, ParamsError> {
        Ok(Self { whole: Some(Sha256::new()), ..Self::open(path)? })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes in the file.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Bytes not read yet.
    pub(crate) fn remaining(&self) -> u64 {
        self.len - self.position
    }

    /// A format error about this file.
    pub(crate) fn format(&self, reason: impl Into<String>) -> ParamsError {
        ParamsError::Format { path: self.path.clone(), reason: reason.into() }
    }

    fn bad_point(&self, point: PointName, fault: PointFault) -> ParamsError {
        ParamsError::Point { path: self.path.clone(), point, fault }
    }

    /// Refuses a file with fewer than `bytes` bytes left.
    pub(crate) fn need(&self, bytes: u64) -> Result<(), ParamsError> {
        if bytes > self.remaining() {
            return Err(self.truncated(bytes));
        }
        Ok(())
    }

    /// Refuses a file unless exactly `bytes` bytes are left.
    pub(crate) fn need_exactly(&self, bytes: u64) -> Result<(), ParamsError> {
        self.need(bytes)?;
        match self.remaining() - bytes {
            0 => Ok(()),
            extra => Err(ParamsError::TrailingBytes { path: self.path.clone(), extra }),
        }
    }

    fn truncated(&self, bytes: u64) -> ParamsError {
        ParamsError::Truncated {
            path: self.path.clone(),
            expected: self.position.saturating_add(bytes),
            actual: self.len,
        }
    }

    /// Fills `buffer`.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<(), ParamsError> {
        let bytes = buffer.len() as u64;
        self.need(bytes)?;
        self.reader.read_exact(buffer).map_err(|source| match source.kind() {
            // The file shrank while it was read.
            io::ErrorKind::UnexpectedEof => self.truncated(bytes),
            _ => ParamsError::Io { path: self.path.clone(), source },
        })?;
        self.has_read(buffer);
        Ok(())
    }

    fn has_read(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        if let Some(whole) = &mut self.whole {
            whole.update(bytes);
        }
        self.position += bytes.len() as u64;
    }

    /// Reads an array.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], ParamsError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a little-endian u32.
    pub(crate) fn u32(&mut self) -> Result<u32, ParamsError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads a little-endian u64.
    pub(crate) fn u64(&mut self) -> Result<u64, ParamsError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads up to and including the next newline, which must come within `limit` bytes.
    pub(crate) fn line(&mut self, limit: u64) -> Result<Vec<u8>, ParamsError> {
        let mut line = Vec::new();
        let mut bounded = self.reader.by_ref().take(limit.min(self.len - self.position));
        bounded
            .read_until(b'\n', &mut line)
            .map_err(|source| ParamsError::Io { path: self.path.clone(), source })?;
        self.has_read(&line);
        if line.last() != Some(&b'\n') {
            return Err(self.format("the header line has no end"));
        }
        Ok(line)
    }

    /// Skips `bytes` bytes, hashing them.
    pub(crate) fn skip(&mut self, bytes: u64) -> Result<(), ParamsError> {
        self.need(bytes)?;
        let mut buffer = vec![0; BUFFER.min(usize::try_from(bytes).unwrap_or(BUFFER))];
        let mut left = bytes;
        while left > 0 {
            let step = buffer.len().min(usize::try_from(left).unwrap_or(buffer.len()));
            self.fill(&mut buffer[..step])?;
            left -= step as u64;
        }
        Ok(())
    }

    /// Reads one point of `N` bytes.
    pub(crate) fn point<const N: usize, P>(
        &mut self,
        name: PointName,
        decode: impl Fn(&[u8]) -> Result<P, PointFault>,
    ) -> Result<P, ParamsError> {
        decode(&self.array::<N>()?).map_err(|fault| self.bad_point(name, fault))
    }

    /// Reads `count` points of `size` bytes each. The first bad one, by index, is the error.
    pub(crate) fn points<P: Send>(
        &mut self,
        count: u64,
        size: usize,
        name: impl Fn(u64) -> PointName,
        decode: impl Fn(&[u8]) -> Result<P, PointFault> + Sync,
    ) -> Result<Vec<P>, ParamsError> {
        self.need(count.saturating_mul(size as u64))?;
        let mut points = Vec::with_capacity(count.min(BATCH) as usize);
        let mut buffer = vec![0; size * count.min(BATCH) as usize];
        let mut done = 0;
        while done < count {
            let batch = (count - done).min(BATCH);
            let bytes = &mut buffer[..size * batch as usize];
            self.fill(bytes)?;
            let decoded: Vec<_> = bytes.par_chunks_exact(size).map(&decode).collect();
            for (index, point) in (done..).zip(decoded) {
                points.push(point.map_err(|fault| self.bad_point(name(index), fault))?);
            }
            done += batch;
        }
        Ok(points)
    }

    /// Reads the first `2^k` of `found` powers, and apart from them those that follow, [`FURTHER`] at most.
    pub(crate) fn powers<P: Send>(
        &mut self,
        k: u32,
        found: u64,
        size: usize,
        decode: impl Fn(&[u8]) -> Result<P, PointFault> + Sync,
    ) -> Result<(Vec<P>, Vec<P>), ParamsError> {
        let used = 1u64 << k;
        let g = self.points(used, size, PointName::Power, &decode)?;
        let more = found.saturating_sub(used).min(FURTHER as u64);
        let further = self.points(more, size, |index| PointName::Power(used + index), &decode)?;
        Ok((g, further))
    }

    /// The SHA-256 of what was read since the start or the last call; the hash starts again.
    pub(crate) fn take_hash(&mut self) -> [u8; 32] {
        self.hash.finalize_reset().into()
    }

    /// Ends the reading: the whole file must have been read. Returns its name and SHA-256 (of the whole file, if
    /// [`Self::take_hash`] was not called or it was opened by [`Self::open_in_parts`]).
    pub(crate) fn finish(self) -> Result<SourceFile, ParamsError> {
        self.need_exactly(0)?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(SourceFile { name, sha256: self.whole.unwrap_or(self.hash).finalize().into() })
    }
}
