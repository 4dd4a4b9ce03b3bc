//! The point that `BN254.hashToG1` of EigenLayer's contracts finds.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell::Existing};
use halo2curves::bn256::Fq;
use num_bigint::BigUint;

use super::{
    bn254::find_point,
    group::AssignedPoint,
    reduce::{all, reduce, shift, Unreduced},
};
use crate::field::foreign::{
    halves::below,
    regroup::element_bits,
    script::{Script, Var},
};
use muster_gates::{foreign::Equation, GateContext};
use muster_schemes::field::ExtensionField;

/// Bits of a half.
const HALF_BITS: usize = 128;

/// The search for the first point from a digest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSearch {
    candidates: usize,
}

/// A point that a search has found: it is on the curve, and so in the group. Not canonical.
#[derive(Clone, Debug)]
pub struct FoundPoint(AssignedPoint<1>);

impl FoundPoint {
    /// Its coordinates.
    pub fn point(&self) -> &AssignedPoint<1> {
        &self.0
    }
}

impl PointSearch {
    /// A search through `candidates` numbers. For one digest in `2^candidates` it finds no point.
    ///
    /// # Panics
    /// If `candidates` is 0.
    pub fn new(candidates: usize) -> Self {
        assert!(candidates > 0, "a point has a candidate");
        Self { candidates }
    }

    fn prime() -> BigUint {
        &(-Fq::one()).integers()[0] + 1u8
    }

    /// The equations that a layout must have room for.
    pub fn all(&self) -> Vec<Equation> {
        let prime = Self::prime();
        let mut script = Script::of_equations(&prime);
        let number = [script.unknown(), script.unknown()];
        self.run(&mut script, prime.bits() as usize, number);
        all(&script)
    }

    /// The point of a digest, whose first and last 16 bytes are given as big-endian integers. Cells that are not below
    /// `2^128` fail.
    pub fn find(&self, ctx: &mut GateContext, [high, low]: [AssignedValue<Fr>; 2]) -> FoundPoint {
        let prime = Self::prime();
        let chip = ctx.chips.foreign_of(prime.bits() as usize);
        // The last limb only has the range of a whole one, so it does not bound the upper half.
        let high = below(ctx, Existing(high), HALF_BITS);
        let number = Unreduced::new(ctx, chip, &[low, high], HALF_BITS);
        let mut script = Script::new(chip, &prime);
        let number = number.given(&mut script);
        let point = self.run(&mut script, element_bits(chip), number);
        FoundPoint(point.map(|part| [script.limbs(part).clone()]))
    }

    fn run(&self, script: &mut Script, bits: usize, number: [Var; 2]) -> [Var; 2] {
        let shift = shift(script, bits);
        let start = reduce(script, shift, number);
        find_point(script, start, self.candidates)
    }
}
