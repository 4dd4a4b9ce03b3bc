//! A stand-in for the prover: it stores a circuit's witness and does nothing with it.

use std::fmt;

use halo2_base::{
    halo2_proofs::{
        circuit::{Layouter, SimpleFloorPlanner, Value},
        halo2curves::bn256::Fr,
        plonk::{
            Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error,
            Fixed, FloorPlanner, Instance, Selector,
        },
    },
    Context,
};
use muster_gadgets::gate::{Chips, Gates, GatesConfig, Layout, Placement};

/// Advice columns that a circuit writes its witness to.
pub struct Sheet<C: Circuit<Fr>> {
    config: C::Config,
    advice: Advices,
}

struct Advices(Vec<Vec<Fr>>);

impl<C: Circuit<Fr>> fmt::Debug for Sheet<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet").field("columns", &self.advice.0.len()).finish_non_exhaustive()
    }
}

impl<C: Circuit<Fr>> Sheet<C> {
    /// The columns of `circuit`, `2^k` rows each.
    pub fn new(circuit: &C, k: u32) -> Self {
        let mut meta = ConstraintSystem::default();
        let config = C::configure_with_params(&mut meta, circuit.params());
        let advice = Advices(vec![vec![Fr::zero(); 1 << k]; meta.num_advice_columns()]);
        Self { config, advice }
    }

    /// Writes the witness of `circuit`.
    pub fn fill(&mut self, circuit: &C) {
        C::FloorPlanner::synthesize(&mut self.advice, circuit, self.config.clone(), vec![])
            .expect("the circuit has a witness");
    }
}

impl Assignment<Fr> for Advices {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn exit_region(&mut self) {}

    fn enable_selector<A: FnOnce() -> AR, AR: Into<String>>(
        &mut self,
        _: A,
        _: &Selector,
        _: usize,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn query_instance(&self, _: Column<Instance>, _: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::unknown())
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        to.map(|value| self.0[column.index()][row] = value.evaluate());
        Value::unknown()
    }

    fn assign_fixed(&mut self, _: Column<Fixed>, _: usize, _: Assigned<Fr>) {}

    fn copy(&mut self, _: Column<Any>, _: usize, _: Column<Any>, _: usize) {}

    fn fill_from_row(
        &mut self,
        _: Column<Fixed>,
        _: usize,
        _: Value<Assigned<Fr>>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn get_challenge(&self, _: Challenge) -> Value<Fr> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}

/// What a gadget recorded, as a circuit of its own.
#[derive(Debug)]
pub struct Recorded {
    layout: Layout,
    gates: Gates,
}

impl Recorded {
    /// Records what `build` does, for a witness alone. The vertical gate must have one column.
    pub fn new(layout: &Layout, build: impl FnOnce(&mut Context<Fr>, &Chips)) -> Self {
        let mut gates = Gates::new(layout, true);
        let (ctx, chips) = gates.parts();
        build(ctx, chips);
        gates.set_placement(Placement::default());
        Self { layout: layout.clone(), gates }
    }

    /// What was recorded with its constraints.
    pub fn whole(layout: &Layout, gates: Gates) -> Self {
        Self { layout: layout.clone(), gates }
    }
}

impl Circuit<Fr> for Recorded {
    type Config = GatesConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Layout;

    fn params(&self) -> Layout {
        self.layout.clone()
    }

    fn without_witnesses(&self) -> Self {
        unreachable!("a bench has its witness")
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
                Ok(())
            },
        )
    }
}
