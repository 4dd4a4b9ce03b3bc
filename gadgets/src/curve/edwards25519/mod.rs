//! Points of edwards25519 (RFC 8032, section 5.1) in circuit, from their encodings to the Weierstrass form that sums are made of.

mod encoding;
mod equations;
#[cfg(test)]
#[path = "../../../../schemes/src/curve/edwards25519/tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

pub use encoding::{AssignedEncoding, RawEncoding};
pub use equations::{AssignedRoot, Edwards25519Equations};

/// The demands on an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Demands {
    /// Whether y is below p, and the sign of x = 0 is 0 (RFC 8032, section 5.1.3). Otherwise any y below
    /// 2^255 is taken modulo p, and both signs (ZIP 215).
    pub canonical: bool,
    /// Which points are accepted.
    pub torsion: Torsion,
}

/// Which points of the curve are accepted. The identity and the point of order 2 cannot be in a sum: one
/// has no coordinates in Weierstrass form, the other cannot be doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Torsion {
    /// All but these two.
    Kept,
    /// All: the prover may put the difference of the point and one of order 4 into sums. No
    /// equation that is multiplied by the cofactor can tell.
    Moved,
    /// Those in the group of the generator, without the identity.
    Excluded,
}
