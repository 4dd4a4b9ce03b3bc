//! The file that the cache keeps an SRS in.
//!
//! | bytes | what |
//! |---|---|
//! | one line | `muster-srs/1 `, then JSON `{"k", "digest", "origin"}`, then a newline |
//! | 32 | SHA-256 of that line |
//! | 4 + 128·2^k + 256 | the SRS in halo2's RawBytes layout; its SHA-256 is `digest` |
//!
//! `head -1` shows where the file says that its SRS comes from. Without the line and the 32 bytes it is a file that any
//! halo2 tool reads.

use std::{
    io::{BufWriter, Write},
    path::Path,
};

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Bn256,
    poly::{commitment::Params, kzg::commitment::ParamsKZG},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::{Builder, NamedTempFile};

use crate::{
    degree::check_degree,
    error::ParamsError,
    import::raw::{self, Trust},
    origin::{hex32, Format, Origin},
    parts::Parts,
    source::Source,
    srs::Srs,
};

/// First bytes of the file.
pub(crate) const MAGIC: &str = "muster-srs/1 ";
/// Most bytes of the first line: a file name is a few hundred at most.
const MAX_LINE: u64 = 1 << 14;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    k: u32,
    #[serde(with = "hex32")]
    digest: [u8; 32],
    origin: Origin,
}

/// Writes `srs` to `path` through a temporary file in the same directory, so that `path` either has
/// all of it or is as it was before.
pub(crate) fn write(srs: &Srs, path: &Path, overwrite: bool) -> Result<(), ParamsError> {
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
    write_to(srs, file.as_file_mut()).map_err(io)?;
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

fn write_to(srs: &Srs, file: &mut std::fs::File) -> std::io::Result<()> {
    let header = Header { k: srs.k(), digest: srs.digest(), origin: srs.origin().clone() };
    let line = format!("{MAGIC}{}\n", serde_json::to_string(&header)?);
    let mut writer = BufWriter::with_capacity(1 << 18, file);
    writer.write_all(line.as_bytes())?;
    writer.write_all(&Sha256::digest(line.as_bytes()))?;
    srs.write_raw(&mut writer)?;
    writer.flush()
}

/// Reads an SRS that the cache has stored, which must be of degree `expected`, cut to `target` if that is smaller.
///
/// The points are not checked one by one, and the header is believed about the origin: the line is bound by its hash
/// and the body by `digest` in the line, both are verified before anything is returned, and in the user's own directory
/// only this crate writes such files, from an SRS that it has checked.
pub(crate) fn read(path: &Path, expected: u32, target: u32) -> Result<Srs, ParamsError> {
    let mut source = Source::open(path)?;
    let header = read_header(&mut source)?;
    if header.k != expected {
        return Err(corrupt(path, "its name and its header disagree on k"));
    }
    let parts = read_body(&mut source, &header, Some(target), Trust::Digest)?;
    source.finish()?;
    let params = parts.assembled();
    Ok(named(&header, params, header.origin.clone()))
}

/// An SRS from a file that anybody may have written, checked as in any import.
pub(crate) struct Imported {
    pub(crate) srs: Srs,
    /// Where the file says that it is from, unless it says that it is insecure.
    pub(crate) claimed: Option<Origin>,
}

/// Imports a file of this format, cut to `target` if that is smaller. Anybody can write any origin into its header, so the
/// origin is the file itself. A file is believed only if it says that it is insecure.
pub(crate) fn import(path: &Path, target: Option<u32>) -> Result<Imported, ParamsError> {
    let mut source = Source::open_in_parts(path)?;
    let header = read_header(&mut source)?;
    let parts = read_body(&mut source, &header, target, Trust::Nothing)?;
    let file = source.finish()?;
    let params = parts.verified(path)?;
    if header.origin == Origin::Insecure {
        return Ok(Imported { srs: named(&header, params, Origin::Insecure), claimed: None });
    }
    let srs = named(&header, params, Origin::one_file(Format::Muster, file));
    Ok(Imported { srs, claimed: Some(header.origin) })
}

/// The SRS of these points, with the header's digest unless they were cut.
fn named(header: &Header, params: ParamsKZG<Bn256>, origin: Origin) -> Srs {
    if params.k() == header.k {
        Srs::with_digest(params, origin, header.digest)
    } else {
        Srs::new(params, origin)
    }
}

/// Reads the points, and checks them against the digest.
fn read_body(
    source: &mut Source,
    header: &Header,
    target: Option<u32>,
    trust: Trust,
) -> Result<Parts, ParamsError> {
    // Each k has its own length, so this also shows that the body has the k of the header.
    source.need_exactly(raw::raw_len(header.k))?;
    let parts = raw::read_body(source, target, trust)?;
    if source.take_hash() != header.digest {
        return Err(corrupt(source.path(), "the points do not match their digest"));
    }
    Ok(parts)
}

fn read_header(source: &mut Source) -> Result<Header, ParamsError> {
    let line = source.line(MAX_LINE)?;
    let line_hash = source.take_hash();
    let json = line
        .strip_prefix(MAGIC.as_bytes())
        .ok_or_else(|| source.format("wrong magic: not an SRS stored by muster"))?;
    let header: Header =
        serde_json::from_slice(json).map_err(|e| corrupt(source.path(), e.to_string()))?;
    check_degree(header.k).map_err(|e| corrupt(source.path(), e.to_string()))?;
    if source.array::<32>()? != line_hash {
        return Err(corrupt(source.path(), "the header line does not match its hash"));
    }
    source.take_hash();
    Ok(header)
}

fn corrupt(path: &Path, reason: impl Into<String>) -> ParamsError {
    ParamsError::Corrupt { path: path.to_path_buf(), reason: reason.into() }
}
