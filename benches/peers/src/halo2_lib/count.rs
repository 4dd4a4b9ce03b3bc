//! Counts the advice cells of a circuit of halo2-axiom: halo2-lib's and Muster's.

use halo2_base::halo2_proofs::arithmetic::Field;
use halo2_base::halo2_proofs::circuit::Value;
use halo2_base::halo2_proofs::plonk::{
    Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error, Fixed,
    FloorPlanner, Instance, Selector,
};

use crate::error::PeerError;
use crate::usage::{Filled, Usage};

/// Synthesises `circuit`, which is one to make keys from, and counts.
pub(crate) fn count<F: Field, C: Circuit<F>>(circuit: &C) -> Result<Usage, PeerError> {
    let mut system = ConstraintSystem::default();
    let config = C::configure_with_params(&mut system, circuit.params());
    let mut counter = Counter::default();
    C::FloorPlanner::synthesize(&mut counter, circuit, config, system.constants().clone())
        .map_err(PeerError::at("counting cells"))?;
    Ok(counter.0.usage())
}

/// Takes an assignment and keeps nothing but which cells were filled.
#[derive(Debug, Default)]
struct Counter(Filled);

impl<F: Field> Assignment<F> for Counter {
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

    fn query_instance(&self, _: Column<Instance>, _: usize) -> Result<Value<F>, Error> {
        Ok(Value::unknown())
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        _: Value<Assigned<F>>,
    ) -> Value<&'v Assigned<F>> {
        self.0.mark(column.index(), row);
        Value::unknown()
    }

    fn assign_fixed(&mut self, _: Column<Fixed>, _: usize, _: Assigned<F>) {}

    fn copy(&mut self, _: Column<Any>, _: usize, _: Column<Any>, _: usize) {}

    fn fill_from_row(
        &mut self,
        _: Column<Fixed>,
        _: usize,
        _: Value<Assigned<F>>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn get_challenge(&self, _: Challenge) -> Value<F> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
