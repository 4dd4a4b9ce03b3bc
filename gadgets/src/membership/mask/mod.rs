//! Which members of a set signed, as a mask in circuit.

pub mod complement;
#[cfg(test)]
mod tests;

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    AssignedValue,
    QuantumCell::{Constant, Existing},
};

use crate::hash::poseidon;
use muster_gates::{
    chain,
    small::{Bit, Small},
    vertical, AssignedMember, GateContext,
};
use muster_schemes::membership::mask::{SignerMask, MASK_WORD_BITS};
use muster_schemes::{hash::poseidon::domain, membership::LEAF_MEMBERS};

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
