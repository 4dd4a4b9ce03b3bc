//! What this crate's circuits record, in the gates' own circuit, which writes the rows.

use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    dev::MockProver,
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem, Error as PlonkError},
};
use muster_gadgets::signature::{foreign::ExceptionalCase, instructions::SignatureInstructions};
#[cfg(test)]
use muster_gates::Forged;
use muster_gates::{GateCircuit, GateContext, Gates, GatesConfig, Layout, Placement, Usage};

use crate::{
    error::Error,
    inputs::{Inputs, InputsOf},
    scheme::SchemeVisitor,
    shape::Shape,
    threshold::build,
};

/// Columns of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Advice columns.
    pub advice: usize,
    /// Fixed columns, including selectors.
    pub fixed: usize,
    /// Lookup arguments.
    pub lookups: usize,
    /// Columns of the permutation argument.
    pub permutation: usize,
}

impl Columns {
    /// Columns of `layout`.
    pub fn of(layout: &Layout) -> Self {
        Extent::of(&Layout { k: Extent::DEGREE, ..layout.clone() }).columns
    }

    /// Number by number.
    fn zip(self, other: &Self, f: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            advice: f(self.advice, other.advice),
            fixed: f(self.fixed, other.fixed),
            lookups: f(self.lookups, other.lookups),
            permutation: f(self.permutation, other.permutation),
        }
    }
}

/// Columns of a layout, and rows that no circuit of it may fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) columns: Columns,
    unusable: usize,
}

impl Extent {
    /// A degree at which every layout has rows to fill.
    pub(crate) const DEGREE: u32 = 24;

    /// Columns and rows of `layout`, which has [that degree](Self::DEGREE).
    pub(crate) fn of(layout: &Layout) -> Self {
        let mut meta = ConstraintSystem::default();
        let config = RecordedCircuit::configure_with_params(&mut meta, layout.clone());
        let columns = Columns {
            advice: meta.num_advice_columns(),
            fixed: meta.num_fixed_columns() + meta.num_selectors(),
            lookups: meta.lookups().len(),
            permutation: meta.permutation().get_columns().len(),
        };
        Self { columns, unusable: (1 << layout.k) - config.usable_rows() }
    }

    /// Rows of `layout` that a circuit may fill.
    pub(crate) fn usable_rows(&self, layout: &Layout) -> usize {
        (1usize << layout.k).saturating_sub(self.unusable)
    }

    /// This and `times` more of what `other` has beyond `less`.
    pub(crate) fn with(self, times: usize, other: &Self, less: &Self) -> Self {
        let more = other.columns.zip(&less.columns, |all, less| times * (all - less));
        Self {
            columns: self.columns.zip(&more, |own, more| own + more),
            unusable: self.unusable.max(other.unusable),
        }
    }
}

/// Rows that a circuit of `layout` may fill.
pub(crate) fn usable_rows(layout: &Layout) -> usize {
    let mut meta = ConstraintSystem::default();
    RecordedCircuit::configure_with_params(&mut meta, layout.clone()).usable_rows()
}

impl Shape {
    /// Rows and cells that the circuit uses, whatever its columns. They are counted by the code that fills the circuit, less
    /// its arithmetic: what is recorded depends on the shape alone, so the count is that of every filled circuit.
    ///
    /// # Panics
    ///
    /// For a shape that [`Self::check`] refuses.
    pub fn usage(&self) -> Usage {
        self.recorded_in(Gates::total(&self.layout))
    }

    /// The same, with every turn of a loop recorded.
    #[cfg(test)]
    pub(crate) fn usage_of_each(&self) -> Usage {
        self.recorded_in(Gates::counting(&self.layout))
    }

    fn recorded_in(&self, gates: Gates) -> Usage {
        ThresholdCircuit::unused(self, gates).usage()
    }
}

/// A circuit of this crate with all that it records: the k-of-n circuit of a [`Shape`], or that of a
/// [translation](crate::translation).
#[derive(Debug)]
pub struct RecordedCircuit(GateCircuit);

/// The k-of-n circuit of a shape, filled.
pub type ThresholdCircuit = RecordedCircuit;

/// What only the k-of-n circuit has.
impl ThresholdCircuit {
    /// A circuit to make keys from; its witness means nothing.
    ///
    /// # Panics
    ///
    /// For a shape that [`Shape::check`] refuses.
    pub fn keygen(shape: &Shape) -> Self {
        Self::unused(shape, Gates::new(&shape.layout, false))
    }

    /// The circuit of `shape` with every slot unused and no leaf, recorded by `gates`.
    fn unused(shape: &Shape, gates: Gates) -> Self {
        struct Unused<'a>(&'a Shape, Gates);

