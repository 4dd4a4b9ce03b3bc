//! Bounds of a layout that anybody may have written.

use super::ForeignLayout;
use crate::field::foreign::format::{MAX_GROUP, MAX_MODULUS_BITS};

/// Most columns, carries and bits of what is range-checked: what makes layouts stays far below.
const MAX_COLUMNS: usize = 64;
const MAX_CARRIES: usize = 64;
const MAX_BITS: usize = 1 << 10;
/// Most bits of a lookup.
const MAX_LOOKUP_BITS: usize = 28;

impl ForeignLayout {
    /// Whether the columns of the gate can be made, with lookups of `lookup_bits` bits: there are
    /// limbs, and few of everything. Whether relations are sound with them is for those who make
    /// keys.
    pub fn is_sound(&self, lookup_bits: usize) -> bool {
        (1..=MAX_LOOKUP_BITS).contains(&lookup_bits)
            && (1..=MAX_COLUMNS).contains(&self.columns)
            && (1..=MAX_MODULUS_BITS).contains(&self.element_bits)
            && (1..self.element_bits).contains(&self.limb_bits)
            && self.limb_bits.is_multiple_of(lookup_bits)
            && (1..=MAX_GROUP).contains(&self.group)
            && (1..=MAX_BITS).contains(&self.quotient_bits)
            && (1..=MAX_BITS).contains(&self.carry_bits)
            && (1..=MAX_CARRIES).contains(&self.carries)
    }
}
