//! The files of a FROST ceremony: documents of [`muster_threshold::frost::files`], one for each
//! participant and step.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use muster_prover::{
    input,
    output::{Output, Secret},
};
pub use muster_threshold::frost::files::*;
use zeroize::Zeroizing;

use crate::{files::write_pretty, Error};

/// Kinds of files that are not parcels.
pub(crate) const GROUP: &str = "group";
pub(crate) const SHARE: &str = "key share";
pub(crate) const NONCES: &str = "nonces";
pub(crate) const COMMITMENT: &str = "commitment";
pub(crate) const SIGNATURE_SHARE: &str = "signature share";
pub(crate) const SIGNATURE: &str = "signature";

/// Greatest length of a file: a group of 2^16 members.
const LIMIT: u64 = 1 << 26;

/// Reads a document. The bytes read are wiped, since they may be secret.
///
/// # Errors
///
/// [`muster_prover::Error::Field`] naming the field, or those of reading a file.
pub fn read<D: Document>(path: &Path) -> Result<D, Error> {
    let bytes = Zeroizing::new(input::read(path, LIMIT)?);
    Ok(input::parse(path, &bytes)?)
}

/// Reads several documents.
///
/// # Errors
///
/// Those of [`read`].
pub fn read_all<D: Document>(paths: &[PathBuf]) -> Result<Vec<D>, Error> {
    paths.iter().map(|path| read(path)).collect()
}

/// Writes a document; only the owner may read a secret one.
pub(crate) fn write(
    output: &mut Output,
    name: &str,
    document: &impl Document,
) -> Result<(), Error> {
    Ok(if document.is_secret() {
        output.write_secret(name, |file| write_pretty(file, document))
    } else {
        output.write(name, |file| write_pretty(file, document))
    }?)
}

/// Opens an output of these files, each with its kind, in a directory.
pub(crate) fn open(dir: &Path, files: &[(String, &str)], force: bool) -> Result<Output, Error> {
    let public = files.iter().filter(|(_, kind)| secret(kind).is_none());
    let public: Vec<_> = public.map(|(name, _)| name.as_str()).collect();
    let secrets = files.iter().filter_map(|(name, kind)| Some((name, secret(kind)?)));
    let mut output = Output::new(dir, &public, force)?;
    for (name, kind) in secrets {
        output = output.secrets(kind, &[name])?;
    }
    Ok(output)
}

/// Opens an output of the one file `path`; also returns the file's name.
pub(crate) fn open_single(path: &Path, kind: &str, force: bool) -> Result<(Output, String), Error> {
    Ok(match secret(kind) {
        Some(secret) => Output::single_secret(path, secret, force)?,
        None => Output::single(path, force)?,
    })
}

/// What is secret in files of a kind.
fn secret(kind: &str) -> Option<Secret> {
    match kind {
        SHARE => Some(Secret::FrostShare),
        NONCES => Some(Secret::FrostNonces),
        _ => Secret::parcel(kind),
    }
}
