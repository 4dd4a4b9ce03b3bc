//! States that a gadget under test has permuted.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::ConstraintSystem,
};
use muster_testing::sampled;

use super::TestCircuit;
use muster_gates::{poseidon, GatesConfig};

impl TestCircuit {
    /// Asserts that these `elements` of these `states`, numbered as the first Poseidon gate permutes them, are bound:
    /// another value, with all that follows from it, is refused by its copy and by nothing else. A run asks about a
    /// [sample](sampled).
    pub fn assert_states_are_bound(
        &mut self,
        states: impl IntoIterator<Item = usize>,
        elements: &[usize],
    ) {
        let gate = self.0.layout().poseidon[0];
        let rows = poseidon::rows_each(gate.width, gate.columns).expect("it can be laid out");
        let mut meta = ConstraintSystem::<Fr>::default();
        let columns = GatesConfig::configure(&mut meta, self.0.layout()).groups();
        let columns = columns.into_iter().find(|(name, _)| *name == "poseidon");
        let first = columns.expect("it is a gate").1[0];
        let forger = self.forger();
        let all = states.into_iter().flat_map(|state| elements.iter().map(move |e| (state, *e)));
        for (state, element) in sampled(all, 4) {
            let place = (first + element % gate.columns, rows * state + element / gate.columns);
            let value = forger.value(place) + Fr::ONE;
            let what = format!("state {state}, element {element}");
            self.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
        }
    }
}
