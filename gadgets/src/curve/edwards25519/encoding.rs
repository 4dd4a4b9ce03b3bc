//! Encodings in circuit.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;

use super::{equations::AssignedRoot, Demands, Edwards25519Equations, RawEncoding, Torsion};
use crate::{
    curve::weierstrass::{chip_of, AssignedPoint},
    field::foreign::{halves::power, integer::assert_at_most, regroup},
};
use muster_gates::{
    chain,
    foreign::{AssignedLimbs, ForeignChip, Operand::Element},
    GateContext,
};
use muster_schemes::curve::edwards25519::{root_of_minus_one, Coordinates, CURVE, Y_BITS};

/// Bits of a word of SHA-512.
const WORD: usize = 64;
/// Words of an encoding.
const WORDS: usize = 4;

/// 32 bytes that are an encoding of a point, as its [`Demands`] say.
#[derive(Clone, Debug)]
pub struct AssignedEncoding {
    point: AssignedPoint,
    words: [AssignedValue<Fr>; WORDS],
}

impl AssignedEncoding {
    /// Witnesses an encoding and the point that enters sums.
    pub fn new(
        ctx: &mut GateContext,
        equations: (&Edwards25519Equations, &AssignedRoot),
        raw: &RawEncoding,
        demands: Demands,
    ) -> Self {
        let (point, [x, y]) = numbers(ctx, equations, raw, demands);
        let sign = lowest_bit(ctx, &x);
        let mut words = regroup::words(ctx, &regroup::limbs(&y), WORD);
        let top = &mut words[WORDS - 1];
        let sign = [(Existing(sign), Constant(power(Y_BITS % WORD)))];
        *top = chain::sum(ctx, Existing(*top), &sign);
        Self { point, words: words.try_into().expect("255 bits are four words") }
    }

    /// The point of sums, in Weierstrass form.
    pub fn point(&self) -> &AssignedPoint {
        &self.point
    }

    /// The bytes, as little-endian words of 64 bits.
    pub fn words(&self) -> &[AssignedValue<Fr>; WORDS] {
        &self.words
    }

    /// The high and the low half of the bytes as a little-endian number.
    pub fn halves(&self, ctx: &mut Context<Fr>) -> [AssignedValue<Fr>; 2] {
        let [a, b, c, d] = self.words;
        [[c, d], [a, b]].map(|[low, high]| {
            chain::sum(ctx, Existing(low), &[(Existing(high), Constant(power(WORD)))])
        })
    }
}

/// The point of sums, and the numbers x and y of the encoding. They follow from the point modulo p; elements
/// have 255 bits, so y is the number of an encoding without its top bit.
pub(super) fn numbers(
    ctx: &mut GateContext,
    (equations, root): (&Edwards25519Equations, &AssignedRoot),
    raw: &RawEncoding,
    demands: Demands,
) -> (AssignedPoint, [AssignedLimbs; 2]) {
    let chip = chip_of(ctx.chips, CURVE);
    let doublings = match demands.torsion {
        Torsion::Excluded => CURVE.cofactor_bits(),
        Torsion::Kept | Torsion::Moved => 0,
    };
    let point = AssignedPoint::doubled(chip, &equations.weierstrass, &raw.point, doublings);
    let coordinates = coordinates(chip, equations, &point, raw.base());
    let [x, y] = match demands.torsion {
        Torsion::Moved => moved(ctx, chip, (equations, root), coordinates, raw),
        Torsion::Kept | Torsion::Excluded => coordinates,
    };
    // Up to p, x = 0 has the numbers 0 and p, which is odd, and any other x has one number: 0 can have both
    // signs, any other x only one.
    let p = CURVE.p();
    let top = if demands.canonical { p - 1u8 } else { p.clone() };
    assert_at_most(chip, &x, &top);
    if demands.canonical {
        assert_at_most(chip, &y, &top);
    }
    (point, [x, y])
}

/// x and y of a point in Weierstrass form. Both are determined: `u = -1` has no point, and a point of order 2
/// has no double, hence no table.
fn coordinates(
    chip: &ForeignChip,
    equations: &Edwards25519Equations,
    point: &AssignedPoint,
    hints: Coordinates,
) -> [AssignedLimbs; 2] {
    let [first, second] = point.coordinates();
    let y = chip.relate(&equations.y, &[Element(first)], &hints.1);
    let x = chip.relate(&equations.x, &[Element(second), Element(first)], &hints.0);
    [x, y]
}

/// `(x, y)` or, if the prover says so, `(i·y, i·x)`: the sum of the point and one of order 4.
fn moved(
    ctx: &mut GateContext,
    chip: &ForeignChip,
    (equations, root): (&Edwards25519Equations, &AssignedRoot),
    [x, y]: [AssignedLimbs; 2],
    raw: &RawEncoding,
) -> [AssignedLimbs; 2] {
    let times = |number: &AssignedLimbs, whole: &BigUint| {
        let product = number.value() * root_of_minus_one() % CURVE.p();
        let hint = if raw.moved { whole } else { &product };
        chip.relate(&equations.multiply, &[Element(number), Element(root.limbs())], hint)
    };
    let (other_x, other_y) = (times(&y, &raw.x), times(&x, &raw.y));
    let bit = ctx.load_witness(Fr::from(u64::from(raw.moved)));
    [(other_x, x), (other_y, y)].map(|(other, own)| chip.select(ctx, bit, &other, &own))
}

/// The lowest bit of an element's number.
fn lowest_bit(ctx: &mut GateContext, element: &AssignedLimbs) -> AssignedValue<Fr> {
    let number = fe_to_biguint(element.limbs()[0].value());
    let hints = [Fr::from(u64::from(number.bit(0))), biguint_to_fe(&(number >> 1u8))];
    lowest_bit_of_hint(ctx, element, hints)
}

/// The same with hints of the bit and of the lowest limb without it: a bit and a short half make the limb in one
/// way only. A half in whole lookups is short enough, since twice as much does not wrap.
pub(super) fn lowest_bit_of_hint(
    ctx: &mut GateContext,
    element: &AssignedLimbs,
    [bit, half]: [Fr; 2],
) -> AssignedValue<Fr> {
    let (limb, bits) = (element.limbs()[0], element.shape().limb_bits - 1);
    let bit = ctx.load_witness(bit);
    ctx.gate.assert_bit(ctx, bit);
    let half = ctx.range.check(Witness(half), bits);
    let doubled = [(Constant(Fr::from(2)), Existing(half))];
    chain::assert_sum(ctx, Existing(bit), &doubled, Existing(limb));
    bit
}
