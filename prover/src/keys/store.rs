//! Keys in a directory.
//!
//! | file | what |
//! |---|---|
//! | `shape.json` | shape, placement, digests of the other two files, the SRS |
//! | `verifying.key` | halo2's `Processed` format: compressed points |
//! | `proving.key` | halo2's `RawBytes` format, which holds the verifying key as well |

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use blake2::Digest;
use halo2_base::halo2_proofs::{halo2curves::ff::PrimeField, SerdeFormat};
use muster_circuits::Shape;
use muster_gates::Placement;
use serde::{Deserialize, Serialize};

use super::{digest, proving, verifying, Blake2b256, Keys, SrsReference, VerifierKey};
use crate::{
    encoding::{field_from_hex, field_to_hex, hex_bytes},
    input,
    output::{Lenient, Output},
    Error,
};

/// Name of the file with the shape.
pub const SHAPE_FILE: &str = "shape.json";
/// Name of the file with the verifying key.
pub const VERIFYING_KEY_FILE: &str = "verifying.key";
/// Name of the file with the proving key.
pub const PROVING_KEY_FILE: &str = "proving.key";

/// Version of the directory's format.
const FORMAT: &str = "muster-keys/2";
/// Greatest length of the shape's file: a placement is some hundred numbers.
const SHAPE_LIMIT: u64 = 1 << 20;
/// Greatest length of a verifying key: some thousand points.
const VERIFYING_LIMIT: u64 = 1 << 20;

/// The file with the shape.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    shape: Shape,
    break_points: Vec<usize>,
    constants: Vec<String>,
    #[serde(with = "hex_bytes")]
    vk_digest: [u8; 32],
    /// Blake2b-256 of the proving key's file and the placement.
    #[serde(with = "hex_bytes")]
    proving_key_digest: [u8; 32],
    srs: SrsReference,
}

impl Manifest {
    fn placement(&self, path: &Path) -> Result<Placement, Error> {
        let constant = |(i, text): (usize, &String)| {
            field_from_hex(text)
                .map_err(|reason| Error::field(path, format!("constants[{i}]"), reason))
        };
        let constants = self.constants.iter().enumerate().map(constant);
        let constants: Vec<_> = constants.collect::<Result<_, _>>()?;
        let (layout, break_points) = (&self.shape.layout, self.break_points.clone());
        let rows = 1 << layout.k;
        if break_points.len() >= layout.vertical_columns || break_points.iter().any(|b| *b >= rows)
        {
            return Err(Error::field(
                path,
                "break_points",
                "more than the shape has columns or rows",
            ));
        }
        if constants.len() > layout.constant_rows {
            return Err(Error::field(path, "constants", "more than the shape has rows for"));
        }
        Ok(Placement { break_points, constants })
    }
}

impl Keys {
    /// The one length that the file of a shape's proving key can have, in bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Circuit`] for a shape that fails [`Shape::check`].
    pub fn proving_key_bytes(shape: &Shape) -> Result<u64, Error> {
        shape.check()?;
        Ok(proving::file_length(shape))
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
            // halo2 unwraps the results of its writes.
            let mut writer = Lenient::new(Hashing { inner: file, hash: Blake2b256::new() });
            self.pk.write(&mut writer, SerdeFormat::RawBytesUnchecked)?;
            proving_key_digest = seal(writer.finish()?.hash, &self.placement);
            Ok(())
        })?;
        let vk = self.pk.get_vk().to_bytes(SerdeFormat::Processed);
        output.write(VERIFYING_KEY_FILE, |file| file.write_all(&vk))?;
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
        KeyFiles::open(dir)?.read()
    }
}

/// The keys in a directory, with no point or number read yet: their shape and their length are known, so that what is
/// to be proven and the memory that it takes can be checked first.
pub struct KeyFiles {
    sealed: Sealed,
    placement: Placement,
    proving: proving::KeyFile,
}

impl KeyFiles {
    /// Opens the files.
    ///
    /// # Errors
    ///
    /// Those of [`Keys::load`].
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let sealed = Sealed::open(dir)?;
        let shape = sealed.shape()?;
        let proving = proving::KeyFile::open(dir.join(PROVING_KEY_FILE), shape)?;
        let placement = sealed.manifest.placement(&dir.join(SHAPE_FILE))?;
        Ok(Self { sealed, placement, proving })
    }

    /// The shape, which keys can be made for.
    pub fn shape(&self) -> &Shape {
        &self.sealed.manifest.shape
    }

    /// Reads the keys.
    ///
    /// # Errors
    ///
    /// Those of [`Keys::load`].
    pub fn read(self) -> Result<Keys, Error> {
        let Self { sealed, placement, proving } = self;
        let (manifest, verifier) = sealed.verifier()?;
        let is_sealed = |hash| seal(hash, &placement) == manifest.proving_key_digest;
        let pk = proving.read(&verifier, is_sealed)?;
        Ok(Keys::of(verifier, placement, pk))
    }
}

impl VerifierKey {
    /// Reads what verifiers need from a directory; the proving key need not be there.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::File`] or [`Error::Field`] naming the file.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        Ok(Sealed::open(dir)?.verifier()?.1)
    }
}

/// A manifest and the verifying key that it is sealed with, with no point read yet.
struct Sealed {
    manifest: Manifest,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Sealed {
    fn open(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(SHAPE_FILE);
        let manifest: Manifest = input::parse(&path, &input::read(&path, SHAPE_LIMIT)?)?;
        if manifest.format != FORMAT {
            let reason = format!("{:?}, but this prover reads {FORMAT:?}", manifest.format);
            return Err(Error::field(path, "format", reason));
        }
        if !manifest.srs.is_consistent() {
            return Err(Error::field(path, "srs", "origin, mark and points do not agree"));
        }
        let path = dir.join(VERIFYING_KEY_FILE);
        let bytes = input::read(&path, VERIFYING_LIMIT)?;
        // First, because it takes no time: a key has one encoding, so its file stands for it.
        if digest(&manifest.shape, &bytes, &manifest.srs) != manifest.vk_digest {
            let reason = format!("not the key whose vk_digest is in {SHAPE_FILE} beside its shape");
            return Err(Error::file(path, reason));
        }
        Ok(Self { manifest, path, bytes })
    }

    /// The shape, if it is one that keys are made for.
    fn shape(&self) -> Result<&Shape, Error> {
        let shape = &self.manifest.shape;
        shape.check().map_err(|error| Error::file(&self.path, error.to_string()))?;
        Ok(shape)
    }

    fn verifier(self) -> Result<(Manifest, VerifierKey), Error> {
        let Self { manifest, path, bytes } = self;
        let vk = verifying::read_verifying_key(&manifest.shape, &bytes)
            .map_err(|reason| Error::file(path, reason))?;
        let key = VerifierKey {
            params: manifest.srs.verifier_params(manifest.shape.degree()),
            shape: manifest.shape.clone(),
            vk,
            srs: manifest.srs.clone(),
            digest: manifest.vk_digest,
        };
        Ok((manifest, key))
    }
}

/// A writer that hashes what it writes.
struct Hashing<W> {
    inner: W,
    hash: Blake2b256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
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
