//! The columns of a lane, and keys of the lookup.

/// Advice columns of a lane, and the place of each.
pub(super) const WIDTH: usize = 6;
pub(super) const X1: usize = 0;
pub(super) const Y1: usize = 1;
pub(super) const X2: usize = 2;
pub(super) const Y2: usize = 3;
pub(super) const TAU: usize = 4;
pub(super) const SUM: usize = 5;

/// Rows from an accumulator to the next one of its window.
pub(super) const STRIDE: usize = 64;
/// Key of member 0 of a set in the lookup; keys of tables are smaller.
pub(super) const MEMBER_BASE: u64 = 1 << 32;
