//! The file that the cache keeps an SRS in.
//!
//! | bytes | what |
//! |---|---|
//! | one line | `muster-srs/2 `, then JSON `{"k", "digest", "further", "further_digest", "origin"}`, then a newline |
//! | 32 | SHA-256 of that line |
//! | 4 + 128·2^k + 256 | the SRS in halo2's RawBytes layout; its SHA-256 is `digest` |
//! | 64·`further` | the powers τ^(2^k) … τ^(2^k + 3) in G1, in the encoding of that layout; their SHA-256 is `further_digest` |
//!
//! `further` is 4, or 0 if the source had fewer of them; the hash is then that of no bytes. Version 1, which is still read,
//! ends after the layout, and its JSON is `{"k", "digest", "origin"}`.
//!
//! `head -1` shows where the file says that its SRS comes from. The third part alone is a file that any halo2 tool reads.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use halo2_base::halo2_proofs::{
    halo2curves::bn256::G1Affine,
    poly::commitment::{Params, ParamsProver},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::{Builder, NamedTempFile};

use crate::{
    degree::check_degree,
    error::{ParamsError, PointName, FURTHER},
    header,
    import::raw,
    origin::{hex32, Format, Origin},
    parts::{all_or_none, Assembled, Parts},
    points::{g1_raw, g1_trusted, DecodeG1, G1_RAW},
    source::Source,
    srs::Srs,
};

/// First bytes of the file, of any version.
pub(crate) const MAGIC: &[u8] = b"muster-srs/";
/// What follows in a file of version 1, which has no further powers.
const VERSION_1: &[u8] = b"1 ";
/// What follows in the files that are written.
const VERSION_2: &[u8] = b"2 ";
/// Most bytes of the first line: a file name is a few hundred at most.
const MAX_LINE: u64 = 1 << 14;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    k: u32,
    #[serde(with = "hex32")]
    digest: [u8; 32],
    /// How many powers follow the layout.
    further: usize,
    #[serde(with = "hex32")]
    further_digest: [u8; 32],
    origin: Origin,
}

/// The header of version 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldHeader {
    k: u32,
    #[serde(with = "hex32")]
    digest: [u8; 32],
    origin: Origin,
}

impl From<OldHeader> for Header {
    fn from(old: OldHeader) -> Self {
        let OldHeader { k, digest, origin } = old;
        Self { k, digest, further: 0, further_digest: Sha256::digest([]).into(), origin }
    }
}

/// Writes `srs` to `path`.
pub(crate) fn write(srs: &Srs, path: &Path, overwrite: bool) -> Result<(), ParamsError> {
    persist(path, overwrite, |writer| write_to(srs, writer))
}

/// Writes a file through a temporary one in the same directory, so that `path` either has all of it or is as it was before.
pub(crate) fn persist(
    path: &Path,
    overwrite: bool,
    write_to: impl FnOnce(&mut BufWriter<&mut File>) -> std::io::Result<()>,
) -> Result<(), ParamsError> {
    let io = |source| ParamsError::Io { path: path.to_path_buf(), source };
    let dir = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir).map_err(io)?;
    if !overwrite && path.exists() {
        return Err(ParamsError::AlreadyExists { path: path.to_path_buf() });
    }
    // Only a regular file is replaced: a link or a device stays what it is.
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(io(std::io::Error::other("not a regular file")));
    }
    let mut file = temporary(dir).map_err(io)?;
    let mut writer = BufWriter::with_capacity(1 << 18, file.as_file_mut());
    write_to(&mut writer).and_then(|()| writer.flush()).map_err(io)?;
    drop(writer);
    file.as_file().sync_all().map_err(io)?;
    if overwrite {
        file.persist(path).map_err(|error| io(error.error))?;
    } else {
        file.persist_noclobber(path).map_err(|error| match error.error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                ParamsError::AlreadyExists { path: path.to_path_buf() }
            }
            _ => io(error.error),
        })?;
    }
    Ok(())
}

fn temporary(dir: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".muster-srs-");
    // Temporary files are private by default; an SRS is public, so only the umask narrows it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(dir)
}

fn write_to(srs: &Srs, writer: &mut impl Write) -> std::io::Result<()> {
    let further = srs.further_bytes();
    let header = Header {
        k: srs.k(),
        digest: srs.digest(),
        further: srs.further_powers().len(),
        further_digest: Sha256::digest(&further).into(),
        origin: srs.origin().clone(),
    };
    let line = [MAGIC, VERSION_2, &serde_json::to_vec(&header)?, b"\n"].concat();
    writer.write_all(&line)?;
    writer.write_all(&Sha256::digest(&line))?;
    srs.write_raw(writer)?;
    writer.write_all(&further)
}

/// Reads an SRS that the cache has stored, which must be of degree `expected`, cut to `target` if that is smaller.
///
/// The points are not checked one by one, and the header is believed about the origin: the line is bound by its hash
/// and what follows by the digests in the line, all are verified before anything is returned, and in the user's own
/// directory only this crate writes such files, from an SRS that it has checked.
pub(crate) fn read(path: &Path, expected: u32, target: u32) -> Result<Srs, ParamsError> {
    let (header, parts) = read_stored(path, expected, target)?;
    let points = parts.assembled();
    Ok(named(&header, points, header.origin.clone()))
}

