//! Which members of a set signed, as a mask in circuit, and the mask of all others.

#[cfg(test)]
mod tests;

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    utils::fe_to_biguint,
    AssignedValue,
    QuantumCell::{self, Constant, Existing, Witness},
};
use num_traits::ToPrimitive;

use crate::hash::poseidon;
use muster_gates::{
    chain,
    small::{Bit, OneHot, Small},
    vertical, AssignedMember, GateContext,
};
use muster_schemes::{
    hash::poseidon::domain,
    membership::{
        mask::{SignerMask, MASK_WORD_BITS},
        LEAF_MEMBERS,
    },
};

/// Width of the hashed states: that of leaves.
const HASH_WIDTH: usize = LEAF_MEMBERS + 2;
/// Label of the first lane of the transcript.
const ABSORB_DOMAIN: &str = "muster.mask.absorb.v1";
/// Label for stretching a squeeze to more elements, which is not needed here.
const SQUEEZE_DOMAIN: &str = "muster.mask.squeeze.v1";

/// Constrains `words` to be the mask, for a set of this capacity, of those of `members` whose weight is not 0. Their
/// indices must be small integers; that they are distinct follows.
///
/// # Panics
/// If there is no member, or the number of words is not that of a mask of this capacity.
pub fn assert_mask(
    ctx: &mut GateContext,
    (words, capacity): (&[AssignedValue<Fr>], usize),
    members: &[AssignedMember],
) {
    assert_eq!(words.len(), SignerMask::words_of(capacity), "the words of the set");
    let numbers: Vec<_> = members.iter().map(|member| number(ctx, capacity, member)).collect();
    let challenge = challenge(ctx, words, &numbers);
    let signed = numbers.iter().map(|number| (number.cell(), challenge)).collect::<Vec<_>>();
    let mut named = Vec::with_capacity(capacity);
    // A member's number times the challenge.
    let mut multiple = challenge;
    for (i, word) in words.iter().enumerate() {
        let bits = MASK_WORD_BITS.min(capacity - i * MASK_WORD_BITS);
        for bit in ctx.gate.num_to_bits(ctx, *word, bits) {
            if !named.is_empty() {
                multiple = ctx.gate.add(ctx, multiple, challenge);
            }
            named.push((bit, multiple));
        }
    }
    let [signed, named] = [signed, named].map(|factors| product(ctx, &factors));
    vertical::assert_equal(ctx, &signed, &named);
}

/// The index of a member plus 1, or 0 if its weight is 0. It has few enough bits for several to fit an element.
fn number(ctx: &mut GateContext, capacity: usize, member: &AssignedMember) -> Small {
    let used = Existing(Bit::is_not_zero(ctx, member.weight()).cell());
    let first = Constant(Fr::from(member.slot() + 1));
    let terms = [(used, Existing(member.offset())), (used, first)];
    let number = chain::sum(ctx, Constant(Fr::zero()), &terms);
    Small::checked(ctx.range, number, capacity.ilog2() as usize + 1)
}

/// An element that depends on all words and all numbers.
fn challenge(
    ctx: &mut GateContext,
    words: &[AssignedValue<Fr>],
    numbers: &[Small],
) -> AssignedValue<Fr> {
    let bits = numbers.iter().map(Small::bits).max().expect("there is a member");
    let shift = |i: usize| Constant(Fr::from(2).pow_vartime([(bits * i) as u64]));
    let mut elements = words.to_vec();
    // The packed sum is below the modulus, so the element stands for one sequence of numbers.
    for packed in numbers.chunks(Fr::CAPACITY as usize / bits) {
        let above = packed.iter().enumerate().skip(1);
        let above: Vec<_> = above.map(|(i, number)| (Existing(number.cell()), shift(i))).collect();
        elements.push(chain::sum(ctx, Existing(packed[0].cell()), &above));
    }
    let domains = (domain(ABSORB_DOMAIN), domain(SQUEEZE_DOMAIN));
    poseidon::squeeze(ctx.chips.poseidon(HASH_WIDTH), domains, &elements, 1)[0]
}

/// `Π (1 + a·b)`.
fn product(
    ctx: &mut GateContext,
    factors: &[(AssignedValue<Fr>, AssignedValue<Fr>)],
) -> AssignedValue<Fr> {
    let mut product = None;
    for (a, b) in factors {
        let factor = ctx.gate.mul_add(ctx, *a, *b, Constant(Fr::one()));
        product = Some(match product {
            Some(product) => ctx.gate.mul(ctx, product, factor),
            None => factor,
        });
    }
    product.expect("there is a factor")
}

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
