//! What can be wrong with an SRS file, with the file's name.

use std::{fmt, io, path::PathBuf};

/// Largest k: the 2-adicity of the scalar field, r − 1 = 2²⁸ · odd.
pub const MAX_K: u32 = 28;
/// How many powers beyond `2^k` a prover may need: columns that hide what they hold have degree `2^k + 3`.
pub const FURTHER: usize = 4;

/// Every failure of this crate. The message names the file and the reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParamsError {
    /// The operating system refused to open, read or write the file.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The file ends before the data that its own header or layout announces.
    #[error("{path}: truncated: {expected} bytes needed, the file has {actual}")]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Least length, in bytes, that the part being read needs.
        expected: u64,
        /// Length of the file in bytes.
        actual: u64,
    },
    /// The file continues after the last byte of its format.
    #[error("{path}: {extra} trailing bytes after the end of the data")]
    TrailingBytes {
        /// The file.
        path: PathBuf,
        /// Number of excess bytes.
        extra: u64,
    },
    /// The file is not of the expected format, or breaks its rules.
    #[error("{path}: {reason}")]
    Format {
        /// The file.
        path: PathBuf,
        /// Which rule.
        reason: String,
    },
    /// The file is over another curve.
    #[error("{path}: wrong curve: {reason}; this prover works on BN254")]
    WrongCurve {
        /// The file.
        path: PathBuf,
        /// What shows it.
        reason: String,
    },
    /// One point of the file is unusable.
    #[error("{path}: {point} {fault}")]
    Point {
        /// The file.
        path: PathBuf,
        /// Which point.
        point: PointName,
        /// What is wrong with it.
        fault: PointFault,
    },
    /// The G1 points are not consecutive powers of the τ in G2.
    #[error(
        "{path}: wrong tau: the G1 points are not the powers of the tau in G2 (pairing check)"
    )]
    WrongTau {
        /// The file.
        path: PathBuf,
    },
    /// The Lagrange points are not the transform of the powers.
    #[error("{path}: the Lagrange points do not belong to the powers of tau")]
    WrongLagrange {
        /// The file.
        path: PathBuf,
    },
    /// τ is public: anyone can forge proofs under this SRS.
    #[error("{path}: refused: its tau is publicly known: {reason}")]
    KnownTau {
        /// The file.
        path: PathBuf,
        /// How it is known.
        reason: &'static str,
    },
    /// The degree is outside what the scalar field's FFT allows.
    #[error("k = {k} is out of range: 1 ≤ k ≤ {MAX_K}")]
    Degree {
        /// log₂ of the number of powers asked for.
        k: u32,
    },
    /// The source holds fewer powers than asked for.
    #[error("{path}: {found} G1 powers, too few for k = {k}")]
    NotEnoughPoints {
        /// The file.
        path: PathBuf,
        /// log₂ of the number of powers asked for.
        k: u32,
        /// Number of powers in the file.
        found: u64,
    },
    /// A `.point` file holds G1 only, and no G2 file was named.
    #[error("{path}: a .point file holds only G1 powers; also name the file with tau in G2")]
    MissingG2 {
        /// The G1 file.
        path: PathBuf,
    },
    /// A stored SRS is not what was written.
    #[error("{path}: corrupt: {reason}; delete the file and make or import it again")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// The file already exists, and overwriting was not requested.
    #[error("{path}: already exists, not overwritten")]
    AlreadyExists {
        /// The file.
        path: PathBuf,
    },
    /// The cache has nothing for this degree.
    #[error("{dir}: no SRS for k = {k}; import one from a ceremony, or make an insecure one")]
    NotCached {
        /// The cache directory.
        dir: PathBuf,
        /// log₂ of the number of powers asked for.
        k: u32,
    },
    /// A prover needs [`FURTHER`] more powers than this SRS has.
    #[error(
        "the SRS for k = {k} has 2^{k} powers, but this prover needs 2^{k} + {FURTHER}; {}",
        more_powers(*k, *insecure)
    )]
    NoFurtherPowers {
        /// log₂ of the number of powers.
        k: u32,
        /// Whether the SRS is insecure: then it is made again, not imported.
        insecure: bool,
    },
    /// A pack of columns has at least one place.
    #[error("a stride of 0: a pack has at least one place")]
    Stride,
    /// Bases for packs need more powers than this SRS has.
    #[error(
        "packs of stride {stride} over 2^{k} rows need {needed} powers, and the SRS for k = {srs_k} has {found}; {}",
        larger_powers(*degree, *srs_k, *insecure)
    )]
    TooFewPowers {
        /// log₂ of the number of rows.
        k: u32,
        /// Places of a pack.
        stride: u32,
        /// Powers needed.
        needed: u64,
        /// Powers of the SRS, further ones included.
        found: u64,
        /// log₂ of the number of the SRS's powers, without the further ones.
        srs_k: u32,
        /// The same of the smallest SRS that has enough, further ones included.
        degree: u32,
        /// Whether the SRS is insecure: then it is made again, not imported.
        insecure: bool,
    },
    /// A ceremony SRS was required and this one is insecure.
    #[error("the SRS for k = {k} is insecure: it was made on one machine, not by a ceremony")]
    Insecure {
        /// log₂ of the number of powers.
        k: u32,
    },
}

/// How to get an SRS with further powers.
fn more_powers(k: u32, insecure: bool) -> String {
    if insecure {
        format!(
            "make it again, and then the keys: muster srs make --degree {k} --insecure-srs --force"
        )
    } else {
        format!(
            "import the next larger file of the same ceremony, which is cut and leaves keys as they are: \
             muster srs import FILE --degree {k} --force"
        )
    }
}

/// How to get an SRS of a larger degree, or the further powers of this one if its degree would do.
fn larger_powers(degree: u32, srs_k: u32, insecure: bool) -> String {
    if degree <= srs_k {
        more_powers(srs_k, insecure)
    } else if insecure {
        format!("make a larger one: muster srs make --degree {degree} --insecure-srs")
    } else {
        format!(
            "import a file of the same ceremony that has at least 2^{degree} + {FURTHER} powers: \
             muster srs import FILE --degree {degree}"
        )
    }
}

/// Names a point of an SRS file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PointName {
    /// `[τ^i]₁`, by i.
    Power(u64),
    /// The i-th Lagrange point in G1.
    Lagrange(u64),
    /// A base for packs, by its place in the file.
    PackBase(u64),
    /// `[1]₂`.
    G2,
    /// `[τ]₂`.
    TauG2,
}

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Power(index) => write!(f, "G1 power {index}"),
            Self::Lagrange(index) => write!(f, "G1 Lagrange point {index}"),
            Self::PackBase(index) => write!(f, "pack base {index}"),
            Self::G2 => f.write_str("G2 generator"),
            Self::TauG2 => f.write_str("tau in G2"),
        }
    }
}

/// What is wrong with a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointFault {
    /// A coordinate is not below q, so the same point would have two encodings.
    #[error("has a coordinate that is not below the field modulus")]
    NonCanonical,
    /// The coordinates do not satisfy the equation of BN254.
    #[error("is not on the curve BN254")]
    NotOnCurve,
    /// A point of the twist outside the subgroup of order r.
    #[error("is not in the prime-order subgroup of G2")]
    NotInSubgroup,
    /// The point at infinity.
    #[error("is the identity")]
    Identity,
    /// The zeroth power is not the standard generator.
    #[error("is not the standard generator")]
    NotGenerator,
    /// The two top bits do not announce a compressed point.
    #[error("has flag bits 00, an uncompressed point, but a compressed one is expected")]
    Uncompressed,
}
