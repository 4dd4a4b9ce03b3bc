//! Keys in a directory.
//!
//! | file | what |
//! |---|---|
//! | `shape.json` | shape, placement, digests of the other two files, the SRS |
//! | `verifying.key` | the key as any verifier of the format reads it |
//! | `proving.key` | the columns that provers need besides: fixed columns, then σ, `2^k` numbers each |
//!
//! A number is 32 bytes, little-endian, in Montgomery form. How many there are follows from the verifying key. Whether they are the right
//! ones shows when a proof is made, since it is verified.

use std::{
    fs::File,
    io::{BufReader, Read, Write},
    path::{Path, PathBuf},
};

use blake2::Digest;
use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField, serde::SerdeObject};
use muster_circuits::{translation::TranslationShape, CircuitShape, Shape};
use muster_gates::Placement;
use muster_verifier::{Key, Protocol};
use serde::{Deserialize, Serialize};

use super::{circuit::CircuitKeys, Blake2b256, KeysOf, SrsReference, VerifierKeyOf};
use crate::{
    encoding::{field_from_hex, field_to_hex, hex_bytes},
    input,
    logup::Reading,
    output::Output,
    polynomial::Numbers,
    Error,
};

/// Name of the file with the shape.
pub const SHAPE_FILE: &str = "shape.json";
/// Name of the file with the verifying key.
pub const VERIFYING_KEY_FILE: &str = "verifying.key";
/// Name of the file with the proving key.
pub const PROVING_KEY_FILE: &str = "proving.key";

/// Version of the directory's format.
const FORMAT: &str = "muster-keys/3";
/// Greatest length of the shape's file: a placement is some hundred numbers.
const SHAPE_LIMIT: u64 = 1 << 20;
/// Greatest length of a verifying key: its constraints, and some hundred points.
const VERIFYING_LIMIT: u64 = 1 << 22;
/// Bytes of columns read or written at a time.
const BUFFER: usize = 1 << 20;
/// Bytes of a number.
const NUMBER: usize = 32;

/// The file with the shape.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest<S> {
    format: String,
    shape: S,
    break_points: Vec<usize>,
    constants: Vec<String>,
    #[serde(with = "hex_bytes")]
    vk_digest: [u8; 32],
    /// Blake2b-256 of the proving key's file and the placement.
    #[serde(with = "hex_bytes")]
    proving_key_digest: [u8; 32],
    srs: SrsReference,
}

impl<S: CircuitShape> Manifest<S> {
    fn placement(&self, path: &Path) -> Result<Placement, Error> {
        let constant = |(i, text): (usize, &String)| {
            field_from_hex(text).map_err(Error::at(path, format!("constants[{i}]")))
        };
        let constants = self.constants.iter().enumerate().map(constant);
        let constants: Vec<_> = constants.collect::<Result<_, _>>()?;
        let (layout, break_points) = (self.shape.layout(), self.break_points.clone());
        let rows = 1 << layout.k;
        if break_points.len() >= layout.vertical_columns || break_points.iter().any(|b| *b >= rows)
        {
            let reason = "more than the shape has columns or rows";
            return Err(Error::field(path, "break_points", reason));
        }
        if constants.len() > layout.constant_rows {
            return Err(Error::field(path, "constants", "more than the shape has rows for"));
        }
        Ok(Placement { break_points, constants })
    }
}

impl<S: CircuitShape> KeysOf<S> {
    /// The one length that the file of a shape's proving key can have, in bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Circuit`] for a shape that fails [`CircuitShape::check`].
    pub fn proving_key_bytes(shape: &S) -> Result<u64, Error> {
        shape.check()?;
        let reading = reading(shape)?;
        let columns = reading.protocol.fixed() + reading.protocol.copied().len();
        Ok(file_length(columns, shape.layout().k))
    }

    /// Writes the keys into a directory, which is created if it does not exist.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`] unless `force`, or [`Error::Io`]; either way everything is left as it was.
    pub fn save(&self, dir: &Path, force: bool) -> Result<(), Error> {
        self.save_to(Self::output(dir, force)?)
    }

