//! Compressed points of both groups of BLS12-381, as ZCash writes them and chains hash them.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue,
    QuantumCell::{Constant, Existing},
};

use crate::field::foreign::{
    chip::ForeignField,
    regroup::{limbs, words},
    script::{CanonicalVar, Script, Var},
};
use muster_gates::{
    chain,
    foreign::{AssignedLimbs, Equation},
    power_of_two, GateContext,
};
use muster_schemes::curve::pairing::{PairingCurve, Parameters};

/// Bytes of a half, of which each number of a compressed point has three.
const HALF: usize = 16;
/// The places of two of the three flags, from the lowest bit of the first 16 bytes: `compressed`, which is 1, and whether `y` is
/// the greater one. That of the identity, between them, is 0.
const COMPRESSED: usize = 127;
const GREATER: usize = 125;

/// Bytes that are a compressed point.
#[derive(Clone, Debug)]
pub struct AssignedCompressed {
    halves: Vec<AssignedValue<Fr>>,
}

impl AssignedCompressed {
    /// The bytes of the point with these coordinates, which are constrained to be those of one on the curve, and to be below
    /// the prime as integers. Nothing is known of its order.
    ///
    /// There are two numbers for a point of the first group, and four for one of the second: `x` before `y`, each with the real part before the
    /// imaginary one. In bytes the imaginary part is the first.
    ///
    /// # Panics
    /// If there are fewer numbers or more.
    pub fn of(ctx: &mut GateContext, numbers: &[&AssignedLimbs]) -> Self {
        let p = &parameters().p;
        let mut script = Script::new(ctx.chips.foreign_of(p.bits() as usize), p);
        let given: Vec<_> = numbers.iter().map(|number| script.given(number)).collect();
        let heights = relate(&mut script, &given);
        let field = ForeignField::new(p);
        let is_odd = |ctx: &mut GateContext, height: &Height| {
            field.is_odd(ctx, &script.canonical(height.double))
        };
        let greater = match &heights[..] {
            [height] => is_odd(ctx, height),
            [real, imaginary] => {
                // The imaginary part decides unless it is 0, whose double is even.
                let is_zero = field.is_zero(ctx, &script.canonical(imaginary.y));
                let [real, imaginary] = [real, imaginary].map(|height| is_odd(ctx, height));
                chain::sum(ctx, Existing(imaginary), &[(Existing(real), Existing(is_zero))])
            }
            _ => unreachable!("an extension of degree 1 or 2"),
        };
        let mut halves = vec![];
        for number in numbers[..numbers.len() / 2].iter().rev() {
            halves.extend(words(ctx, &limbs(number), 8 * HALF).into_iter().rev());
        }
        // The flags stand above the first number.
        let flags = [
            (Constant(Fr::one()), Existing(halves[0])),
            (Constant(power_of_two(GREATER)), Existing(greater)),
        ];
        halves[0] = chain::sum(ctx, Constant(power_of_two(COMPRESSED)), &flags);
        Self { halves }
    }

    /// The bytes, 16 in each cell as a big-endian integer, which is below `2^128`: three cells for each number of `x`.
    pub fn halves(&self) -> &[AssignedValue<Fr>] {
        &self.halves
    }

    /// The equations that a layout must have room for, for points of so many numbers.
    pub fn equations(numbers: usize) -> Vec<Equation> {
        let mut script = Script::of_equations(&parameters().p);
        let unknown: Vec<_> = (0..numbers).map(|_| script.unknown()).collect();
        relate(&mut script, &unknown);
        script.equations().to_vec()
    }
}

fn parameters() -> &'static Parameters {
    PairingCurve::Bls12381.parameters()
}

/// A part of `y`, and twice as much modulo the prime.
#[derive(Clone, Copy, Debug)]
pub(super) struct Height {
    y: CanonicalVar,
    pub(super) double: CanonicalVar,
}

/// Constrains a point to be on the curve or its twist, and all numbers to be below the prime. Returns the parts of `y`. A double is
/// odd if the part is the greater one of itself and its opposite, since then the prime was taken off once, and even if not.
pub(super) fn relate(script: &mut Script, numbers: &[Var]) -> Vec<Height> {
    match *numbers {
        [x, y] => {
            let square = script.result(|at| at(x) * at(x));
            script.assert_zero(|at| at(y) * at(y) - at(square) * at(x) - &parameters().b);
        }
        [x0, x1, y0, y1] => {
            let [b0, b1] = &parameters().twist_b;
            let w0 = script.result(|at| (at(x0) - at(x1)) * (at(x0) + at(x1)));
            let w1 = script.result(|at| 2 * (at(x0) * at(x1)));
            script.assert_zero(|at| {
                let square = (at(y0) - at(y1)) * (at(y0) + at(y1));
                square - at(w0) * at(x0) + at(w1) * at(x1) - b0
            });
            script.assert_zero(|at| 2 * (at(y0) * at(y1)) - at(w0) * at(x1) - at(w1) * at(x0) - b1);
        }
        _ => panic!("a point has two coordinates of one part or two"),
    }
    let canonical = numbers.iter().map(|number| script.assert_canonical(*number));
    let y = canonical.collect::<Vec<_>>().split_off(numbers.len() / 2);
    let height = |y: CanonicalVar| {
        let double = script.result(|at| 2 * at(y.var()));
        Height { y, double: script.assert_canonical(double) }
    };
    y.into_iter().map(height).collect()
}

const _: () = {
    // 381 bits of a number end below the flags.
    assert!(381 - 2 * 8 * HALF == GREATER && COMPRESSED == 8 * HALF - 1);
};
