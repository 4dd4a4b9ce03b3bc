//! Scalars of Baby Jubjub in circuit: integers below `l`, batching coefficients, and relations modulo `l`.

mod canonical;
mod coefficient;
mod limbs;
mod relation;
#[cfg(test)]
mod tests;

pub use canonical::AssignedCanonical;
pub use coefficient::{values, Coefficient};
pub use limbs::order;
pub use relation::{
    assert_negated_sum, assert_product, negated_sum, odd_representative, product, MAX_BATCH,
};
