//! A circuit around a gadget under test.

use halo2_base::{
    halo2_proofs::{
        circuit::{Layouter, SimpleFloorPlanner},
        dev::MockProver,
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

    /// Panics with what fails unless every constraint holds.
    pub(crate) fn assert_satisfied(&self) {
        MockProver::run(self.layout.k, self, vec![vec![]])
            .expect("the rows fit")
            .assert_satisfied();
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
