//! Reading a proving key that anyone may have written.
//!
//! halo2's reader trusts the file: it allocates as many numbers as a length says, accepts numbers
//! beyond the modulus, and unwraps every error. So the file is read twice. The first pass shows
//! that it has the one structure that the verifying key gives it, and is exactly the bytes that
//! were written. Whether the numbers are right shows when a proof is made, since it is verified.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek},
    path::PathBuf,
};

use blake2::Digest;
use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        serde::SerdeObject,
    },
    plonk::ProvingKey,
    SerdeFormat,
};
use muster_circuits::{Shape, ThresholdCircuit};

use super::{verifying, Blake2b256, VerifierKey};
use crate::{input, output::Lenient, Error};

/// Bytes read at a time: a whole count of numbers.
const BUFFER: usize = 1 << 20;
/// Bytes of a length, and of a number.
const LENGTH: usize = 4;
const NUMBER: usize = 32;
/// Polynomials that every key begins with: `l_0`, `l_last` and `l_active`.
const ROWS: u32 = 3;
/// Lists of polynomials after these.
const LISTS: usize = 4;
/// Bytes of an uncompressed point.
const POINT: usize = 64;

/// A file with the length of a proving key, not yet read.
pub(super) struct KeyFile {
    path: PathBuf,
    file: File,
}

impl KeyFile {
    /// Opens the proving key of a checked shape.
    pub(super) fn open(path: PathBuf, shape: &Shape) -> Result<Self, Error> {
        let (file, length) = input::open(&path)?;
        let expected = file_length(shape);
        if length != expected {
            return Err(Error::file(path, format!("{length} bytes, not {expected}")));
        }
        Ok(Self { path, file })
    }

    /// Reads the proving key that belongs to `verifier`, which is of the same shape, if `is_sealed` accepts the hash
    /// of the whole file.
    pub(super) fn read(
        self,
        verifier: &VerifierKey,
        is_sealed: impl FnOnce(Blake2b256) -> bool,
    ) -> Result<ProvingKey<G1Affine>, Error> {
        let Self { path, mut file } = self;
        let mut hashing = HashingReader { inner: &mut file, hash: Blake2b256::new() };
        let fault = Structure::new(verifier).fault(&mut hashing).map_err(Error::io(&path))?;
        let hash = hashing.hash;
        if let Some(reason) = fault {
            return Err(Error::file(path, reason));
        }
        if !is_sealed(hash) {
            return Err(Error::file(path, "not the file whose digest is in shape.json"));
        }
        file.rewind().map_err(Error::io(&path))?;
        let mut reader = Lenient::new(BufReader::with_capacity(BUFFER, file));
        let (format, layout) = (SerdeFormat::RawBytesUnchecked, verifier.shape().layout.clone());
        let pk = ProvingKey::read::<_, ThresholdCircuit>(&mut reader, format, layout);
        let pk = pk.map_err(Error::io(&path))?;
        reader.finish().map_err(Error::io(path))?;
        Ok(pk)
    }
}

/// Bytes of a proving key; see [`Structure`].
pub(super) fn file_length(shape: &Shape) -> u64 {
    let (fixed, permuted) = verifying::commitments(&shape.layout);
    let lists = 2 * (fixed + permuted);
    let polynomial = LENGTH as u64 + NUMBER as u64 * (1 << shape.degree());
    let start = verifying::HEADER + POINT * (fixed + permuted) + LENGTH * LISTS;
    start as u64 + (ROWS as u64 + lists as u64) * polynomial
}

/// What a file must be, apart from its numbers:
///
/// ```text
/// the verifying key, points uncompressed
/// 3 polynomials
/// the number of fixed columns, a polynomial each     twice: values, coefficients
/// the number of permuted columns, a polynomial each  twice: values, coefficients
/// ```
///
/// where a polynomial is the number of rows, then that many numbers. Lengths are big-endian.
struct Structure {
    verifying_key: Vec<u8>,
    rows: u32,
    /// How many polynomials each list after the first three has.
    lists: [u32; LISTS],
}

impl Structure {
    fn new(verifier: &VerifierKey) -> Self {
        let vk = verifier.vk();
        let fixed = vk.fixed_commitments().len() as u32;
        let permuted = vk.permutation().commitments().len() as u32;
        Self {
            verifying_key: vk.to_bytes(SerdeFormat::RawBytesUnchecked),
            rows: 1 << verifier.shape().degree(),
            lists: [fixed, fixed, permuted, permuted],
        }
    }

    /// Why the bytes of `reader` are no such file, if they are not.
    fn fault(&self, reader: &mut impl Read) -> io::Result<Option<&'static str>> {
        let mut start = vec![0; self.verifying_key.len()];
        reader.read_exact(&mut start)?;
        if start != self.verifying_key {
            return Ok(Some("not the proving key of verifying.key"));
        }
        let mut buffer = vec![0; BUFFER];
        for polynomials in [None].into_iter().chain(self.lists.map(Some)) {
            if let Some(count) = polynomials
                && length(reader)? != count
            {
                return Ok(Some(
                    "the number of polynomials differs from the key's number of columns",
                ));
            }
            for _ in 0..polynomials.unwrap_or(ROWS) {
                if length(reader)? != self.rows {
                    return Ok(Some(
                        "the length of a polynomial differs from the key's number of rows",
                    ));
                }
                if !numbers(reader, self.rows, &mut buffer)? {
                    return Ok(Some("a number beyond the modulus"));
                }
            }
        }
        Ok(None)
    }
}

fn length(reader: &mut impl Read) -> io::Result<u32> {
    let mut length = [0; LENGTH];
    reader.read_exact(&mut length)?;
    Ok(u32::from_be_bytes(length))
}

/// Whether the next `count` numbers are field elements.
fn numbers(reader: &mut impl Read, count: u32, buffer: &mut [u8]) -> io::Result<bool> {
    let mut left = NUMBER * count as usize;
    while left > 0 {
        let part = left.min(buffer.len());
        let bytes = &mut buffer[..part];
        reader.read_exact(bytes)?;
        if !bytes.chunks_exact(NUMBER).all(|number| Fr::from_raw_bytes(number).is_some()) {
            return Ok(false);
        }
        left -= part;
    }
    Ok(true)
}

/// A reader that hashes what it reads.
struct HashingReader<R> {
    inner: R,
    hash: Blake2b256,
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hash.update(&buffer[..read]);
        Ok(read)
    }
}
