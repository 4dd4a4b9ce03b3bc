//! Numbers in limbs as words of another length, which hashes read and return.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;
use num_traits::One;

use super::{
    halves::{below, power},
    integer::element,
};
use muster_gates::{
    chain,
    foreign::{AssignedLimbs, ForeignChip},
    vertical, GateContext,
};

/// A cell below `2^width`, and that width.
pub type Limb = (AssignedValue<Fr>, usize);

/// A cell and the place of its lowest bit.
type Piece = (AssignedValue<Fr>, usize);

/// The limbs of a number, with their widths.
pub(crate) fn limbs(number: &AssignedLimbs) -> Vec<Limb> {
    number.limbs().iter().copied().zip(number.shape().widths()).collect()
}

/// The words of `bits` bits of the number that consecutive limbs make, the lowest first. Each is below
/// `2^bits`, and the last one is as short as the number.
pub fn words(ctx: &mut GateContext, limbs: &[Limb], bits: usize) -> Vec<AssignedValue<Fr>> {
    let words = cut(ctx, limbs, bits);
    words
        .into_iter()
        .map(|pieces| match &pieces[..] {
            [(whole, 0)] => *whole,
            pieces => chain::sum(ctx, Constant(Fr::zero()), &terms(pieces)),
        })
        .collect()
}

/// The words of `bits` bits of several numbers that stand `stride` bits apart, the lowest first, with `above` added to
/// the last one at bit `bits`. Each but the last is below `2^bits`.
///
/// # Panics
/// If a number has as many bits as the stride (the top limb of one outside a block may be a little longer), or if a
/// word with `above` would wrap around the field.
pub fn words_apart(
    ctx: &mut GateContext,
    (numbers, stride): (&[Vec<Limb>], usize),
    bits: usize,
    (above, width): Limb,
) -> Vec<AssignedValue<Fr>> {
    assert!(bits + width <= Fr::CAPACITY as usize, "no word wraps");
    let mut words = vec![];
    for (i, limbs) in numbers.iter().enumerate() {
        let length: usize = limbs.iter().map(|(_, width)| width).sum();
        assert!(length < stride, "numbers do not overlap");
        cut_into(ctx, (limbs, i * stride), bits, &mut words);
    }
    words.last_mut().expect("there is a number").push((above, bits));
    let sum = |pieces: Vec<Piece>| match &pieces[..] {
        [(first, 0), above @ ..] => chain::sum(ctx, Existing(*first), &terms(above)),
        pieces => chain::sum(ctx, Constant(Fr::zero()), &terms(pieces)),
    };
    words.into_iter().map(sum).collect()
}

/// The number that the words `given`, each below `2^bits`, make, the lowest first, as elements of whole
/// limbs: each element but the last holds as many bits as its whole limbs have, and the limbs above are
/// 0.
///
/// The caller must know that the last word is below `2^bits`. For the others there is no witness if they are not; but
/// the last one ends in a limb that may be shorter than others, and here this limb only has the range of a whole one.
///
/// The words are sums of pieces of the limbs, and no sum wraps around the native field, so the elements make the
/// number that the words make: `Σ elementᵢ·2^(b·i)` for the `b` of [`element_bits`].
pub fn elements(
    ctx: &mut GateContext,
    chip: &ForeignChip,
    given: &[AssignedValue<Fr>],
    bits: usize,
) -> Vec<AssignedLimbs> {
    let number = given
        .iter()
        .rev()
        .fold(BigUint::ZERO, |number, word| (number << bits) + fe_to_biguint(word.value()));
    let (total, each) = (bits * given.len(), element_bits(chip));
    let mask = (BigUint::one() << each) - 1u8;
    let count = total.div_ceil(each);
    let hints: Vec<_> = (0..count).map(|i| (&number >> (each * i)) & &mask).collect();
    elements_of_hint(ctx, chip, (given, bits), &hints)
}

/// The same with hints of the elements.
pub(super) fn elements_of_hint(
    ctx: &mut GateContext,
    chip: &ForeignChip,
    (given, bits): (&[AssignedValue<Fr>], usize),
    hints: &[BigUint],
) -> Vec<AssignedLimbs> {
    let (total, each) = (bits * given.len(), element_bits(chip));
    let elements: Vec<_> = hints.iter().map(|hint| element(chip, hint)).collect();
    let limb_bits = chip.block().format().limb_bits();
    let (mut limbs, mut rest) = (vec![], total);
    for element in &elements {
        for (i, limb) in element.limbs().iter().enumerate() {
            let width = if i < each / limb_bits { rest.min(limb_bits) } else { 0 };
            if width > 0 {
                limbs.push((*limb, width));
            } else {
                let zero = vertical::load_zero(ctx);
                vertical::assert_equal(ctx, limb, &zero);
            }
            rest -= width;
        }
    }
    for (pieces, word) in cut(ctx, &limbs, bits).iter().zip(given) {
        match &pieces[..] {
            [(whole, 0)] => vertical::assert_equal(ctx, whole, word),
            pieces => {
                let zero = Constant(Fr::zero());
                chain::assert_sum(ctx, zero, &terms(pieces), Existing(*word));
            }
        }
    }
    elements
}

