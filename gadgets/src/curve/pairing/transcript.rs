//! What is claimed about a product before there is any challenge, and the challenges that are squeezed from
//! it.

use num_bigint::BigUint;

use super::{
    arithmetic::{Arithmetic, AssignedPair},
    group::AssignedGroupPoint,
    point::AssignedSubgroupPoint,
    TRANSCRIPT_WIDTH,
};
use crate::{field::foreign::regroup::pack, hash::poseidon::squeeze};
use muster_gates::{
    foreign::{AssignedLimbs, ForeignChip},
    GateContext,
};
use muster_schemes::{
    curve::pairing::{program::uses_root, witness::Witness},
    hash::poseidon::domain,
};

/// Labels of the transcript. Nothing is ever stretched under the last one: a challenge takes one element, and a permutation
/// gives as many as it absorbs.
const ABSORB_DOMAIN: &str = "muster.pairing.absorb.v1";
const QUOTIENT_DOMAIN: &str = "muster.pairing.quotient.v1";
const SQUEEZE_DOMAIN: &str = "muster.pairing.squeeze.v1";

/// Everything that `ρ` depends on. Fixed points are part of the circuit, and slopes and steps follow from the points.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// The points of the curve.
    pub(super) firsts: Vec<[AssignedLimbs; 2]>,
    /// The points of the twist that are not fixed.
    pub(super) seconds: Vec<[AssignedPair; 2]>,
    /// The root `c`, where the loop uses it.
    pub(super) root: Option<Vec<AssignedLimbs>>,
    /// Its inverse `g`.
    pub(super) inverse: Vec<AssignedLimbs>,
    /// The even coefficients of the scaling factor `s`.
    pub(super) scale: Vec<AssignedLimbs>,
    /// The product, wherever it is written down.
    pub(super) products: Vec<Vec<AssignedLimbs>>,
}

impl Claim {
    /// The claim of a witness about points.
    pub(super) fn new<'a>(
        ctx: &mut GateContext,
        arithmetic: &Arithmetic,
        (firsts, seconds): (impl Iterator<Item = &'a AssignedGroupPoint>, &[AssignedSubgroupPoint]),
        witness: &Witness,
    ) -> Self {
        let mut elements = |numbers: &[BigUint]| coefficients(ctx, arithmetic.chip, numbers);
        let uses_root = uses_root(arithmetic.equations.curve().parameters());
        Self {
            firsts: firsts.map(|point| point.coordinates().clone()).collect(),
            seconds: seconds.iter().map(|point| point.coordinates().clone()).collect(),
            root: uses_root.then(|| elements(&witness.root)),
            inverse: elements(&witness.inverse),
            scale: elements(&witness.scale),
            products: witness.products.iter().map(|product| elements(product)).collect(),
        }
    }

    /// The challenge `ρ`, which combines the identities.
    pub(super) fn rho(&self, ctx: &mut GateContext, chip: &ForeignChip) -> AssignedLimbs {
        let firsts = self.firsts.iter().flatten();
        let seconds = self.seconds.iter().flatten().flatten();
        let factors = self.root.iter().flatten().chain(&self.inverse).chain(&self.scale);
        let products = self.products.iter().flatten();
        let absorbed: Vec<_> = firsts.chain(seconds).chain(factors).chain(products).collect();
        challenge(ctx, (chip, ABSORB_DOMAIN), &absorbed)
    }
}

/// The coefficients of a polynomial, as the prover claims them.
pub(super) fn coefficients(
    ctx: &mut GateContext,
    chip: &ForeignChip,
    numbers: &[BigUint],
) -> Vec<AssignedLimbs> {
    numbers.iter().map(|number| chip.witness(ctx, number)).collect()
}

/// The challenge `z`, at which polynomials are evaluated: from `ρ` and the quotient of the sum that `ρ` makes.
///
/// The limbs of `ρ` are absorbed, not the element that they were taken from: that element leaves a prover a few values
/// of `ρ`, and `z` depends on which one is taken.
pub(super) fn evaluation_point(
    ctx: &mut GateContext,
    chip: &ForeignChip,
    (rho, quotient): (&AssignedLimbs, &[AssignedLimbs]),
) -> AssignedLimbs {
    let absorbed: Vec<_> = std::iter::once(rho).chain(quotient).collect();
    challenge(ctx, (chip, QUOTIENT_DOMAIN), &absorbed)
}

/// The lowest bits of a native element that is squeezed from everything given.
#[track_caller]
fn challenge(
    ctx: &mut GateContext,
    (chip, label): (&ForeignChip, &str),
    elements: &[&AssignedLimbs],
) -> AssignedLimbs {
    let absorbed = pack(ctx, elements);
    let domains = (domain(label), domain(SQUEEZE_DOMAIN));
    let squeezed = squeeze(ctx.chips.poseidon(TRANSCRIPT_WIDTH), domains, &absorbed, 1)[0];
    chip.lowest(ctx, squeezed)
}
