//! The one `impl Circuit`.

use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem, Error as PlonkError},
};
use muster_gadgets::{
    gate::{Gates, GatesConfig, Layout, Placement, Usage},
    signature::{eddsa::Eddsa, foreign::Met, musig::Musig, schnorr::Schnorr},
};

#[cfg(test)]
use muster_gadgets::gate::Forged;

use crate::{
    foreign,
    inputs::Filling,
    scheme::Embedded,
    threshold::{build, Inputs},
    Committee, Error, Shape, Signatures, Statement,
};

/// Columns of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Advice columns.
    pub advice: usize,
    /// Fixed columns, selectors among them.
    pub fixed: usize,
    /// Lookup arguments.
    pub lookups: usize,
    /// Columns of the permutation argument.
    pub permutation: usize,
}

impl Columns {
    /// Columns of `layout`.
    pub fn of(layout: &Layout) -> Self {
        let mut meta = ConstraintSystem::default();
        ThresholdCircuit::configure_with_params(&mut meta, layout.clone());
        Self {
            advice: meta.num_advice_columns(),
            fixed: meta.num_fixed_columns() + meta.num_selectors(),
            lookups: meta.lookups().len(),
            permutation: meta.permutation().get_columns().len(),
        }
    }

    /// Commitments that a verifier multiplies by a scalar, but for those that every circuit has:
    /// columns, three a lookup, and of the permutation one a column and one a product of three.
    pub fn commitments(&self) -> usize {
        let Self { advice, fixed, lookups, permutation } = self;
        advice + fixed + 3 * lookups + permutation + permutation.div_ceil(3)
    }
}

/// Rows that a circuit of `layout` may fill.
pub(crate) fn usable_rows(layout: &Layout) -> usize {
    let mut meta = ConstraintSystem::default();
    ThresholdCircuit::configure_with_params(&mut meta, layout.clone()).usable_rows()
}

/// Rows and cells that the circuit of `shape` takes, whatever its columns.
pub(crate) fn usage(shape: &Shape) -> Usage {
    // With constraints: constants are told by nothing else.
    ThresholdCircuit::keygen(shape).gates.usage()
}

/// The k-of-n circuit of a shape, filled.
#[derive(Debug)]
pub struct ThresholdCircuit {
    layout: Layout,
    public_inputs: usize,
    gates: Gates,
    #[cfg(test)]
    forged: Vec<Forged>,
}

impl ThresholdCircuit {
    /// A circuit to make keys from: its witness stands for nothing.
    pub fn keygen(shape: &Shape) -> Self {
        match Filling::unused(shape) {
            Filling::Embedded(inputs) => Self::fill(shape, &inputs, false),
            Filling::Foreign(inputs) => Self::fill_foreign(shape, &inputs, false).0,
        }
    }

    /// A circuit to prove with: witnesses only. `placement` is that of the keys.
    ///
    /// # Errors
    ///
    /// What does not fit the shape, and [`Error::NoWitness`]. Whether the statement holds is not
    /// checked here, see [`verify`](crate::verify).
    pub fn prover(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
        placement: Placement,
    ) -> Result<Self, Error> {
        let filling = Filling::new(shape, statement, committee, signatures)?;
        let mut circuit = Self::of(shape, &filling, true)?;
        circuit.gates.set_placement(placement);
        Ok(circuit)
    }

    /// A circuit whose every constraint can be checked without a proof.
    ///
    /// # Errors
    ///
    /// As [`Self::prover`].
    pub fn check(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Self, Error> {
        let filling = Filling::new(shape, statement, committee, signatures)?;
        Self::of(shape, &filling, false)
    }

    /// Whether all that is recorded has a place in `usable_rows` rows of the layout, with the vertical
    /// gate and the constants placed as `placement` says. True of the circuit of every shape that was
    /// fitted; writing the rows of another would panic.
    pub fn has_room(&self, usable_rows: usize, placement: &Placement) -> bool {
        self.gates.has_room(&self.layout, usable_rows, placement)
    }

    /// Overwrites cells after all rows are written, to test that the constraints refuse it.
    #[cfg(test)]
    pub(crate) fn forge(&mut self, forged: Vec<Forged>) {
        self.forged = forged;
    }

    /// Columns, gates and lookups of `layout`, with selectors for the fixed columns that keys make of
    /// them.
    ///
    /// # Panics
    ///
    /// For a layout of no shape that [`Shape::check`] takes.
    pub fn constraints(layout: &Layout) -> ConstraintSystem<Fr> {
        let mut meta = ConstraintSystem::default();
        Self::configure_with_params(&mut meta, layout.clone());
        // What they select is not asked for: only that each becomes a column.
        let selectors = vec![vec![false]; meta.num_selectors()];
        meta.directly_convert_selectors_to_fixed(selectors).0
    }

    /// What a prover must know of the keys; known once they were made from this circuit.
    pub fn placement(&self) -> Option<Placement> {
        self.gates.placement()
    }

    fn of(shape: &Shape, filling: &Filling, witness_gen_only: bool) -> Result<Self, Error> {
        let inputs = match filling {
            Filling::Embedded(inputs) => return Ok(Self::fill(shape, inputs, witness_gen_only)),
            Filling::Foreign(inputs) => inputs,
        };
        let mut first = None;
        for variant in inputs.variants(shape) {
            let (circuit, verdict) = Self::fill_foreign(shape, &variant, witness_gen_only);
            match verdict {
                Ok(()) => return Ok(circuit),
                Err(met) => first.get_or_insert(met),
            };
        }
        Err(inputs.no_witness(&first.expect("the inputs themselves are the first of them")))
    }

    /// Fills the circuit of `shape` with `inputs`, right or wrong.
    pub(crate) fn fill(shape: &Shape, inputs: &Inputs, witness_gen_only: bool) -> Self {
        let mut gates = Gates::new(&shape.layout, witness_gen_only);
        let (ctx, chips) = gates.parts();
        match inputs.scheme {
            Embedded::Schnorr => build::<Schnorr>(ctx, chips, shape, inputs),
            Embedded::Eddsa => build::<Eddsa>(ctx, chips, shape, inputs),
            Embedded::Musig => build::<Musig>(ctx, chips, shape, inputs),
        }
        Self::filled(shape, gates)
    }

    /// The same for a scheme over a curve of another field, with a verdict on whether there is a
    /// witness.
    pub(crate) fn fill_foreign(
        shape: &Shape,
        inputs: &foreign::Inputs,
        witness_gen_only: bool,
    ) -> (Self, Result<(), Met>) {
        let mut gates = Gates::new(&shape.layout, witness_gen_only);
        let (ctx, chips) = gates.parts();
        let verdict = foreign::build(ctx, chips, shape, inputs);
        (Self::filled(shape, gates), verdict)
    }

    fn filled(shape: &Shape, gates: Gates) -> Self {
        let public_inputs = shape.scheme.public_inputs();
        Self {
            layout: shape.layout.clone(),
            public_inputs,
            gates,
            #[cfg(test)]
            forged: vec![],
        }
    }
}

impl Circuit<Fr> for ThresholdCircuit {
    type Config = GatesConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Layout;

    fn params(&self) -> Layout {
        self.layout.clone()
    }

    fn without_witnesses(&self) -> Self {
        unreachable!("keys are made from `keygen`, whose witness stands for nothing")
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
    ) -> Result<(), PlonkError> {
        layouter.assign_region(
            || "gates",
            |mut region| {
                self.gates.assign(&config, &mut region, self.public_inputs);
                #[cfg(test)]
                for forged in &self.forged {
                    config.forge(&mut region, forged);
                }
                Ok(())
            },
        )
    }
}
