//! What the same costs on halo2-base's vertical gate: what the gates save.

use muster_gates::GateContext;
use std::collections::BTreeMap;

use halo2_base::{
    gates::{circuit::builder::BaseCircuitBuilder, GateChip, GateInstructions, RangeInstructions},
    halo2_proofs::halo2curves::bn256::Fr,
    poseidon::hasher::{spec::OptimizedPoseidonSpec, PoseidonHasher},
    Context, QuantumCell,
};

use super::{usage, Costs};

/// Operations that gates of ours do.
pub(super) fn vertical_gate(costs: &mut Costs) {
    let cells = |count: usize| BTreeMap::from([("cells".into(), count)]);
    let of = |build: &dyn Fn(&mut GateContext)| usage(&[], |ctx| build(ctx)).vertical_cells;
    let gate = GateChip::<Fr>::new();
    let hash = |inputs: usize| {
        of(&|ctx| {
            let spec = OptimizedPoseidonSpec::<Fr, 3, 2>::new::<8, 57, 0>();
            let mut hasher = PoseidonHasher::<Fr, 3, 2>::new(spec);
            hasher.initialize_consts(ctx, &gate);
            let inputs = ctx.assign_witnesses(vec![Fr::one(); inputs]);
            hasher.hash_fix_len_array(ctx, &gate, &inputs);
        })
    };
    // The inputs themselves are no part of it.
    let permutation = hash(4) - hash(2) - 2;
    costs.insert("vertical gate: Poseidon permutation, width 3".into(), cells(permutation));
    for bits in [72, 128] {
        let decompose = of(&|ctx| {
            let value = ctx.load_witness(Fr::one());
            gate.num_to_bits(ctx, value, bits);
        });
        costs.insert(format!("vertical gate: range of {bits} bits by bits"), cells(decompose - 1));
        let mut builder = BaseCircuitBuilder::<Fr>::new(false).use_lookup_bits(12);
        let chip = builder.range_chip();
        let ctx = builder.main(0);
        let value = ctx.load_witness(Fr::one());
        chip.range_check(ctx, value, bits);
        let statistics = builder.statistics();
        let lookups = statistics.total_lookup_advice_per_phase[0];
        let advice = statistics.gate.total_advice_per_phase[0] - 1 + lookups;
        let costs_of = BTreeMap::from([("cells".into(), advice), ("lookups".into(), lookups)]);
        costs.insert(format!("vertical gate: range of {bits} bits by lookups"), costs_of);
    }
    let addition = of(&|ctx| edwards_addition(ctx, &gate)) - 4;
    costs.insert("vertical gate: Edwards addition".into(), cells(addition));
    costs.insert("edwards: addition".into(), cells(6));
}

/// The addition of the Edwards gate, product by product.
fn edwards_addition(ctx: &mut Context<Fr>, gate: &GateChip<Fr>) {
    let cells = ctx.assign_witnesses([1, 2, 3, 4].map(Fr::from));
    let [x1, y1, x2, y2] = [0, 1, 2, 3].map(|i| cells[i]);
    let constant = |c: u64| QuantumCell::Constant(Fr::from(c));
    let [xx, yy] = [(x1, x2), (y1, y2)].map(|(a, b)| gate.mul(ctx, a, b));
    let tau = gate.mul(ctx, xx, yy);
    let crossed = gate.mul(ctx, x1, y2);
    let x_sum = gate.mul_add(ctx, y1, x2, crossed);
    let y_sum = gate.mul_add(ctx, xx, QuantumCell::Constant(-Fr::from(168_700)), yy);
    let x_under = gate.mul_add(ctx, tau, constant(168_696), constant(1));
    let minus_d = QuantumCell::Constant(-Fr::from(168_696));
    let y_under = gate.mul_add(ctx, tau, minus_d, constant(1));
    // Quotients are witnessed: result·denominator = numerator.
    for (sum, under) in [(x_sum, x_under), (y_sum, y_under)] {
        let value = *sum.value() * under.value().invert().unwrap_or(Fr::one());
        let product = gate.mul(ctx, QuantumCell::Witness(value), under);
        ctx.constrain_equal(&product, &sum);
    }
}
