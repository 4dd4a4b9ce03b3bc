//! The file of the columns that provers need: fixed columns, then σ, `2^k` numbers each.
//!
//! A number is 32 bytes, little-endian, in Montgomery form. How many there are follows from the verifying key. Whether they are the right
//! ones shows when a proof is made, since it is verified.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::PathBuf,
};

use blake2::Digest;
use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, serde::SerdeObject};

use super::Blake2b256;
use crate::{input, polynomial::Numbers, Error};

/// Bytes read at a time.
const BUFFER: usize = 1 << 20;
/// Bytes of a number.
const NUMBER: usize = 32;

/// Bytes of the file with this many columns.
pub(super) fn file_length(columns: usize, degree: u32) -> u64 {
    (columns as u64 * NUMBER as u64) << degree
}

/// Writes the columns.
pub(super) fn write(columns: &[Numbers], writer: &mut impl Write) -> io::Result<()> {
    let mut writer = io::BufWriter::with_capacity(BUFFER, writer);
    for number in columns.iter().flatten() {
        writer.write_all(&number.to_raw_bytes())?;
    }
    writer.flush()
}

/// A file of the right length, not yet read.
pub(super) struct ColumnsFile {
    path: PathBuf,
    file: File,
    columns: usize,
    degree: u32,
}

impl ColumnsFile {
    /// Opens a file that should have this many columns.
    pub(super) fn open(path: PathBuf, columns: usize, degree: u32) -> Result<Self, Error> {
        let (file, length) = input::open(&path)?;
        let expected = file_length(columns, degree);
        if length != expected {
            return Err(Error::file(path, format!("{length} bytes, not {expected}")));
        }
        Ok(Self { path, file, columns, degree })
    }

    /// Reads the columns, if `is_sealed` accepts the hash of the whole file.
    pub(super) fn read(
        self,
        is_sealed: impl FnOnce(Blake2b256) -> bool,
    ) -> Result<Vec<Numbers>, Error> {
        let Self { path, file, columns, degree } = self;
        let mut reader = BufReader::with_capacity(BUFFER, file);
        let (rows, mut hash) = (1 << degree, Blake2b256::new());
        let mut made = Vec::with_capacity(columns);
        let mut bytes = vec![0; NUMBER * rows];
        for index in 0..columns {
            reader.read_exact(&mut bytes).map_err(Error::io(&path))?;
            hash.update(&bytes);
            let numbers = bytes.chunks_exact(NUMBER).map(Fr::from_raw_bytes);
            let column = numbers.collect::<Option<Numbers>>().ok_or_else(|| {
                Error::file(&path, format!("column {index} has a number beyond the modulus"))
            })?;
            made.push(column);
        }
        if !is_sealed(hash) {
            return Err(Error::file(path, "not the file whose digest is in shape.json"));
        }
        Ok(made)
    }
}
