//! What is signed, and the check of a signature on it by a key.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

use crate::{
    curve::pairing::{AssignedGroupPoint, PairingEquations},
    field::foreign::{
        integer::Integer,
        regroup::{limbs, words},
    },
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation},
    vertical, GateContext,
};
use muster_schemes::{curve::pairing::PairingCurve, signature::bls::POINT_WORD_BITS};

/// The equations of signatures over a curve. [Hashes](super::PointGroup::hash_equations) need theirs besides.
pub fn equations(curve: PairingCurve) -> Vec<Equation> {
    let mut all = PairingEquations::new(curve).all();
    all.extend(AssignedGroupPoint::equations(curve));
    all.push(Integer::any());
    all
}

/// A key, the point that its owner signed, and the signature.
///
/// The key and the signature may be sums: of keys, and of signatures on one message. Whoever adds keys up must make
/// sure, by proofs of possession, that somebody knows the secret of each.
#[derive(Clone, Debug)]
pub struct AssignedSigned<K, P> {
    /// The key.
    pub key: K,
    /// What the message was hashed to.
    pub message: MessagePoint<P>,
    /// The signature.
    pub signature: P,
}

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
