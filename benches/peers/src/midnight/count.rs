//! Counts the advice cells of a circuit of midnight-proofs.

use ff::Field;
use midnight_proofs::circuit::Value;
use midnight_proofs::plonk::{
    Advice, Any, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error, Fixed,
    FloorPlanner, Instance, Selector,
};
use midnight_proofs::utils::rational::Rational;

use crate::error::PeerError;
use crate::usage::{Filled, Usage};

/// Synthesises `circuit` and counts.
pub(super) fn count<F: Field, C: Circuit<F>>(circuit: &C) -> Result<Usage, PeerError> {
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

    fn assign_advice<V, VR, A, AR>(
        &mut self,
        _: A,
        column: Column<Advice>,
        row: usize,
        _: V,
    ) -> Result<(), Error>
    where
        V: FnOnce() -> Value<VR>,
        VR: Into<Rational<F>>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.0.mark(column.index(), row);
        Ok(())
    }

    fn assign_fixed<V, VR, A, AR>(
        &mut self,
        _: A,
        _: Column<Fixed>,
        _: usize,
        _: V,
    ) -> Result<(), Error>
    where
        V: FnOnce() -> Value<VR>,
        VR: Into<Rational<F>>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Ok(())
    }

    fn copy(&mut self, _: Column<Any>, _: usize, _: Column<Any>, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn fill_from_row(
        &mut self,
        _: Column<Fixed>,
        _: usize,
        _: Value<Rational<F>>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn get_challenge(&self, _: Challenge) -> Value<F> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
