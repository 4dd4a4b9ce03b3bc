//! What the light client bounds.

/// Bits of a total weight, as the circuit and the light client have them.
pub const TOTAL_WEIGHT_BITS: u32 = 60;
