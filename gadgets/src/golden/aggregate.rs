//! What it costs to add up points of the curves of BLS, with lookups of 16 bits: lookups and the cells of operands,
//! without those that stay idle in the last row of a block.

use halo2_base::halo2_proofs::halo2curves::{bls12_381, bn256, group::Curve};
use halo2curves::CurveAffine;
use num_bigint::BigUint;

use super::{Costs, Row};
use crate::{
    curve::aggregate::{chip::sum, Coefficients, SumEquations, SumWalk},
    field::foreign::integer::{element, Integer},
    gate::{foreign::ForeignLayout, Gates, Layout},
};

const BITS: usize = 16;

/// The sum of so many points, and nothing of where they come from.
fn relations<C: CurveAffine>(layout: &Layout, count: usize) -> usize
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let points: Vec<C> =
        (1..=count).map(|i| (C::generator() * C::Scalar::from(i as u64)).to_affine()).collect();
    let walk = SumWalk::new(&points).expect("there is a sum");
    let mut gates = Gates::new(layout, false);
    let (_, chips) = gates.parts();
    let chip = chips.foreign();
    let any = || element(chip, &BigUint::ZERO);
    let points: Vec<_> = points.iter().map(|_| [any(), any()]).collect();
    let before = chip.count();
    sum(chip, &equations, &points, &walk);
    chip.count() - before
}

fn of<C: CurveAffine>(costs: &mut Costs, name: &str)
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let all = [equations.all(), vec![Integer::any()]].concat();
    let native = halo2_base::utils::modulus::<bn256::Fr>();
    let gate = ForeignLayout::new(&native, BITS, 1, &all);
    let layout = Layout { range_bits: BITS, ..super::foreign::layout(&all) };
    let layout = Layout { foreign: vec![gate], ..layout };
    let block = layout.blocks().remove(0);
    let row = |relations: usize| {
        Row::from([
            ("relations".into(), relations),
            ("lookups".into(), relations * block.lookups()),
            ("cells".into(), relations * (block.lookups() + block.operand_cells())),
        ])
    };
    let [two, three] = [2, 3].map(|count| relations::<C>(&layout, count));
    let each = three - two;
    costs.insert(format!("aggregate: a point of {name}"), row(each));
    costs.insert(format!("aggregate: what the points of {name} share"), row(two - 2 * each));
}

/// Adds the rows of this family.
pub(super) fn aggregate(costs: &mut Costs) {
    of::<bn256::G1Affine>(costs, "BN254 G1");
    of::<bls12_381::G1Affine>(costs, "BLS12-381 G1");
}
