//! What halo2-ecc's generic curve code costs over its own chip and over ours.

use halo2_base::{
    gates::circuit::{builder::BaseCircuitBuilder, CircuitBuilderStage},
    halo2_proofs::halo2curves::{
        bn256::Fr,
        secp256k1::{Fp, Secp256k1Affine},
    },
    Context,
};
use halo2_ecc::{
    ecc::EccChip,
    fields::{fp::FpChip, FieldChip, Selectable},
};

use super::{layout, multiple};
use crate::field_chip::record;

/// Bits of a lookup, for both.
const LOOKUP_BITS: usize = 16;
/// Limbs of `FpChip`, as in its own benches.
const LIMBS: (usize, usize) = (88, 3);
/// Windows of the multiplications, as in its own benches.
const WINDOW: usize = 4;

#[derive(Clone, Copy, Debug)]
enum Operation {
    /// Two points are loaded. The others do that, too; it is not counted with them.
    Load,
    Add,
    AddStrict,
    Double,
    Multiply {
        bits: usize,
    },
    MultiplyFixed {
        bits: usize,
    },
}

use Operation::{Add, AddStrict, Double, Load, Multiply, MultiplyFixed};

/// Advice cells, and how many numbers are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    cells: usize,
    lookups: usize,
}

fn perform<FC>(operation: Operation, chip: &FC, ctx: &mut Context<Fr>)
where
    FC: FieldChip<Fr, FieldType = Fp> + Selectable<Fr, FC::FieldPoint>,
{
    let curve = EccChip::new(chip);
    let [p, q] = [5, 70].map(|scalar| curve.load_private_unchecked(ctx, multiple(scalar)));
    let mut scalar = |bits: usize| {
        let parts = bits.div_ceil(128);
        (0..parts).map(|_| ctx.load_witness(Fr::from(0xd1ce))).collect::<Vec<_>>()
    };
    match operation {
        Load => {}
        Add => drop(curve.add_unequal(ctx, p, q, false)),
        AddStrict => drop(curve.add_unequal(ctx, p, q, true)),
        Double => drop(curve.double(ctx, p)),
        Multiply { bits } => {
            let scalar = scalar(bits);
            curve.scalar_mult::<Secp256k1Affine>(ctx, p, scalar, bits.min(128), WINDOW);
        }
        MultiplyFixed { bits } => {
            let (scalar, base) = (scalar(bits), Secp256k1Affine::generator());
            curve.fixed_base_scalar_mult(ctx, &base, scalar, bits.min(128), WINDOW);
        }
    }
}

fn theirs(operation: Operation) -> Cost {
    let mut builder = BaseCircuitBuilder::<Fr>::from_stage(CircuitBuilderStage::Mock)
        .use_k(LOOKUP_BITS + 1)
        .use_lookup_bits(LOOKUP_BITS);
    let range = builder.range_chip();
    let chip = FpChip::<Fr, Fp>::new(&range, LIMBS.0, LIMBS.1);
    perform(operation, &chip, builder.main(0));
    let statistics = builder.statistics();
    let lookups: usize = statistics.total_lookup_advice_per_phase.iter().sum();
    let cells: usize = statistics.gate.total_advice_per_phase.iter().sum();
    // What is looked up is a copy in a column of its own.
    Cost { cells: cells + lookups, lookups }
}

fn ours(operation: Operation) -> Cost {
    let layout = layout(LOOKUP_BITS as u32 + 1, LOOKUP_BITS, 1);
    let block = layout.blocks().remove(0);
    let gates = record(&layout, |ctx, chip| perform(operation, chip, ctx));
    let usage = gates.usage();
    let blocks = usage.foreign_rows[0] / block.rows();
    let cells = usage.vertical_cells + usage.range_cells + blocks * block.cells();
    Cost { cells, lookups: usage.range_cells + blocks * block.lookups() }
}

fn alone(cost: fn(Operation) -> Cost, operation: Operation) -> Cost {
    let (with, without) = (cost(operation), cost(Load));
    Cost { cells: with.cells - without.cells, lookups: with.lookups - without.lookups }
}

/// The table in the documentation of the module.
const COSTS: [(Operation, [usize; 2], [usize; 2]); 6] = [
    (Add, [1115, 174], [567, 369]),
    (AddStrict, [1421, 216], [749, 451]),
    (Double, [1140, 174], [630, 410]),
    (Multiply { bits: 16 }, [56_685, 8195], [34_425, 18_491]),
    (Multiply { bits: 256 }, [442_664, 62_915], [282_044, 148_871]),
    (MultiplyFixed { bits: 256 }, [136_143, 14_255], [241_514, 119_064]),
];

#[test]
fn cells_of_the_generic_curve_code() {
    let cost = |[cells, lookups]: [usize; 2]| Cost { cells, lookups };
    let found: Vec<_> = COSTS
        .iter()
        .map(|(operation, ..)| (alone(theirs, *operation), alone(ours, *operation)))
        .collect();
    for ((operation, ..), costs) in COSTS.iter().zip(&found) {
        println!("{operation:?}: (theirs, ours) = {costs:?}");
    }
    for ((operation, theirs, ours), costs) in COSTS.into_iter().zip(found) {
        assert_eq!(costs, (cost(theirs), cost(ours)), "{operation:?}");
    }
}