/// Bits of the whole limbs of an element.
pub fn element_bits(chip: &ForeignChip) -> usize {
    let format = chip.block().format();
    format.element_bits() / format.limb_bits() * format.limb_bits()
}

fn terms(pieces: &[Piece]) -> Vec<chain::Term> {
    pieces.iter().map(|(piece, place)| (Existing(*piece), Constant(power(*place)))).collect()
}

/// For each word, the pieces of limbs that lie in it.
fn cut(ctx: &mut GateContext, limbs: &[Limb], bits: usize) -> Vec<Vec<Piece>> {
    let mut words = vec![];
    cut_into(ctx, (limbs, 0), bits, &mut words);
    words
}

/// The same for limbs that begin at bit `start`.
fn cut_into(
    ctx: &mut GateContext,
    (limbs, mut start): (&[Limb], usize),
    bits: usize,
    words: &mut Vec<Vec<Piece>>,
) {
    for (limb, width) in limbs {
        let mut widths = vec![];
        let mut left = *width;
        while left > 0 {
            let used: usize = widths.iter().sum();
            let width = left.min(bits - (start + used) % bits);
            widths.push(width);
            left -= width;
        }
        for (piece, width) in split(ctx, *limb, &widths).into_iter().zip(widths) {
            if words.len() <= start / bits {
                words.resize(start / bits + 1, vec![]);
            }
            words[start / bits].push((piece, start % bits));
            start += width;
        }
    }
}

/// The pieces of a limb, the lowest first. All but the highest are exactly as short as their widths, so
/// there is one way to split a limb, and the highest piece is as short as the limb.
fn split(
    ctx: &mut GateContext,
    limb: AssignedValue<Fr>,
    widths: &[usize],
) -> Vec<AssignedValue<Fr>> {
    let mut rest = fe_to_biguint(limb.value());
    let hint = |width: &usize| {
        let piece = &rest & ((BigUint::one() << *width) - 1u8);
        rest >>= *width;
        piece
    };
    let hints: Vec<_> = widths.iter().map(hint).collect();
    split_of_hint(ctx, limb, widths, &hints)
}

/// The same with hints of the pieces.
pub(super) fn split_of_hint(
    ctx: &mut GateContext,
    limb: AssignedValue<Fr>,
    widths: &[usize],
    hints: &[BigUint],
) -> Vec<AssignedValue<Fr>> {
    let mut hinted = hints.iter().map(|hint| Witness(biguint_to_fe(hint)));
    let (Some((top, lower)), Some(highest), true) =
        (widths.split_last(), hinted.next_back(), widths.len() > 1)
    else {
        return vec![limb];
    };
    let mut pieces: Vec<_> =
        lower.iter().zip(hinted).map(|(width, hint)| below(ctx, hint, *width)).collect();
    pieces.push(ctx.range.check(highest, *top));
    let place = |i: usize| widths[..i].iter().sum();
    let placed: Vec<_> =
        pieces.iter().enumerate().skip(1).map(|(i, piece)| (*piece, place(i))).collect();
    chain::assert_sum(ctx, Existing(pieces[0]), &terms(&placed), Existing(limb));
    pieces
}

/// Packs the limbs of all elements, in order, into as few native field elements as hold them.
pub(crate) fn pack(ctx: &mut Context<Fr>, elements: &[&AssignedLimbs]) -> Vec<AssignedValue<Fr>> {
    let room = Fr::CAPACITY as usize;
    let (mut packed, mut terms, mut used) = (vec![], vec![], 0);
    let mut flush = |ctx: &mut Context<Fr>, terms: &mut Vec<chain::Term>| {
        if !terms.is_empty() {
            packed.push(chain::sum(ctx, Constant(Fr::zero()), terms));
            terms.clear();
        }
    };
    for element in elements {
        for (limb, width) in element.limbs().iter().zip(element.shape().widths()) {
            if used + width > room {
                flush(ctx, &mut terms);
                used = 0;
            }
            terms.push((Existing(*limb), Constant(power(used))));
            used += width;
        }
    }
    flush(ctx, &mut terms);
    packed
}
