//! Recorded work as a stand-alone circuit, and what halo2's mock prover says of it.

use std::{
    collections::BTreeSet,
    panic::{catch_unwind, AssertUnwindSafe},
};

use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    dev::{MockProver, VerifyFailure},
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem, Error},
};

#[cfg(debug_assertions)]
use super::Forged;
use super::{GateContext, Gates, GatesConfig, Layout, Placement};

/// What a gadget recorded.
#[derive(Debug)]
pub struct GateCircuit {
    layout: Layout,
    /// Public inputs: the first cells of the context.
    public: usize,
    /// The recorded work.
    pub gates: Gates,
    /// Cells to overwrite after all rows are written, to test that the constraints refuse it.
    #[cfg(debug_assertions)]
    pub forged: Vec<Forged>,
}

impl GateCircuit {
    /// Records what `build` does; see [`Gates::new`].
    pub fn new(
        layout: &Layout,
        witness_gen_only: bool,
        build: impl FnOnce(&mut GateContext),
    ) -> Self {
        let mut gates = Gates::new(layout, witness_gen_only);
        build(&mut gates.context());
        Self::of(layout, gates)
    }

    /// The circuit of what `gates` recorded, whose layout is `layout`.
    pub fn of(layout: &Layout, gates: Gates) -> Self {
        Self {
            layout: layout.clone(),
            public: 0,
            gates,
            #[cfg(debug_assertions)]
            forged: vec![],
        }
    }

    /// Makes the first `count` cells of the context public inputs; they must be loaded before anything
    /// else.
    ///
    /// ```
    /// # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
    /// use muster_gates::{vertical, GateCircuit, Layout};
    ///
    /// let layout = Layout {
    ///     k: 6,
    ///     vertical_columns: 1,
    ///     range_columns: 1,
    ///     range_bits: 4,
    ///     constant_rows: 8,
    ///     ..Layout::default()
    /// };
    /// let circuit = GateCircuit::new(&layout, false, |ctx| {
    ///     // Public inputs first: they are the first cells of the context.
    ///     let square = ctx.load_witness(Fr::from(49));
    ///     let root = ctx.load_witness(Fr::from(7));
    ///     let product = ctx.gate.mul(ctx, root, root);
    ///     vertical::assert_equal(ctx, &product, &square);
    /// });
    /// let circuit = circuit.with_public_inputs(1);
    /// let holds = |public: u64| {
    ///     let public = vec![vec![Fr::from(public)]];
    ///     MockProver::run(layout.k, &circuit, public).unwrap().verify().is_ok()
    /// };
    /// assert!(holds(49));
    /// assert!(!holds(50));
    /// ```
    #[must_use]
    pub fn with_public_inputs(self, count: usize) -> Self {
        Self { public: count, ..self }
    }

    /// The columns.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether everything recorded fits the layout. A layout is planned from [counts](Gates::total), and this holds it
    /// against the circuit itself before keys are made: keys are those of the whole circuit, or there are none.
    pub fn fits(&self) -> bool {
        self.gates.fits(&self.layout, self.layout.usable_rows())
    }

    /// Whether everything recorded fits in `usable_rows` rows of the layout, with the vertical gate and the constants placed
    /// as `placement` says. Where it does not, writing the rows would panic.
    pub fn has_room(&self, usable_rows: usize, placement: &Placement) -> bool {
        self.gates.has_room(&self.layout, usable_rows, placement)
    }
}

impl Layout {
    /// Its columns, gates and lookups, with selectors turned into the fixed columns that they become in the keys.
    ///
    /// # Panics
    ///
    /// For numbers of columns that some gate does not have.
    pub fn constraints(&self) -> ConstraintSystem<Fr> {
        let mut meta = ConstraintSystem::default();
        GatesConfig::configure(&mut meta, self);
        // What they select does not matter, only that each becomes a column.
        let selectors = vec![vec![false]; meta.num_selectors()];
        meta.directly_convert_selectors_to_fixed(selectors).0
    }

    /// Rows that a circuit may fill.
    ///
    /// # Panics
    ///
    /// As [`Self::constraints`].
    pub fn usable_rows(&self) -> usize {
        GatesConfig::configure(&mut ConstraintSystem::default(), self).usable_rows()
    }
}

impl Circuit<Fr> for GateCircuit {
    type Config = GatesConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Layout;

    fn params(&self) -> Layout {
        self.layout.clone()
    }

    fn without_witnesses(&self) -> Self {
        unreachable!("it keeps its witness")
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
                self.gates.assign(&config, &mut region, self.public);
                #[cfg(debug_assertions)]
                for forged in &self.forged {
                    config.forge(&mut region, forged);
                }
                Ok(())
            },
        )
    }
}

impl GateCircuit {
    /// The circuit in the hands of a mock prover, with these public inputs.
    ///
    /// The mock prover is generic and is compiled where it is called: in this crate, which the tests' profile optimises. In one
    /// that it does not, a circuit of BLS takes three times as long to check.
    ///
    /// # Errors
    ///
    /// Those of halo2, if there are more public inputs than rows.
    pub fn mock(&self, inputs: Vec<Fr>) -> Result<MockProver<Fr>, Error> {
        MockProver::run(self.layout().k, self, vec![inputs])
    }
}

/// The names of the constraints that do not hold, each once and in order: none if all do.
pub fn broken_constraints(prover: &MockProver<Fr>) -> Vec<String> {
    // If a relation at the top of its columns does not hold, the mock prover panics while it
    // gathers the cells to show. That panic is of no use to anyone.
    let failures = catch_unwind(AssertUnwindSafe(|| prover.verify_par()));
    let broken: BTreeSet<_> = match failures {
        Ok(verdict) => verdict.err().unwrap_or_default().iter().filter_map(name).collect(),
        Err(_) => ["a relation whose cells cannot be shown".to_owned()].into(),
    };
    broken.into_iter().collect()
}

/// What does not hold, by the name that its gate gives it.
fn name(failure: &VerifyFailure) -> Option<String> {
    match failure {
        VerifyFailure::ConstraintNotSatisfied { constraint, .. }
        | VerifyFailure::ConstraintPoisoned { constraint } => Some(constraint.to_string()),
        VerifyFailure::Lookup { name, .. } => Some(format!("the lookup '{name}'")),
        VerifyFailure::Permutation { column, .. } => Some(format!("a copy of a cell of {column}")),
        VerifyFailure::InstanceCellNotAssigned { gate, .. } => {
            Some(format!("a public input of {gate}"))
        }
        // To the prover, too, an unassigned cell is zero; the mock prover's serial check does not
        // report it either.
        VerifyFailure::CellNotAssigned { .. } => None,
    }
}
