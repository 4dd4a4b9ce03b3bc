//! What can go wrong, with the file and the place in it; and signatures that do not count.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use halo2_base::halo2_proofs::plonk;
use muster_circuits::{Dropped, Rejection};
use muster_params::ParamsError;
use muster_schemes::{
    membership::KeySetError,
    signature::{AggregateError, SignatureError},
};
use serde_json::{json, Value};

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
    /// Signatures do not count, and no others make up for them.
    #[error("{}\n{}", without.as_ref().map_or_else(|| "rejected: not all signatures count".into(), |error| error.to_string()), dropped.to_string().trim_end())]
    Dropped {
        /// Which, and why.
        dropped: DroppedList,
        /// What is wrong without them; nothing if all had to count.
        without: Option<Box<Self>>,
    },
    /// The circuit refuses what the native check accepted; names the constraints that fail.
    #[error(
        "a bug in Muster: the signatures are good and reach the threshold, but the circuit refuses them; \
         please report it, with the files. These constraints do not hold: {}", .0.join("; ")
    )]
    Unsatisfied(Vec<String>),
    /// The proof that was made does not verify, so it is discarded.
    #[error(
        "the proof that was just made is bad and was discarded: {0}; the keys were changed or do \
         not belong to this circuit, or the witness breaks a constraint"
    )]
    Unproven(VerifyError),
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
    /// Weights are too great for a set.
    #[error("{path}: {at}: {reason}")]
    WideWeights {
        /// The file.
        path: PathBuf,
        /// Place in the file.
        at: String,
        /// What is too great.
        reason: String,
        /// By how many bits all weights have to be shifted down to fit; nothing if no shift helps.
        shift: Option<u32>,
    },
    /// Signatures are in the form of other schemes: one by one, or one by all.
    #[error("{path}: signatures of {scheme} belong in the single field {field:?}")]
    OtherForm {
        /// The file.
        path: PathBuf,
        /// The scheme.
        scheme: muster_circuits::Scheme,
        /// Where they belong.
        field: &'static str,
    },
    /// Signatures that were to be added up are on different messages.
    #[error("{path}: message: not the message in {other}")]
    OtherMessage {
        /// The file.
        path: PathBuf,
        /// The file with the first message.
        other: PathBuf,
    },
    /// A committee is a mere list of keys, and nothing says of which scheme they are.
    #[error("{0}: a list of keys does not say of which scheme they are")]
    NoScheme(PathBuf),
    /// An output file already exists.
    #[error("{0}: already exists")]
    Exists(PathBuf),
    /// An argument, or a combination of arguments, makes no sense.
    #[error("{0}")]
    Usage(String),
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
        "shape.json: srs.{field}: {claimed}, but the SRS with the digest that the keys name has \
         {found}: the keys were changed; get them again from those who made them, or make new ones"
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
    /// A key or a signature breaks a rule while a sample is made.
    #[error("{0}")]
    Signature(#[from] SignatureError),
    /// A circuit has something that the format of proofs has not.
    #[error("the circuit's constraints: {0}")]
    Protocol(crate::Unsupported),
    /// A key could not be put together.
    #[error("the circuit's key: {0}")]
    Key(muster_verifier::KeyError),
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
            Self::Dropped { without, .. } => {
                without.as_ref().map_or(REJECTED, |error| error.exit_code())
            }
            _ => BAD_INPUT,
        }
    }

    /// An error of the operating system about a file.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// A file is not what it should be.
    pub fn file(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::File { path: path.into(), reason: reason.into() }
    }

    /// A field of a file is not what it should be; `at` is its place.
    pub fn field(
        path: impl Into<PathBuf>,
        at: impl Into<String>,
        reason: impl fmt::Display,
    ) -> Self {
        Self::Field { path: path.into(), at: at.into(), reason: reason.to_string() }
    }

    /// [`Self::field`] with the reason to come, as `map_err` takes it.
    pub(crate) fn at<R: fmt::Display>(
        path: &Path,
        at: impl Into<String>,
    ) -> impl FnOnce(R) -> Self {
        move |reason| Self::field(path, at, reason)
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

/// Where a signature stands: in which file, and its number there.
pub(crate) type Place = (Arc<Path>, usize);

/// Signatures that do not count, in the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DroppedList(pub(crate) Vec<(Place, Dropped)>);

impl DroppedList {
    /// Whether all signatures count.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many do not.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds signatures with the places where they stand.
    pub(crate) fn extend(&mut self, more: impl IntoIterator<Item = (Place, Dropped)>) {
        self.0.extend(more);
        self.0.sort_by(|(left, _), (right, _)| left.cmp(right));
    }

    /// Refuses to go on without these signatures.
    ///
    /// # Errors
    ///
    /// [`Error::Dropped`] if there are any.
    pub fn refuse(&self) -> Result<(), Error> {
        let refused = || Error::Dropped { dropped: self.clone(), without: None };
        self.is_empty().then_some(()).ok_or_else(refused)
    }

    /// What became of the others, with these signatures named in the error if there are any.
    ///
    /// # Errors
    ///
    /// That of the others.
    pub fn named_in<T>(&self, others: Result<T, Error>) -> Result<T, Error> {
        others.map_err(|error| match self.is_empty() {
            true => error,
            false => Error::Dropped { dropped: self.clone(), without: Some(error.into()) },
        })
    }

    /// One object for each.
    pub fn to_json(&self) -> Value {
        let one = |((path, number), Dropped { member, reason, .. }): &(Place, Dropped)| {
            let reason = reason.to_string();
            json!({ "file": **path, "signature": number, "member": member, "reason": reason })
        };
        self.0.iter().map(one).collect()
    }
}

/// A line for each.
impl fmt::Display for DroppedList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|((path, number), Dropped { reason, .. })| {
            writeln!(out, "dropped: {}: signatures[{number}]: {reason}", path.display())
        })
    }
}