    /// The output for keys, opened before they are made.
    ///
    /// # Errors
    ///
    /// Those of [`Output::new`].
    pub fn output(dir: &Path, force: bool) -> Result<Output, Error> {
        Output::new(dir, &[SHAPE_FILE, VERIFYING_KEY_FILE, PROVING_KEY_FILE], force)
    }

    /// Writes the keys to an output that was opened for them.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::Exists`].
    pub fn save_to(&self, mut output: Output) -> Result<(), Error> {
        let mut proving_key_digest = [0; 32];
        output.write(PROVING_KEY_FILE, |file| {
            let mut hash = Blake2b256::new();
            let columns = self.circuit.own().iter();
            for numbers in columns.flat_map(|column| column.chunks(BUFFER / NUMBER)) {
                let bytes: Vec<u8> = numbers.iter().flat_map(SerdeObject::to_raw_bytes).collect();
                hash.update(&bytes);
                file.write_all(&bytes)?;
            }
            proving_key_digest = seal(hash, &self.placement);
            Ok(())
        })?;
        let key = self.verifier.key.to_bytes();
        output.write(VERIFYING_KEY_FILE, |file| file.write_all(&key))?;
        let manifest = Manifest {
            format: FORMAT.into(),
            shape: self.shape().clone(),
            break_points: self.placement.break_points.clone(),
            constants: self.placement.constants.iter().map(field_to_hex).collect(),
            vk_digest: self.vk_digest(),
            proving_key_digest,
            srs: self.srs().clone(),
        };
        // Last: while a directory is being overwritten, the digests do not match.
        output.write(SHAPE_FILE, |file| {
            serde_json::to_writer_pretty(&mut *file, &manifest)?;
            file.write_all(b"\n")
        })?;
        output.commit()
    }

    /// Reads the keys in a directory.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::File`] or [`Error::Field`] naming the file.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        KeyFilesOf::open(dir)?.read()
    }
}

/// The keys in a directory, with no column read yet: their shape and their length are known, so that what is
/// to be proven and the memory that it takes can be checked first.
pub struct KeyFilesOf<S> {
    sealed: Sealed<S>,
    placement: Placement,
    columns: ColumnsFile,
}

/// The keys of a threshold circuit.
pub type KeyFiles = KeyFilesOf<Shape>;

/// The keys of a translation.
pub type TranslationKeyFiles = KeyFilesOf<TranslationShape>;

impl<S: CircuitShape> KeyFilesOf<S> {
    /// Opens the files.
    ///
    /// # Errors
    ///
    /// Those of [`KeysOf::load`].
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let sealed = Sealed::open(dir)?;
        let protocol = sealed.verifier.key.protocol();
        let columns = protocol.fixed() + protocol.copied().len();
        let path = dir.join(PROVING_KEY_FILE);
        let columns = ColumnsFile::open(path, columns, protocol.k())?;
        let placement = sealed.manifest.placement(&dir.join(SHAPE_FILE))?;
        Ok(Self { sealed, placement, columns })
    }

    /// The half that verifiers load.
    pub fn verifier(&self) -> &VerifierKeyOf<S> {
        &self.sealed.verifier
    }

    /// The shape, which keys can be made for.
    pub fn shape(&self) -> &S {
        &self.sealed.verifier.shape
    }

    /// Reads the keys.
    ///
    /// # Errors
    ///
    /// Those of [`KeysOf::load`].
    pub fn read(self) -> Result<KeysOf<S>, Error> {
        let Self { sealed: Sealed { manifest, verifier, reading }, placement, columns } = self;
        let own = columns.read(|hash| seal(hash, &placement) == manifest.proving_key_digest)?;
        let circuit = CircuitKeys::of(verifier.key.clone(), reading, own)?;
        Ok(KeysOf { verifier, placement, circuit })
    }
}

