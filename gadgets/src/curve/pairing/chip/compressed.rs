//! Compressed points of BLS12-381's first group, as ZCash writes them and Ethereum hashes them.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};

use crate::field::foreign::{
    chip::ForeignField,
    regroup::{words, Limb},
    script::{CanonicalVar, Script, Var},
};
use muster_gates::{
    chain,
    foreign::{AssignedLimbs, Equation},
    power_of_two, Chips,
};
use muster_schemes::curve::pairing::{PairingCurve, Parameters};

/// Bytes of a half, of which a compressed point has three.
const HALF: usize = 16;
/// The places of two of the three flags of 48 bytes, from the lowest bit of the first 16: `compressed`, which is 1, and whether `y` is
/// the greater one. That of the identity, between them, is 0.
const COMPRESSED: usize = 127;
const GREATER: usize = 125;

/// Bytes that are a compressed point.
#[derive(Clone, Debug)]
pub struct AssignedCompressed {
    halves: [AssignedValue<Fr>; 3],
}

impl AssignedCompressed {
    /// The bytes of the point with these coordinates, which are constrained to be those of one on the curve, and to be below
    /// the prime as integers. Nothing is known of its order.
    pub fn of(ctx: &mut Context<Fr>, chips: &Chips, coordinates: &[AssignedLimbs; 2]) -> Self {
        let p = &parameters().p;
        let chip = chips.foreign_of(p.bits() as usize);
        let mut script = Script::new(chip, p);
        let [x, y] = coordinates.each_ref().map(|coordinate| script.given(coordinate));
        let double = relate(&mut script, [x, y]);
        let greater = ForeignField::new(p).is_odd(ctx, chips, &script.canonical(double));
        let limbs: Vec<Limb> = {
            let [x, _] = coordinates;
            x.limbs().iter().copied().zip(x.shape().widths()).collect()
        };
        let words = words(ctx, chips, &limbs, 8 * HALF);
        let [low, middle, high] = words.try_into().expect("381 bits are three words");
        let flags = [
            (Constant(Fr::one()), Existing(high)),
            (Constant(power_of_two(GREATER)), Existing(greater)),
        ];
        let high = chain::sum(ctx, Constant(power_of_two(COMPRESSED)), &flags);
        Self { halves: [high, middle, low] }
    }

    /// The bytes, 16 in each cell as a big-endian integer, which is below `2^128`.
    pub fn halves(&self) -> &[AssignedValue<Fr>; 3] {
        &self.halves
    }

    /// The equations that a layout must have room for.
    pub fn equations() -> Vec<Equation> {
        let mut script = Script::of_equations(&parameters().p);
        let coordinates = [(); 2].map(|()| script.unknown());
        relate(&mut script, coordinates);
        script.equations().to_vec()
    }
}

fn parameters() -> &'static Parameters {
    PairingCurve::Bls12381.parameters()
}

/// Constrains a point to be on the curve and both coordinates to be below the prime. Returns `2·y` modulo the prime: it is odd
/// if `y` is the greater one of `y` and `-y`, since then the prime was taken off once, and even if not.
pub(super) fn relate(script: &mut Script, [x, y]: [Var; 2]) -> CanonicalVar {
    let square = script.result(|at| at(x) * at(x));
    script.assert_zero(|at| at(y) * at(y) - at(square) * at(x) - &parameters().b);
    script.assert_canonical(x);
    script.assert_canonical(y);
    let double = script.result(|at| 2 * at(y));
    script.assert_canonical(double)
}

const _: () = {
    // 381 bits of `x` end below the flags.
    assert!(381 - 2 * 8 * HALF == GREATER && COMPRESSED == 8 * HALF - 1);
};
