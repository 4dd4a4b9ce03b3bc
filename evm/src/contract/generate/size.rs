//! What is written as straight code, and what by loops: a contract may not be long.

use super::super::protocol::Protocol;

/// More rotations than these are looped over.
const ROTATIONS: usize = 32;
/// More commitments than these are looped over.
const COMMITMENTS: usize = 48;

/// Whether a protocol has more rotations than straight code has room for.
pub(super) fn is_long(protocol: &Protocol) -> bool {
    protocol.rotations().len() > ROTATIONS
}

/// Whether a protocol has more commitments than straight code has room for.
pub(super) fn has_many(protocol: &Protocol) -> bool {
    protocol.sets.iter().map(|set| set.polys.len()).sum::<usize>() > COMMITMENTS
}
