//! The files of `muster pvss` and `muster dkg`. Dealings, sums and reference strings are binary; the rest
//! is JSON with `0x` hex.

mod ceremony;
mod keys;
mod session;

use std::{io, path::Path};

use muster_prover::{encoding::from_hex_exact, input, Number};
use muster_threshold::{dkg, pvss::Error as Fault};
use serde::{de::DeserializeOwned, Serialize};

pub use ceremony::{AttestationFile, CertificateFile, ProposalFile};
pub use keys::{PublicFile, SecretFile, SharesFile};
pub use session::SessionFile;
pub(crate) use session::{kept_parameters, read_srs};

use crate::Error;

/// Greatest length of any of these JSON files.
const LIMIT: u64 = 1 << 28;
/// Greatest length of a binary file.
pub const BINARY_LIMIT: u64 = 1 << 30;

/// Reads a JSON file.
///
/// # Errors
///
/// Those of reading and parsing a file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    Ok(input::parse(path, &zeroize::Zeroizing::new(input::read(path, LIMIT)?))?)
}

/// Reads a JSON array of stakes.
///
/// # Errors
///
/// Those of [`read`].
pub fn read_stakes(path: &Path) -> Result<Vec<u64>, Error> {
    let stakes: Vec<Number<u64>> = read(path)?;
    Ok(stakes.into_iter().map(|Number(stake)| stake).collect())
}

/// The bytes of a JSON file, allocated once: growing would leave secrets behind in memory.
pub(crate) fn pretty(content: &impl Serialize) -> zeroize::Zeroizing<Vec<u8>> {
    let mut length = Length(1);
    // Neither fails: the content is strings and numbers, and the writers take everything.
    drop(serde_json::to_writer_pretty(&mut length, content));
    let mut bytes = zeroize::Zeroizing::new(Vec::with_capacity(length.0));
    drop(serde_json::to_writer_pretty(&mut *bytes, content));
    bytes.push(b'\n');
    bytes
}

/// Counts bytes.
struct Length(usize);

impl io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn exact<const N: usize>(path: &Path, at: &str, text: &str) -> Result<[u8; N], Error> {
    from_hex_exact(text).map_err(|reason| Error::field(path, at, reason))
}

/// A dealing, a sum or shares that break a rule are rejected; everything else is bad input.
pub(crate) fn fault(path: &Path) -> impl Fn(Fault) -> Error {
    move |fault| match fault {
        Fault::Length { .. }
        | Fault::Point { .. }
        | Fault::Scalar { .. }
        | Fault::Signature { .. }
        | Fault::Unsigned
        | Fault::Refused { .. }
        | Fault::Decryption { .. }
        | Fault::WrongShare { .. }
        | Fault::TooFewShares { .. }
        | Fault::WrongSecret
        | Fault::ZeroShare { .. }
        | Fault::ZeroSecret
        | Fault::Srs { .. }
        | Fault::Possession { .. } => Error::rejected(path, fault),
        _ => Error::file(path, fault.to_string()),
    }
}

/// A dealing or a certificate that breaks a rule is rejected; everything else is bad input.
pub(crate) fn refused(path: &Path) -> impl Fn(dkg::Error) -> Error {
    move |found| match found {
        dkg::Error::Sharing(found) => fault(path)(found),
        dkg::Error::Stakes { .. }
        | dkg::Error::NoStake
        | dkg::Error::Players { .. }
        | dkg::Error::Bounds { .. } => Error::file(path, found.to_string()),
        _ => Error::rejected(path, found),
    }
}
