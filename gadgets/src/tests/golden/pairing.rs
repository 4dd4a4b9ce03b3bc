//! What a product of two pairings costs, with lookups of 16 bits in two columns.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{foreign::cells, Costs};
use crate::curve::pairing::{
    assert_product_is_one, samples::product, AssignedArguments, AssignedBasePoint,
    AssignedGroupPoint, AssignedTwistPoint, PairingEquations, SecondPoint, TRANSCRIPT_WIDTH,
};
use muster_gates::{foreign::ForeignLayout, Gates, Layout, PoseidonLayout, Usage};
use muster_schemes::curve::pairing::PairingCurve;

const BITS: usize = 16;

fn layout(curve: PairingCurve) -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let equations = PairingEquations::new(curve).all();
    Layout {
        k: 17,
        vertical_columns: 1,
        range_bits: BITS,
        poseidon: vec![PoseidonLayout { width: TRANSCRIPT_WIDTH, columns: 1, lanes: 1 }],
        constant_rows: 4096,
        foreign: vec![ForeignLayout::new(&native, BITS, 2, &equations)],
        ..Layout::default()
    }
}

/// The check that a product of two pairings is 1, the points among it.
fn usage(curve: PairingCurve, is_fixed: [bool; 2]) -> (Layout, Usage) {
    let layout = layout(curve);
    let mut gates = Gates::new(&layout, false);
    let ctx = &mut gates.context();
    let (equations, chip) = (PairingEquations::new(curve), ctx.chips.foreign());
    let pairs = product(curve, 2, 3);
    let firsts = pairs.each_ref().map(|pair| {
        let point = AssignedBasePoint::new(chip, &equations, &pair.p);
        AssignedGroupPoint::taken_for_granted(point)
    });
    let seconds = [0, 1].map(|i| match is_fixed[i] {
        true => None,
        false => Some(AssignedTwistPoint::new(chip, &equations, &pairs[i].q)),
    });
    let arguments = [0, 1].map(|i| AssignedArguments {
        first: &firsts[i],
        second: match &seconds[i] {
            None => SecondPoint::Fixed(pairs[i].q.clone()),
            Some(point) => SecondPoint::Variable(point),
        },
    });
    let (points, verdict) = assert_product_is_one(ctx, &equations, &arguments);
    assert_eq!(verdict, Ok(()));
    assert_eq!(points.len(), seconds.iter().flatten().count());
    (layout, gates.usage())
}

/// Adds the rows of this family.
pub(super) fn pairings(costs: &mut Costs) {
    for curve in PairingCurve::ALL {
        for (name, is_fixed) in [("one point of the twist fixed", [true, false]), ("", [false; 2])]
        {
            let (layout, usage) = usage(curve, is_fixed);
            let name = match name {
                "" => format!("pairing: a product of two over {curve}"),
                name => format!("pairing: a product of two over {curve}, {name}"),
            };
            let mut row = cells(&layout, &usage);
            let poseidon = usage.poseidon.iter().map(|(_, _, cells)| cells).sum();
            row.insert("poseidon_cells".into(), poseidon);
            row.insert("range_cells".into(), usage.range_cells);
            row.insert("vertical_cells".into(), usage.vertical_cells);
            costs.insert(name, row);
        }
    }
}

/// Of all columns, those of lookups included.
#[test]
fn budgets() {
    let costs = super::all_costs();
    let cells = |curve: PairingCurve| {
        costs[&format!("pairing: a product of two over {curve}, one point of the twist fixed")]
            ["cells"]
    };
    assert!(cells(PairingCurve::Bn254) <= 380_000);
    assert!(cells(PairingCurve::Bls12381) <= 480_000);
}
