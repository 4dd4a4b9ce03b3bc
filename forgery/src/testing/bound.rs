//! What a gadget under test binds: its relations, and the states that it has permuted.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::ConstraintSystem,
};
use muster_testing::sampled;

use super::super::{forger::Relations, Counted};
use super::{Forged, Place, TestCircuit};
use muster_gates::{foreign::Blocks, poseidon, GatesConfig};

/// A run asks about one relation in this many.
const SHARE: usize = 4;

impl TestCircuit {
    /// Asserts, for all relations that the code in `files` asks for, that their operands, results and ranges are
    /// refused by one constraint each if they are rewritten with all that follows (`Relations`). A run asks about a
    /// [sample](sampled).
    pub fn assert_relations_are_bound(&self, files: &str) {
        let complaints = self.relations().complaints(files, SHARE);
        assert!(
            complaints.is_empty(),
            "{} complaints:\n{}",
            complaints.len(),
            complaints.join("\n")
        );
    }

    /// Asserts, for the last relation of each place in `files` that asks for relations, that it counts in the
    /// [freedom](crate::freedom) of the circuit: more is free, or fewer relations refuse, if it is left out, and
    /// also if one of its numbers is cut off from what it copies. A run asks about a [sample](sampled).
    pub fn assert_relations_count(&self, files: &str) {
        let (blocks, counted) = (self.blocks(), Counted::new(&self.0));
        let mut last = BTreeMap::new();
        for id in 0..blocks.count() {
            let name = blocks.part(id).1.name();
            if let Some(name) = name.filter(|name| name.contains(files) && !blocks.is_free(id)) {
                last.insert(name, id);
            }
        }
        assert!(!last.is_empty(), "somebody in {files} asks for relations");
        let complaints = sampled(last, SHARE).into_iter().flat_map(|(name, id)| {
            let complaints = counted.complaints(id * blocks.rows()).into_iter();
            complaints.map(move |what| format!("{name} {id}: {what}"))
        });
        let complaints: Vec<_> = complaints.collect();
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    /// What [`Self::assert_relations_are_bound`] finds wrong, for all relations instead of a sample.
    pub fn complaints_of_relations(&self, files: &str) -> Vec<String> {
        self.relations().complaints(files, 1)
    }

    /// Overwrites a cell and all that copies bind to it with `value`, and all that follows, through relations as well;
    /// `None` if that comes to no end.
    pub fn followed(&self, place: Place, value: Fr) -> Option<Vec<Forged>> {
        self.relations().with_class(&[(place, value)])
    }

    fn relations(&self) -> Relations {
        Relations::new(self.0.layout().k, &self.0, self.blocks())
    }

    fn blocks(&self) -> Blocks {
        let mut meta = ConstraintSystem::<Fr>::default();
        let config = GatesConfig::configure(&mut meta, self.0.layout());
        let columns = config.foreign()[0].advice().map(|column| column.index()).collect();
        Blocks::new(self.gates().chips().foreign(), columns)
    }
}

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