impl<S: CircuitShape> VerifierKeyOf<S> {
    /// Reads what verifiers need from a directory; the proving key need not be there.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::File`] or [`Error::Field`] naming the file.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        Ok(Sealed::open(dir)?.verifier)
    }

    /// The circuit of a shape, as a key says it.
    ///
    /// # Errors
    ///
    /// [`Error::Circuit`] for a shape that fails [`CircuitShape::check`].
    pub fn protocol(shape: &S) -> Result<Protocol, Error> {
        shape.check()?;
        Ok(reading(shape)?.protocol)
    }
}

/// A manifest, and the key that it is sealed with, of the constraints that its shape has.
struct Sealed<S> {
    manifest: Manifest<S>,
    verifier: VerifierKeyOf<S>,
    reading: Reading,
}

impl<S: CircuitShape> Sealed<S> {
    fn open(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(SHAPE_FILE);
        let bytes = input::read_regular(&path, SHAPE_LIMIT)?;
        check_format(&path, &bytes)?;
        let manifest: Manifest<S> = input::parse(&path, &bytes)?;
        if !manifest.srs.is_consistent() {
            return Err(Error::field(path, "srs", "origin, mark and points do not agree"));
        }
        let key_path = dir.join(VERIFYING_KEY_FILE);
        let bytes = input::read_regular(&key_path, VERIFYING_LIMIT)?;
        let key = Key::read(&bytes).map_err(|error| Error::file(&key_path, error.to_string()))?;
        if key.digest() != manifest.vk_digest {
            let reason = format!("not the key whose vk_digest is in {SHAPE_FILE} beside its shape");
            return Err(Error::file(key_path, reason));
        }
        let shape = &manifest.shape;
        shape.check().map_err(|error| Error::file(&path, error.to_string()))?;
        let reading = reading(shape)?;
        let (shape, srs) = (shape.clone(), manifest.srs.clone());
        let verifier = VerifierKeyOf { shape, key: key.into(), srs };
        if reading.protocol != *verifier.key.protocol() || !verifier.describes_itself() {
            let reason = format!("not a key of the shape and the SRS in {SHAPE_FILE}");
            return Err(Error::file(key_path, reason));
        }
        Ok(Self { manifest, verifier, reading })
    }
}

/// Refuses the formats of other versions, which have other fields.
fn check_format(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    #[derive(Deserialize)]
    struct Format {
        format: String,
    }
    let Format { format } = input::parse(path, bytes)?;
    if format == FORMAT {
        return Ok(());
    }
    let reason = format!(
        "{format:?}, but this prover reads {FORMAT:?}; make the keys again with muster keygen, from the same SRS"
    );
    Err(Error::field(path, "format", reason))
}

/// The constraints of a checked shape.
fn reading<S: CircuitShape>(shape: &S) -> Result<Reading, Error> {
    let constraints = shape.layout().constraints();
    Reading::of(&constraints, shape.layout().k, shape.public_inputs()).map_err(Error::Protocol)
}

/// Bytes of the file with this many columns.
fn file_length(columns: usize, degree: u32) -> u64 {
    (columns as u64 * NUMBER as u64) << degree
}

/// A file of the right length, not yet read.
struct ColumnsFile {
    path: PathBuf,
    file: File,
    columns: usize,
    degree: u32,
}

impl ColumnsFile {
    /// Opens a file that should have this many columns.
    fn open(path: PathBuf, columns: usize, degree: u32) -> Result<Self, Error> {
        let (file, length) = input::open(&path)?;
        let expected = file_length(columns, degree);
        if length != expected {
            return Err(Error::file(path, format!("{length} bytes, not {expected}")));
        }
        Ok(Self { path, file, columns, degree })
    }

    /// Reads the columns, if `is_sealed` accepts the hash of the whole file.
    fn read(self, is_sealed: impl FnOnce(Blake2b256) -> bool) -> Result<Vec<Numbers>, Error> {
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

/// The digest of a hashed file and of the placement that belongs to it.
fn seal(mut file: Blake2b256, placement: &Placement) -> [u8; 32] {
    let Placement { break_points, constants } = placement;
    file.update((break_points.len() as u64).to_le_bytes());
    break_points.iter().for_each(|row| file.update((*row as u64).to_le_bytes()));
    constants.iter().for_each(|constant| file.update(constant.to_repr()));
    file.finalize().into()
}
