//! The mask of all other members of a set, in circuit.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::fe_to_biguint,
    AssignedValue, QuantumCell,
    QuantumCell::{Constant, Existing, Witness},
};
use num_traits::ToPrimitive;

use muster_gates::{chain, small::OneHot, GateContext};
use muster_schemes::membership::mask::{SignerMask, MASK_WORD_BITS};

/// Bits of the number of members in the last, partly filled word.
const REST_BITS: usize = 8;
const _: () = assert!(MASK_WORD_BITS <= 1 << REST_BITS, "there is a number for each bit of a word");

/// The words with the bits that `words` lack of the first `members`, in a set with room for `capacity`: for a member
/// with the bit `b` they hold `1 - b`. Whoever shows that they are a mask of members of the set shows that `words` is
/// one too, and that of the others. More `members` than the capacity have no witness.
///
/// # Panics
/// If the number of words is not that of a mask of this capacity.
pub fn complement(
    ctx: &mut GateContext,
    (words, capacity): (&[AssignedValue<Fr>], usize),
    members: AssignedValue<Fr>,
) -> Vec<AssignedValue<Fr>> {
    let count = fe_to_biguint(members.value()).to_usize().unwrap_or(0);
    let full = (count / MASK_WORD_BITS).min(capacity / MASK_WORD_BITS);
    complement_of_hint(ctx, (words, capacity), members, full)
}

/// The same, with a hint of how many words are full.
pub(super) fn complement_of_hint(
    ctx: &mut GateContext,
    (words, capacity): (&[AssignedValue<Fr>], usize),
    members: AssignedValue<Fr>,
    full: usize,
) -> Vec<AssignedValue<Fr>> {
    assert_eq!(words.len(), SignerMask::words_of(capacity), "the words of the set");
    // The word after all full ones, if there is one.
    let last = OneHot::new(ctx, capacity / MASK_WORD_BITS + 1, full);
    let in_full: Vec<_> =
        (0..last.bits().len()).map(|i| -Fr::from((i * MASK_WORD_BITS) as u64)).collect();
    let rest = chain::sum(ctx, Existing(members), &last.constants(&in_full));
    let bits = ctx.gate.num_to_bits(ctx, rest, REST_BITS);
    assert_at_most(ctx, rest, MASK_WORD_BITS - 1);
    assert_at_most(ctx, members, capacity);
    let ones = ones(ctx, &bits);
    let all = Constant(Fr::from(2).pow_vartime([MASK_WORD_BITS as u64]) - Fr::one());
    let minus_one = Constant(-Fr::one());
    // Whether a word is full: whether the last one comes after it.
    let mut is_full = Constant(Fr::one());
    let other = |(word, is_last): (&AssignedValue<Fr>, &AssignedValue<Fr>)| {
        let (word, is_last) = (Existing(*word), Existing(*is_last));
        is_full = Existing(chain::sum(ctx, is_full, &[(minus_one, is_last)]));
        let terms = [(is_full, all), (is_last, Existing(ones)), (minus_one, word)];
        chain::sum(ctx, Constant(Fr::zero()), &terms)
    };
    words.iter().zip(last.bits()).map(other).collect()
}

/// Shows that a small integer is at most `most`, which is far below the modulus.
fn assert_at_most(ctx: &mut GateContext, value: AssignedValue<Fr>, most: usize) {
    let room = Fr::from(most as u64) - value.value();
    assert_room(ctx, value, (room, most));
}

/// The same, with the hint `room` for `most - value`.
pub(super) fn assert_room(
    ctx: &mut GateContext,
    value: AssignedValue<Fr>,
    (room, most): (Fr, usize),
) {
    let room = ctx.range.check(Witness(room), most.ilog2() as usize + 1);
    let (one, most) = (Constant(Fr::one()), Constant(Fr::from(most as u64)));
    chain::assert_sum(ctx, Existing(value), &[(one, Existing(room))], most);
}

/// `2^n - 1` for the number `n` of these bits, the lowest first.
fn ones(ctx: &mut GateContext, bits: &[AssignedValue<Fr>]) -> AssignedValue<Fr> {
    let one: QuantumCell<Fr> = Constant(Fr::one());
    let mut power = one;
    for (i, bit) in bits.iter().enumerate() {
        // `2^(2^i)` where the bit is 1, and 1 where it is 0.
        let more = Fr::from(2).pow_vartime([1 << i]) - Fr::one();
        let factor = chain::sum(ctx, one, &[(Existing(*bit), Constant(more))]);
        power = Existing(ctx.gate.mul(ctx, power, factor));
    }
    ctx.gate.sub(ctx, power, one)
}
