//! The error about the file that broke a rule.

use std::path::Path;

use muster_threshold::dkg::Error as Fault;

use crate::{files::pvss::fault, Error};

/// A dealing or a certificate that breaks a rule is rejected; everything else is bad input.
pub(crate) fn refused(path: &Path, found: Fault) -> Error {
    match found {
        Fault::Sharing(found) => fault(path, found),
        Fault::Stakes { .. } | Fault::NoStake | Fault::Players { .. } | Fault::Bounds { .. } => {
            Error::file(path, found.to_string())
        }
        _ => Error::BadThresholdSignature { path: path.to_path_buf(), reason: found.to_string() },
    }
}
