//! The file that the cache keeps an SRS in.
//!
//! | bytes | what |
//! |---|---|
//! | one line | `muster-srs/1 `, then JSON `{"k", "digest", "origin"}`, then a newline |
//! | 32 | SHA-256 of that line |
//! | 4 + 128·2^k + 256 | the SRS in halo2's RawBytes layout; its SHA-256 is `digest` |
//!
//! `head -1` shows where an SRS comes from, and without the line and the 32 bytes it is a file that
//! any halo2 tool reads.

use std::{
    io::{BufWriter, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::{Builder, NamedTempFile};

use crate::{
    degree::check_degree,
    error::ParamsError,
    import::raw::{self, Trust},
    origin::{hex32, Origin},
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
/// the whole of it or is as it was before.
pub(crate) fn write(srs: &Srs, path: &Path, overwrite: bool) -> Result<(), ParamsError> {
    let io = |source| ParamsError::Io { path: path.to_path_buf(), source };
    let dir = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir).map_err(io)?;
    if !overwrite && path.exists() {
        return Err(ParamsError::AlreadyExists { path: path.to_path_buf() });
    }
    // Over a file alone: a link or a device stays what it is.
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

/// Reads a stored SRS, cut to `target` if that is smaller, in one pass.
///
/// With [`Trust::Digest`] the points are not checked one by one: the line is bound by its hash and
/// the body by `digest` in the line, both are verified before anything is returned, and only this
/// crate writes such files, from an SRS it has checked. With [`Trust::Nothing`] everything is
/// checked as in an import.
///
/// The file must hold degree `expected` when that is given.
pub(crate) fn read(
    path: &Path,
    expected: Option<u32>,
    target: Option<u32>,
    trust: Trust,
) -> Result<Srs, ParamsError> {
    let corrupt =
        |reason: &str| ParamsError::Corrupt { path: path.to_path_buf(), reason: reason.into() };
    let mut source = Source::open(path)?;
    let header = read_header(&mut source)?;
    if expected.is_some_and(|k| k != header.k) {
        return Err(corrupt("its name and its header disagree on k"));
    }
    // Each k has its own length, so this also shows that the body has the k of the header.
    source.need_exactly(raw::body_len(header.k))?;
    let parts = raw::read_body(&mut source, target, trust)?;
    let cut = parts.k < header.k;
    if source.finish()?.sha256 != header.digest {
        return Err(corrupt("the points do not match their digest"));
    }
    let params = match trust {
        Trust::Nothing => parts.verified(path)?,
        Trust::Digest => parts.assembled(),
    };
    Ok(if cut {
        Srs::new(params, header.origin)
    } else {
        Srs::with_digest(params, header.origin, header.digest)
    })
}

fn read_header(source: &mut Source) -> Result<Header, ParamsError> {
    let line = source.line(MAX_LINE)?;
    let line_hash = source.take_hash();
    let json = line
        .strip_prefix(MAGIC.as_bytes())
        .ok_or_else(|| source.format("wrong magic: not an SRS stored by muster"))?;
    let corrupt =
        |reason: String| ParamsError::Corrupt { path: source.path().to_path_buf(), reason };
    let header: Header = serde_json::from_slice(json).map_err(|e| corrupt(e.to_string()))?;
    check_degree(header.k).map_err(|e| corrupt(e.to_string()))?;
    if source.array::<32>()? != line_hash {
        let reason = "the header line does not match its hash".to_string();
        return Err(ParamsError::Corrupt { path: source.path().to_path_buf(), reason });
    }
    source.take_hash();
    Ok(header)
}
