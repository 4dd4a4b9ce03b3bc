//! Encodings in circuit.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;
use num_traits::Zero;

use super::{equations::AssignedRoot, Demands, Edwards25519Equations, Torsion};
use crate::{
    curve::weierstrass::{chip_of, AssignedPoint},
    field::foreign::{halves::power, integer::assert_at_most, regroup},
};
use muster_gates::{
    chain,
    foreign::{AssignedLimbs, ForeignChip, Operand::Element},
    GateContext,
};
use muster_schemes::curve::{
    edwards25519::{decode, parts, root_of_minus_one, to_weierstrass, Coordinates, CURVE, Y_BITS},
    weierstrass::Affine,
};

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

/// An encoding and the points that stand for it. None of it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawEncoding {
    /// The number of the encoding without its top bit.
    pub y: BigUint,
    /// x, whose lowest bit is the top bit of the encoding: p for x = 0 with the sign 1.
    pub x: BigUint,
    /// The point of sums in Weierstrass form or, if that is to be in the group of the generator, the
    /// point that gives it when doubled three times.
    pub point: (BigUint, BigUint),
    /// Whether a point of order 4 is added to that of sums.
    pub moved: bool,
}

impl RawEncoding {
    /// The hints for an encoding. `None` if it encodes no point, or one that [`Torsion::Kept`] does not
    /// accept. Nothing else is checked here: the circuit refuses what breaks the demands.
    pub fn new(encoding: &[u8; 32], demands: Demands) -> Option<Self> {
        let (y, sign) = parts(encoding);
        let decoded = decode(encoding)?;
        let moved = demands.torsion == Torsion::Moved && decoded.0.is_zero();
        let x = if decoded.0.is_zero() && sign { CURVE.p().clone() } else { decoded.0.clone() };
        let base = if moved { back(&decoded) } else { decoded };
        let point = to_weierstrass(&base);
        let point = match demands.torsion {
            Torsion::Excluded => eighth(&point),
            Torsion::Kept | Torsion::Moved => point,
        };
        Some(Self { y, x, point: point?, moved })
    }

    /// The coordinates of the point of sums: those of the encoding, unless it was moved.
    pub(super) fn base(&self) -> Coordinates {
        if self.moved {
            back(&(self.x.clone(), self.y.clone()))
        } else {
            (self.x.clone(), self.y.clone())
        }
    }
}

/// The point that is moved to this one.
fn back((x, y): &Coordinates) -> Coordinates {
    let p = CURVE.p();
    let root = p - root_of_minus_one();
    (&root * y % p, root * x % p)
}

/// The eighth of a point in the group of the generator. For any other point, eight times the result is a
/// different point.
fn eighth(point: &Affine) -> Affine {
    let inverse = BigUint::from(8u8).modinv(CURVE.n()).expect("the order is odd");
    CURVE.parameters().mul(point, &inverse)
}