        impl SchemeVisitor for Unused<'_> {
            type Output = ThresholdCircuit;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> ThresholdCircuit {
                let Self(shape, gates) = self;
                let inputs = Inputs::unused(shape, &scheme, S::Message::default());
                ThresholdCircuit::recorded(shape, &scheme, &inputs, gates).0
            }
        }

        shape.suite().expect("the shape was checked").visit(Unused(shape, gates))
    }

    /// Fills the circuit of `shape` with `inputs`, right or wrong, and says whether there is a
    /// witness for the signatures.
    pub(crate) fn fill<S: SignatureInstructions>(
        shape: &Shape,
        scheme: &S,
        inputs: &InputsOf<S>,
        witness_gen_only: bool,
    ) -> (Self, Result<(), ExceptionalCase>) {
        Self::recorded(shape, scheme, inputs, Gates::new(&shape.layout, witness_gen_only))
    }

    fn recorded<S: SignatureInstructions>(
        shape: &Shape,
        scheme: &S,
        inputs: &InputsOf<S>,
        gates: Gates,
    ) -> (Self, Result<(), ExceptionalCase>) {
        let columns = (&shape.layout, shape.public_inputs());
        Self::record(columns, gates, |ctx| build(ctx, shape, scheme, inputs))
    }
}

impl RecordedCircuit {
    /// A circuit of `layout`, with all that `build` records in `gates`. Its first cells are the public inputs.
    pub(crate) fn record<T>(
        (layout, public_inputs): (&Layout, usize),
        mut gates: Gates,
        build: impl FnOnce(&mut GateContext) -> T,
    ) -> (Self, T) {
        let built = build(&mut gates.context());
        (Self(GateCircuit::of(layout, gates).with_public_inputs(public_inputs)), built)
    }

    /// Checks that everything recorded fits the layout. A layout is planned from [counts](Shape::usage), and this holds it
    /// against the circuit itself before keys are made: keys are those of the whole circuit, or there are none.
    ///
    /// # Errors
    ///
    /// [`Error::Layout`], for a layout that was not planned for this circuit.
    pub fn check_room(&self) -> Result<(), Error> {
        let Self(circuit) = self;
        let layout = circuit.layout();
        let fits = circuit.gates.fits(layout, usable_rows(layout));
        fits.then_some(()).ok_or(Error::Layout("the circuit does not fit its columns"))
    }

    /// The circuit in the hands of halo2's mock prover, with these public inputs.
    ///
    /// # Errors
    ///
    /// Those of halo2, if there are more public inputs than rows.
    pub fn mock(&self, inputs: Vec<Fr>) -> Result<MockProver<Fr>, PlonkError> {
        self.0.mock(inputs)
    }

    /// Rows and cells that are recorded.
    pub fn usage(&self) -> Usage {
        self.0.gates.usage()
    }

    /// Whether everything recorded fits in `usable_rows` rows of the layout, with the vertical gate
    /// and the constants placed as `placement` says. True of the circuit of every shape that was
    /// fitted; where it is false, writing the rows would panic.
    pub fn has_room(&self, usable_rows: usize, placement: &Placement) -> bool {
        self.0.gates.has_room(self.0.layout(), usable_rows, placement)
    }

    /// Overwrites cells after all rows are written, to test that the constraints refuse it.
    #[cfg(test)]
    pub(crate) fn forge(&mut self, forged: Vec<Forged>) {
        self.0.forged = forged;
    }

    /// Columns, gates and lookups of `layout`, with selectors turned into the fixed columns that they
    /// become in the keys.
    ///
    /// # Panics
    ///
    /// For a layout that belongs to no shape that its own check accepts.
    pub fn constraints(layout: &Layout) -> ConstraintSystem<Fr> {
        let mut meta = ConstraintSystem::default();
        Self::configure_with_params(&mut meta, layout.clone());
        // What they select does not matter, only that each becomes a column.
        let selectors = vec![vec![false]; meta.num_selectors()];
        meta.directly_convert_selectors_to_fixed(selectors).0
    }

    /// What a prover must know about the keys; known once they have been made from this circuit.
    pub fn placement(&self) -> Option<Placement> {
        self.0.gates.placement()
    }

    /// Sets where columns end, which a prover's circuit learns from the keys.
    pub(crate) fn set_placement(&mut self, placement: Placement) {
        self.0.gates.set_placement(placement);
    }
}

impl Circuit<Fr> for RecordedCircuit {
    type Config = GatesConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Layout;

    fn params(&self) -> Layout {
        self.0.params()
    }

    fn without_witnesses(&self) -> Self {
        unreachable!("keys are made from `keygen`, whose witness stands for nothing")
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> GatesConfig {
        unreachable!("the layout is a parameter")
    }

    fn configure_with_params(meta: &mut ConstraintSystem<Fr>, layout: Layout) -> GatesConfig {
        GateCircuit::configure_with_params(meta, layout)
    }

    fn synthesize(
        &self,
        config: GatesConfig,
        layouter: impl Layouter<Fr>,
    ) -> Result<(), PlonkError> {
        self.0.synthesize(config, layouter)
    }
}
