//! The points that messages are hashed to.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

use crate::field::foreign::regroup::{limbs, words};
use muster_gates::{foreign::AssignedLimbs, vertical, GateContext};
use muster_schemes::signature::bls::POINT_WORD_BITS;

/// The point that is signed: the hash of a message, or a public point, which whoever reads the public inputs must know
/// to be such a hash. No other point will do: on a point whose logarithm they know, others than the owner of a key may
/// have signatures by it.
#[derive(Clone, Debug)]
pub struct MessagePoint<P>(pub(super) P);

impl<P> MessagePoint<P> {
    /// The point.
    pub fn point(&self) -> &P {
        &self.0
    }
}

/// Constrains public cells to hold the words of numbers.
pub(super) fn assert_public(
    ctx: &mut GateContext,
    numbers: &[&AssignedLimbs],
    public: &[AssignedValue<Fr>],
) {
    let mut cells = vec![];
    for number in numbers {
        let mut words = words(ctx, &limbs(number), POINT_WORD_BITS);
        words.reverse();
        cells.extend(words);
    }
    assert_eq!(cells.len(), public.len(), "a cell a word");
    for (cell, public) in cells.iter().zip(public) {
        vertical::assert_equal(ctx, cell, public);
    }
}