/// The further powers of `srs`, from a larger SRS of degree `expected` that the cache has stored, as [`read`] would cut it.
/// None if that is of another τ, or was made by no ceremony.
pub(crate) fn read_further(
    path: &Path,
    expected: u32,
    srs: &Srs,
) -> Result<Vec<G1Affine>, ParamsError> {
    let (header, parts) = read_stored(path, expected, srs.k())?;
    // Each was checked before it was stored, so τ in G2 says which powers it has; the others cost nothing to compare.
    let same = parts.s_g2 == srs.params().s_g2()
        && parts.g2 == srs.params().g2()
        && parts.g == srs.params().get_g();
    let further = if same && header.origin != Origin::Insecure { parts.further } else { vec![] };
    Ok(all_or_none(further))
}

fn read_stored(path: &Path, expected: u32, target: u32) -> Result<(Header, Parts), ParamsError> {
    let mut source = Source::open(path)?;
    let header = read_header(&mut source)?;
    if header.k != expected {
        return Err(corrupt(path, "its name and its header disagree on k"));
    }
    let parts = read_body(&mut source, &header, Some(target), g1_trusted)?;
    source.finish()?;
    Ok((header, parts))
}

/// An SRS from a file that anybody may have written, checked as in any import.
pub(crate) struct Imported {
    pub(crate) srs: Srs,
    /// Where the file says that it is from, unless it says that it is insecure.
    pub(crate) claimed: Option<Origin>,
}

/// Whether the header of a file says so.
pub(crate) fn says_insecure(path: &Path) -> Result<bool, ParamsError> {
    Ok(read_header(&mut Source::open(path)?)?.origin == Origin::Insecure)
}

/// Imports a file of this format, cut to `target` if that is smaller. Anybody can write any origin into its header, so the
/// origin is the file itself. A file is believed only if it says that it is insecure.
pub(crate) fn import(path: &Path, target: Option<u32>) -> Result<Imported, ParamsError> {
    let mut source = Source::open_in_parts(path)?;
    let header = read_header(&mut source)?;
    let parts = read_body(&mut source, &header, target, g1_raw)?;
    let file = source.finish()?;
    let points = parts.verified(path)?;
    if header.origin == Origin::Insecure {
        return Ok(Imported { srs: named(&header, points, Origin::Insecure), claimed: None });
    }
    let srs = named(&header, points, Origin::one_file(Format::Muster, file));
    Ok(Imported { srs, claimed: Some(header.origin) })
}

/// The SRS of these points, with the header's digest unless they were cut.
fn named(header: &Header, points: Assembled, origin: Origin) -> Srs {
    if points.params.k() == header.k {
        Srs::with_digest(points, origin, header.digest)
    } else {
        Srs::new(points, origin)
    }
}

/// Reads the points, and checks them against the digests.
fn read_body(
    source: &mut Source,
    header: &Header,
    target: Option<u32>,
    decode: DecodeG1,
) -> Result<Parts, ParamsError> {
    // Each k has its own length, so this also shows that the body has the k of the header.
    let after = (header.further * G1_RAW) as u64;
    source.need_exactly(raw::raw_len(header.k) + after)?;
    let mut parts = raw::read_body(source, target, decode, &[after])?;
    if source.take_hash() != header.digest {
        return Err(corrupt(source.path(), "the points do not match their digest"));
    }
    let name = |index| PointName::Power((1 << header.k) + index);
    let further = source.points(header.further as u64, G1_RAW, name, decode)?;
    if source.take_hash() != header.further_digest {
        return Err(corrupt(source.path(), "the further powers do not match their digest"));
    }
    // Where the layout had fewer than are wanted, it had all up to these.
    let missing = FURTHER.saturating_sub(parts.further.len());
    parts.further.extend(further.into_iter().take(missing));
    Ok(parts)
}

fn read_header(source: &mut Source) -> Result<Header, ParamsError> {
    let line = source.line(MAX_LINE)?;
    let line_hash = source.take_hash();
    let versioned = line
        .strip_prefix(MAGIC)
        .ok_or_else(|| source.format("wrong magic: not an SRS stored by muster"))?;
    let header = if let Some(json) = versioned.strip_prefix(VERSION_2) {
        header::read::<Header>(json)
    } else if let Some(json) = versioned.strip_prefix(VERSION_1) {
        header::read::<OldHeader>(json).map(Header::from)
    } else {
        return Err(source.format("a version of stored SRS that is not known; 1 and 2 are"));
    };
    let header = header.map_err(|reason| corrupt(source.path(), reason))?;
    check_degree(header.k).map_err(|e| corrupt(source.path(), e.to_string()))?;
    if ![0, FURTHER].contains(&header.further) {
        let reason = format!("{} further powers, not {FURTHER} or none", header.further);
        return Err(corrupt(source.path(), reason));
    }
    if source.array::<32>()? != line_hash {
        return Err(corrupt(source.path(), "the header line does not match its hash"));
    }
    source.take_hash();
    Ok(header)
}

fn corrupt(path: &Path, reason: impl Into<String>) -> ParamsError {
    ParamsError::Corrupt { path: path.to_path_buf(), reason: reason.into() }
}
