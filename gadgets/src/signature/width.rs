//! The permutation of the schemes.

/// Width of the permutation for the challenges, the leaves, MuSig's list and the transcript.
pub const HASH_WIDTH: usize = 6;
