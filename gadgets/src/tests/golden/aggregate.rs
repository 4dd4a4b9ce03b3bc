//! What it costs to add up points of the curves of BLS, with lookups of 16 bits: lookups and the cells of operands,
//! without those that stay idle in the last row of a block.

use halo2_base::halo2_proofs::halo2curves::{bls12_381, bn256, group::Curve};
use halo2curves::CurveAffine;
use num_bigint::BigUint;

use super::{Costs, Row};
use crate::{
    curve::aggregate::{prime, quadratic},
    field::foreign::integer::{element, Integer},
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation, ForeignChip, ForeignLayout},
    Gates, Layout,
};
use muster_schemes::curve::aggregate::SumWalk;
use muster_schemes::field::ExtensionField;

const BITS: usize = 16;

/// Different multiples of the generator.
fn points<C: CurveAffine>(count: usize) -> Vec<C> {
    (1..=count).map(|i| (C::generator() * C::Scalar::from(i as u64)).to_affine()).collect()
}

/// A coordinate of which nothing is said.
fn any(chip: &ForeignChip) -> AssignedLimbs {
    element(chip, &BigUint::ZERO)
}

/// The rows of one curve, in a gate of `equations`: `relations` is how many there are in the sum of so many points.
fn insert(
    costs: &mut Costs,
    name: &str,
    equations: Vec<Equation>,
    relations: impl Fn(&ForeignChip, usize) -> usize,
) {
    let equations = [equations, vec![Integer::any()]].concat();
    let native = halo2_base::utils::modulus::<bn256::Fr>();
    let foreign = vec![ForeignLayout::new(&native, BITS, 1, &equations)];
    let layout = Layout { foreign, ..super::foreign::layout(&equations) };
    let count = |points: usize| {
        let mut gates = Gates::new(&layout, false);
        let ctx = &mut gates.context();
        relations(ctx.chips.foreign(), points)
    };
    let block = layout.blocks().remove(0);
    let row = |relations: usize| {
        Row::from([
            ("relations".into(), relations),
            ("lookups".into(), relations * block.lookups()),
            ("cells".into(), relations * (block.lookups() + block.operand_cells())),
        ])
    };
    let [two, three] = [2, 3].map(count);
    let each = three - two;
    costs.insert(format!("aggregate: a point of {name}"), row(each));
    costs.insert(format!("aggregate: what the points of {name} share"), row(two - 2 * each));
}

/// The sum of so many points, and nothing of where they come from: the same coordinates for all.
fn over_prime<C: CurveAffine>(costs: &mut Costs, name: &str)
where
    C::Base: ExtensionField,
{
    let equations = prime::SumEquations::of::<C>();
    insert(costs, name, equations.all(), |chip, count| {
        let walk = SumWalk::new(&points::<C>(count)).expect("there is a sum");
        let pair = [any(chip), any(chip)];
        let before = chip.count();
        prime::sum(chip, &equations, &vec![pair; count], &walk);
        chip.count() - before
    });
}

fn over_extension<C: CurveAffine>(costs: &mut Costs, name: &str)
where
    C::Base: ExtensionField,
{
    let equations = quadratic::SumEquations::of::<C>();
    insert(costs, name, equations.all(), |chip, count| {
        let walk = SumWalk::new(&points::<C>(count)).expect("there is a sum");
        let pair = [(); 2].map(|()| [any(chip), any(chip)]);
        let before = chip.count();
        quadratic::sum(chip, &equations, &vec![pair; count], &walk);
        chip.count() - before
    });
}

/// Adds the rows of this family.
pub(super) fn aggregate(costs: &mut Costs) {
    over_prime::<bn256::G1Affine>(costs, "BN254 G1");
    over_prime::<bls12_381::G1Affine>(costs, "BLS12-381 G1");
    over_extension::<bn256::G2Affine>(costs, "BN254 G2");
    over_extension::<bls12_381::G2Affine>(costs, "BLS12-381 G2");
}
