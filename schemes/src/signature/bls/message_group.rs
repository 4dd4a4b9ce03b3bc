//! The groups whose points may be messages.

use std::fmt;

use num_bigint::BigUint;

use crate::curve::pairing::PairingCurve;

/// Bits of the words that a public point is split into.
pub const POINT_WORD_BITS: usize = 128;
/// Bytes of each.
pub(super) const WORD_BYTES: usize = POINT_WORD_BITS / 8;
/// Coordinates of a point.
const COORDINATES: usize = 2;

/// A group of a pairing whose points may be messages: that of signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageGroup {
    curve: PairingCurve,
    parts: usize,
}

impl MessageGroup {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::new(PairingCurve::Bn254, 1),
        Self::new(PairingCurve::Bn254, 2),
        Self::new(PairingCurve::Bls12381, 1),
        Self::new(PairingCurve::Bls12381, 2),
    ];

    /// The group of a curve by the number of parts of a coordinate: 1 in G1, 2 in G2.
    pub(super) const fn new(curve: PairingCurve, parts: usize) -> Self {
        Self { curve, parts }
    }

    /// The curve.
    pub fn curve(self) -> PairingCurve {
        self.curve
    }

    /// Whether it is G2, on the twist.
    pub fn is_on_twist(self) -> bool {
        self.parts == 2
    }

    /// Words of each number, which has as many bits as the prime: 254 or 381.
    pub(super) const fn words(self) -> usize {
        match self.curve {
            PairingCurve::Bn254 => 2,
            PairingCurve::Bls12381 => 3,
        }
    }

    /// Public inputs that a point takes.
    pub const fn inputs(self) -> usize {
        COORDINATES * self.parts * self.words()
    }

    /// Bytes of a point's coordinates, in whole words.
    pub const fn bytes(self) -> usize {
        self.inputs() * WORD_BYTES
    }

    /// The group whose points take this many public inputs; no two groups take as many.
    pub(crate) fn with_inputs(inputs: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.inputs() == inputs)
    }

    /// Encodes the numbers that coordinates consist of, given with real parts before imaginary ones, as big-endian
    /// bytes with imaginary parts first: the order of EIP-197 and, over BLS12-381, of the uncompressed encoding.
    pub(super) fn encode(self, numbers: &[BigUint]) -> Vec<u8> {
        let length = self.words() * WORD_BYTES;
        let padded = |number: &BigUint| {
            let bytes = number.to_bytes_be();
            [vec![0; length - bytes.len()], bytes].concat()
        };
        numbers.chunks(self.parts).flat_map(|parts| parts.iter().rev().flat_map(padded)).collect()
    }

    /// Reads [`Self::encode`].
    pub(super) fn decode(self, bytes: &[u8]) -> Vec<BigUint> {
        let numbers: Vec<_> =
            bytes.chunks(self.words() * WORD_BYTES).map(BigUint::from_bytes_be).collect();
        numbers.chunks(self.parts).flat_map(|parts| parts.iter().rev().cloned()).collect()
    }
}

impl fmt::Display for MessageGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "G{} of {}", self.parts, self.curve)
    }
}
