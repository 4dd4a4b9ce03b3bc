//! The running state that challenges come from. Section 5 of the specification.

use sha3::{Digest, Keccak256};

use crate::{encoding::scalar_reduced, Scalar};

/// What the state is the hash of before anything is absorbed, in each format.
const FAST: &[u8] = b"muster-fast-keccak256-1";
const COMPACT: &[u8] = b"muster-compact-keccak256-1";

/// The Keccak-256 of the joined pieces.
pub(crate) fn hash(pieces: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Keccak256::new();
    for piece in pieces {
        hasher.update(piece);
    }
    hasher.finalize().into()
}

/// A running hash of all that prover and verifier have said, from which challenges are squeezed.
///
/// Whoever makes a proof absorbs and squeezes in the order of section 5 of the specification, or of section 12 in the
/// format `compact`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript([u8; 32]);

impl Transcript {
    /// The state at the start of a proof of the format `fast`: step 1 of section 5.
    pub fn new() -> Self {
        Self(hash(&[FAST]))
    }

    /// The state at the start of a proof of the format `compact`.
    pub fn compact() -> Self {
        Self(hash(&[COMPACT]))
    }

    /// Takes in an item. The key fixes how long it is, so nothing marks its end.
    pub fn absorb(&mut self, item: &[u8]) {
        self.0 = hash(&[&self.0, &[0], item]);
    }

    /// A challenge. It changes the state, so that no two are equal.
    pub fn squeeze(&mut self) -> Scalar {
        self.0 = hash(&[&self.0, &[1]]);
        scalar_reduced(&self.0)
    }

    /// The state.
    pub fn state(&self) -> [u8; 32] {
        self.0
    }
}

impl Default for Transcript {
    fn default() -> Self {
        Self::new()
    }
}
