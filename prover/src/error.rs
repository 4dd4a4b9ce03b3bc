//! What can go wrong, with the file and the place in it.

use std::{fmt, io, path::PathBuf};

use halo2_base::halo2_proofs::plonk;
use muster_circuits::Rejection;
use muster_gadgets::{
    membership::KeySetError,
    signature::{AggregateError, SignatureError},
};
use muster_params::ParamsError;
#[cfg(feature = "cli")]
use muster_threshold::frost::FrostError;

#[cfg(feature = "cli")]
use crate::fault::ProofFault;
use crate::proof::VerifyError;

/// Exit status of a false statement or a bad proof.
pub const REJECTED: u8 = 1;
/// Exit status of bad input or wrong usage.
pub const BAD_INPUT: u8 = 2;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The statement is false.
    #[error("rejected: {0}")]
    Rejected(Rejection),
    /// The bytes of a signature break a rule of its encoding: nobody signed.
    #[error("rejected: {path}: {at}: {signer}: {rule}")]
    BadSignature {
        /// The file.
        path: PathBuf,
        /// Place in the file.
        at: String,
        /// Whose signature it is said to be.
        signer: String,
        /// The rule that is broken.
        rule: SignatureError,
    },
    /// The circuit refuses what the native check accepted; names the constraints that fail.
    #[error(
        "a bug in Muster: the signatures are good and reach the threshold, but the circuit refuses them; \
         please report it, with the files. These constraints do not hold: {}", .0.join("; ")
    )]
    Unsatisfied(Vec<String>),
    /// Something panicked while a proof was made; holds the panic's message.
    #[cfg(feature = "cli")]
    #[error("a bug in Muster: {0}; please report it, with the files")]
    Panic(String),
    /// The proof that was made does not verify, so it is not given out.
    #[error(
        "the proof that was just made is bad, and is not given out: {0}; the keys were changed or do \
         not belong to this circuit, or the witness breaks a constraint"
    )]
    Unproven(VerifyError),
    /// Proofs are bad; each with the reason.
    #[cfg(feature = "cli")]
    #[error("rejected: {}", list(.0))]
    BadProofs(Vec<(PathBuf, ProofFault)>),
    /// Some of several proofs could not be made; each with the reason.
    #[cfg(feature = "cli")]
    #[error("{}:\n{}", not_made(.failed.len(), *count), failures(.failed))]
    Batch {
        /// How many there were to be.
        count: usize,
        /// The path that stands for each one not made, and why.
        failed: Vec<(PathBuf, Error)>,
        /// The report on the others.
        made: serde_json::Value,
    },
    /// A threshold signature, or a share of one, is bad.
    #[cfg(feature = "cli")]
    #[error("rejected: {path}: {reason}")]
    BadThresholdSignature {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system refused to open, read or write a file.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A file is longer than any file of its kind.
    #[error("{path}: {len} bytes, more than the {limit} that such a file may have")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length.
        len: u64,
        /// The greatest length.
        limit: u64,
    },
    /// A file is not what it should be.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A field of a file is not what it should be.
    #[error("{path}: {at}: {reason}")]
    Field {
        /// The file.
        path: PathBuf,
        /// Place in the file.
        at: String,
        /// What is wrong.
        reason: String,
    },
    /// Members of a committee have the same key.
    #[error("{path}: {at}: {fault}")]
    SameKey {
        /// The file.
        path: PathBuf,
        /// Place in the file.
        at: String,
        /// Which members.
        fault: KeySetError,
        /// Whether keys of the scheme add up, so that one may have several seats.
        adds_up: bool,
    },
    /// No set can hold the key of a member.
    #[error("{path}: {at}: {reason}")]
    UnusableKey {
        /// The file.
        path: PathBuf,
        /// Place in the file.
        at: String,
        /// Why none can.
        reason: String,
    },
    /// An output file already exists.
    #[error("{0}: already exists")]
    Exists(PathBuf),
    /// An argument, or a combination of arguments, makes no sense.
    #[error("{0}")]
    Usage(String),
    /// The available SRS is insecure, and nobody has allowed that.
    #[cfg(feature = "cli")]
    #[error("the SRS for k = {0} is insecure: it was made on one machine, not by a ceremony")]
    InsecureSrs(u32),
    /// The available SRS is not the one that the keys name.
    #[error("SRS: {found}, but the keys name the one with digest 0x{expected}")]
    WrongSrs {
        /// Digest of the SRS that the keys name, in hex.
        expected: String,
        /// What was found.
        found: String,
    },
    /// Keys make a false claim about their SRS.
    #[error(
        "shape.json: srs.{field}: {claimed}, but of the SRS with the digest that the keys name it is \
         {found}: the keys were changed; take them from those who made them, or make them again"
    )]
    FalseClaim {
        /// Which field.
        field: &'static str,
        /// What they say.
        claimed: String,
        /// What the SRS shows.
        found: String,
    },
    /// Something is wrong with an SRS.
    #[error("SRS: {0}")]
    Params(#[from] ParamsError),
    /// What was asked for does not fit the shape.
    #[error("{0}")]
    Circuit(muster_circuits::Error),
    /// Signers cannot make a joint signature.
    #[error("signing together: {0}")]
    Aggregate(#[from] AggregateError),
    /// A threshold signature cannot be made; says whose fault it is.
    #[cfg(feature = "cli")]
    #[error("{}", verdict(.0))]
    Frost(#[from] FrostError),
    /// A key or a signature breaks a rule while a sample is made.
    #[error("{0}")]
    Signature(#[from] SignatureError),
    /// A contract cannot be written, or does not do what it should.
    #[cfg(feature = "cli")]
    #[error(transparent)]
    Evm(#[from] muster_evm::Error),
    /// The proving system failed.
    #[error("proving system: {0:?}")]
    Prover(plonk::Error),
}

impl Error {
    /// The exit status: 1 for a false statement or a bad proof, 2 for everything else: bad input,
    /// and bugs such as [`Self::Unsatisfied`], which are not the fault of anyone who signed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Rejected(_) | Self::BadSignature { .. } => REJECTED,
            #[cfg(feature = "cli")]
            Self::BadThresholdSignature { .. } | Self::BadProofs(_) => REJECTED,
            #[cfg(feature = "cli")]
            Self::Batch { failed, .. } => {
                failed.iter().map(|(_, error)| error.exit_code()).max().unwrap_or(BAD_INPUT)
            }
            #[cfg(feature = "cli")]
            Self::Frost(error) if rejects(error) => REJECTED,
            _ => BAD_INPUT,
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    pub(crate) fn file(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::File { path: path.into(), reason: reason.into() }
    }

    pub(crate) fn field(
        path: impl Into<PathBuf>,
        at: impl Into<String>,
        reason: impl fmt::Display,
    ) -> Self {
        Self::Field { path: path.into(), at: at.into(), reason: reason.to_string() }
    }
}

impl From<muster_circuits::Error> for Error {
    fn from(error: muster_circuits::Error) -> Self {
        match error {
            muster_circuits::Error::Rejected(rejection) => Self::Rejected(rejection),
            other => Self::Circuit(other),
        }
    }
}

/// Whether participants lied or are too few, as opposed to a file being wrong.
#[cfg(feature = "cli")]
fn rejects(error: &FrostError) -> bool {
    use FrostError::{
        BadDealing, BadShares, Degree, GroupKey, Incomplete, Missing, NoPolynomial, OtherShare,
        Signature, TooFew,
    };
    matches!(
        error,
        BadShares(_)
            | BadDealing(_)
            | Degree { .. }
            | GroupKey
            | Incomplete { .. }
            | Missing(_)
            | NoPolynomial
            | OtherShare(_)
            | Signature
            | TooFew { .. }
    )
}

#[cfg(feature = "cli")]
fn verdict(error: &FrostError) -> String {
    if rejects(error) {
        format!("rejected: {error}")
    } else {
        error.to_string()
    }
}

#[cfg(feature = "cli")]
fn not_made(failed: usize, count: usize) -> String {
    let proofs = if count == 1 { "proof" } else { "proofs" };
    let were = if failed == 1 { "was" } else { "were" };
    format!("{failed} of {count} {proofs} {were} not made")
}

#[cfg(feature = "cli")]
fn failures(failed: &[(PathBuf, Error)]) -> String {
    let line = |(path, error): &(PathBuf, Error)| format!("  {}: {error}", path.display());
    failed.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(feature = "cli")]
fn list(proofs: &[(PathBuf, ProofFault)]) -> String {
    let line = |(path, fault): &(PathBuf, ProofFault)| format!("{}: {fault}", path.display());
    proofs.iter().map(line).collect::<Vec<_>>().join("\n          ")
}
