//! A circuit around a gadget under test.

use halo2_base::{
    halo2_proofs::{
        circuit::{Layouter, SimpleFloorPlanner},
        dev::{AdviceCellValue, FailureLocation, MockProver, VerifyFailure},
        halo2curves::bn256::Fr,
        plonk::{Circuit, ConstraintSystem, Error},
    },
    Context,
};

use super::{Chips, Forged, Gates, GatesConfig, Layout, PoseidonLayout};

/// A small layout with a Poseidon gate of each of `widths`.
pub(crate) fn layout(k: u32, widths: &[usize]) -> Layout {
    let poseidon = widths.iter().map(|&width| PoseidonLayout { width, columns: 3, lanes: 1 });
    Layout {
        k,
        vertical_columns: 1,
        range_columns: 1,
        range_bits: 8,
        poseidon: poseidon.collect(),
        edwards_lanes: 1,
        constant_rows: 128,
        ..Layout::default()
    }
}

/// What a gadget recorded, ready to be checked.
pub(crate) struct TestCircuit {
    layout: Layout,
    gates: Gates,
    forged: Vec<Forged>,
}

impl TestCircuit {
    pub(crate) fn new(layout: Layout, build: impl FnOnce(&mut Context<Fr>, &Chips)) -> Self {
        let mut gates = Gates::new(&layout, false);
        let (ctx, chips) = gates.parts();
        build(ctx, chips);
        Self { layout, gates, forged: vec![] }
    }

    pub(crate) fn gates(&self) -> &Gates {
        &self.gates
    }

    /// Whether every constraint holds.
    pub(crate) fn is_satisfied(&self) -> bool {
        let prover = MockProver::run(self.layout.k, self, vec![vec![]]).expect("the rows fit");
        prover.verify().is_ok()
    }

    /// Whether every constraint holds once a cell is overwritten.
    pub(crate) fn is_satisfied_with(&mut self, forged: Forged) -> bool {
        self.forged = vec![forged];
        let verdict = self.is_satisfied();
        self.forged.clear();
        verdict
    }

    /// Whether every constraint holds once cells are overwritten.
    pub(crate) fn is_satisfied_with_all(&mut self, forged: Vec<Forged>) -> bool {
        self.forged = forged;
        let verdict = self.is_satisfied();
        self.forged.clear();
        verdict
    }

    /// Advice cells, by column and row, whose copy constraints fail once cells are overwritten.
    pub(crate) fn broken_copies(&mut self, forged: Vec<Forged>) -> Vec<(usize, usize)> {
        self.forged = forged;
        let prover = MockProver::run(self.layout.k, self, vec![vec![]]).expect("the rows fit");
        self.forged.clear();
        let place = |failure: &VerifyFailure| match failure {
            VerifyFailure::Permutation { column, location } => match location {
                FailureLocation::InRegion { offset, .. } => Some((column.index(), *offset)),
                FailureLocation::OutsideRegion { row } => Some((column.index(), *row)),
            },
            _ => None,
        };
        prover
            .verify()
            .map_or_else(|failures| failures.iter().filter_map(place).collect(), |()| vec![])
    }

    /// Whether what fails once cells are overwritten is range checks alone: all gates and copies hold.
    pub(crate) fn fails_range_checks_alone(&mut self, forged: Vec<Forged>) -> bool {
        self.forged = forged;
        let prover = MockProver::run(self.layout.k, self, vec![vec![]]).expect("the rows fit");
        self.forged.clear();
        let range = |failure: &VerifyFailure| matches!(failure, VerifyFailure::Lookup { name, .. } if name.starts_with("range"));
        prover.verify().is_err_and(|failures| failures.iter().all(range))
    }

    /// The names of all that fails once cells are overwritten: gates with their constraints, lookups,
    /// and "copy". Sorted, each name once.
    pub(crate) fn failing(&mut self, forged: Vec<Forged>) -> Vec<String> {
        self.forged = forged;
        let prover = MockProver::run(self.layout.k, self, vec![vec![]]).expect("the rows fit");
        self.forged.clear();
        let name = |failure: &VerifyFailure| match failure {
            VerifyFailure::ConstraintNotSatisfied { constraint, .. } => {
                let name = constraint.to_string();
                name.split('\'').nth(1).expect("constraints have names").to_owned()
            }
            VerifyFailure::Lookup { name, .. } => name.clone(),
            VerifyFailure::Permutation { .. } => "copy".to_owned(),
            other => panic!("{other:?}"),
        };
        let failures = prover.verify().err().unwrap_or_default();
        let names: std::collections::BTreeSet<_> = failures.iter().map(name).collect();
        names.into_iter().collect()
    }

    /// The advice cells that are written, by column.
    pub(crate) fn advice(&self) -> Vec<Vec<Fr>> {
        let prover = MockProver::run(self.layout.k, self, vec![vec![]]).expect("the rows fit");
        let mut meta = ConstraintSystem::<Fr>::default();
        let columns = (0..self.layout.advice_columns()).map(|_| meta.advice_column());
        let value = |cell: &AdviceCellValue<Fr>| match cell {
            AdviceCellValue::Assigned(value) => Some(value.evaluate()),
            AdviceCellValue::Poison(_) => None,
        };
        let usable = |column| prover.advice_values(column).iter().map_while(value).collect();
        columns.map(usable).collect()
    }

    /// Overwrites of every cell that holds one of the first values by the second one.
    pub(crate) fn replace(&self, changes: &[(Fr, Fr)]) -> Vec<Forged> {
        let mut forged = vec![];
        for (column, cells) in self.advice().iter().enumerate() {
            for (row, cell) in cells.iter().enumerate() {
                let change = changes.iter().find(|change| change.0 == *cell);
                forged.extend(change.map(|(_, value)| Forged { column, row, value: *value }));
            }
        }
        forged
    }

    /// Panics with what fails unless every constraint holds.
    pub(crate) fn assert_satisfied(&self) {
        let prover = MockProver::run(self.layout.k, self, vec![vec![]]).expect("the rows fit");
        let failures = prover.verify().err().unwrap_or_default();
        let names: Vec<_> = failures.iter().take(9).map(ToString::to_string).collect();
        assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), names.join("\n"));
    }
}

impl Circuit<Fr> for TestCircuit {
    type Config = GatesConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Layout;

    fn params(&self) -> Layout {
        self.layout.clone()
    }

    fn without_witnesses(&self) -> Self {
        unreachable!("tests keep their witness")
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> GatesConfig {
        unreachable!("the layout is a parameter")
    }

    fn configure_with_params(meta: &mut ConstraintSystem<Fr>, layout: Layout) -> GatesConfig {
        GatesConfig::configure(meta, &layout)
    }

    fn synthesize(
        &self,
        config: GatesConfig,
        mut layouter: impl Layouter<Fr>,
    ) -> Result<(), Error> {
        layouter.assign_region(
            || "gates",
            |mut region| {
                self.gates.assign(&config, &mut region, 0);
                for forged in &self.forged {
                    config.forge(&mut region, forged);
                }
                Ok(())
            },
        )
    }
}
