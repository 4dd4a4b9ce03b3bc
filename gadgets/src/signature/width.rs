//! The permutation of the schemes.

/// Permutation of the challenges, of the leaves, of MuSig's list and of the transcript.
pub const HASH_WIDTH: usize = 6;
