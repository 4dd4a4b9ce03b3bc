//! The rule that a key or a signature breaks.

/// What is wrong with a key or a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlsError {
    /// Bytes whose length is not that of an encoding.
    #[error("{found} bytes, not {expected}")]
    Length {
        /// The encoding's length.
        expected: usize,
        /// The length found.
        found: usize,
    },
    /// Bytes that do not encode a point of the curve.
    #[error("not the encoding of a point of the curve")]
    NotOnCurve,
    /// A point outside the group of prime order.
    #[error("the point is not in the subgroup")]
    NotInSubgroup,
    /// The point at infinity.
    #[error("the point is the identity")]
    Identity,
    /// The signature is not one on the message by the key.
    #[error("the signature is not by this key on this message")]
    Equation,
    /// A secret that is zero or not below the order.
    #[error("the secret is zero or not below the order of the group")]
    BadSecret,
}
