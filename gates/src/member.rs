//! A member that was found in a set.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

/// Cells of a member that was found in a set: its index is a small integer, greater than those of the members found
/// before it.
#[derive(Clone, Copy, Debug)]
pub struct AssignedMember {
    slot: u64,
    offset: AssignedValue<Fr>,
    weight: AssignedValue<Fr>,
}

impl AssignedMember {
    /// A member with the index `slot + offset`. The caller must have proven the invariant of the type, or do so before
    /// giving the member away.
    pub fn assume_found(slot: u64, offset: AssignedValue<Fr>, weight: AssignedValue<Fr>) -> Self {
        Self { slot, offset, weight }
    }

    /// A constant of the circuit that is added to the offset.
    pub fn slot(&self) -> u64 {
        self.slot
    }

    /// Its index, less the slot.
    pub fn offset(&self) -> AssignedValue<Fr> {
        self.offset
    }

    /// Its weight.
    pub fn weight(&self) -> AssignedValue<Fr> {
        self.weight
    }
}
