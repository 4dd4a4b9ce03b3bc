//! halo2-ecc's [`FieldChip`](halo2_ecc::fields::FieldChip) over Muster's gate for foreign primes,
//! so that its generic curve code can be run over both and compared.
//!
//! halo2-ecc's own `FpChip` keeps unreduced elements as limbs that have grown, and reduces them
//! when told to. Our gate has none: limbs have their ranges, and every result is reduced to the
//! prime's bits where it is made. So an [`Element`] is also the unreduced type, each operation is
//! one relation, and `carry_mod` has nothing to do. What makes our own curve code cheap, several
//! operations in one relation over the results above, is lost: a chord addition is nine relations
//! here, and three there.
//!
//! Cells of advice (what `FpChip` looks up is copied, and counted with its copy) and numbers looked
//! up, on secp256k1 with lookups of 16 bits, three limbs of 88 bits in `FpChip` and windows of four
//! bits in both; a test keeps the table:
//!
//! | halo2-ecc's generic code | over its `FpChip` | over our gate |
//! |---|---|---|
//! | `add_unequal` | 1115, 174 | 567, 369 |
//! | `add_unequal`, strict | 1421, 216 | 749, 451 |
//! | `double` | 1140, 174 | 630, 410 |
//! | `scalar_mult`, 16 bits | 56,685, 8,195 | 34,425, 18,491 |
//! | `scalar_mult`, 256 bits | 442,664, 62,915 | 282,044, 148,871 |
//! | `fixed_base_scalar_mult`, 256 bits | 136,143, 14,255 | 241,514, 119,064 |
//!
//! What the trait's shape costs, and what is not there:
//!
//! * A `FieldChip` is `Clone + Send + Sync`, and our chips record behind `RefCell`s. The chip here
//!   holds a mutex of all [`Gates`], and [`record`] takes the context out of them meanwhile. Work
//!   must be recorded by one thread: the order of relations decides on the key.
//!   `EccChip::variable_base_msm` and `fixed_base_msm` need the thread pool, which [`Gates`] keep
//!   to themselves; `multi_scalar_multiply` and `fixed_base::scalar_multiply` are what they call.
//! * A constant takes a relation, since only the gate makes limbs; so does a selection by an
//!   indicator.
//! * `is_soft_nonzero` refuses numbers that are not below the prime, as the trait demands; `FpChip`
//!   returns 0 for them.
//! * `ecdsa_verify_no_pubkey_check` names `FpChip` and takes no other chip.
//! * `Fp2Chip` and the like need `PrimeFieldChip`, whose limbs are `FpChip`'s; it is not
//!   implemented.

use std::{
    mem,
    sync::{Mutex, PoisonError},
};

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{modulus, BigPrimeField},
    Context,
};
use muster_gadgets::field::foreign::chip::ForeignField;
use muster_gates::{foreign::ForeignLayout, Gates, Layout};

mod chip;
mod range;
#[cfg(test)]
mod tests;

pub use chip::{Element, Foreign, Reduced};
pub use range::Range;

/// The gate of foreign primes for all that is recorded over `Fp`, with lookups of `lookup_bits` bits
/// in `columns` columns.
pub fn foreign_layout<Fp: BigPrimeField>(lookup_bits: usize, columns: usize) -> ForeignLayout {
    let p = modulus::<Fp>();
    let mut equations = ForeignField::new(&p).all();
    equations.extend(chip::equations(&p));
    ForeignLayout::new(&modulus::<Fr>(), lookup_bits, columns, &equations)
}

/// Records what `build` does with a context and the chip over `Fp`, with all constraints.
pub fn record<Fp: BigPrimeField>(
    layout: &Layout,
    build: impl FnOnce(&mut Context<Fr>, &Foreign<Fp>),
) -> Gates {
    let mut gates = Gates::new(layout, false);
    let mut inside = gates.context();
    let (tag, id, copies) = (inside.type_id(), inside.id(), inside.copy_manager.clone());
    // Nobody records to the context that stands in.
    let stand_in = Context::new(inside.witness_gen_only(), inside.phase(), tag, id, copies);
    let mut ctx = mem::replace(&mut **inside, stand_in);
    let gates = Mutex::new(gates);
    build(&mut ctx, &Foreign::new(&gates));
    let mut gates = gates.into_inner().unwrap_or_else(PoisonError::into_inner);
    **gates.context() = ctx;
    gates
}
