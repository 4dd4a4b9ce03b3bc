//! What a circuit writes to its advice columns.

use halo2_base::halo2_proofs::{
    arithmetic::Field,
    circuit::Value,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, Error, Fixed, FloorPlanner,
        Instance, Selector,
    },
};

/// Synthesises `circuit` and gives each advice cell that it writes to `write`: its column, its row and
/// its value. With it go the circuit's columns and the columns of its constants.
///
/// # Errors
///
/// Those of the circuit.
pub fn each_advice_cell<F: Field, C: Circuit<F>>(
    circuit: &C,
    (config, constants): (C::Config, Vec<Column<Fixed>>),
    write: impl FnMut(usize, usize, Value<Assigned<F>>),
) -> Result<(), Error> {
    C::FloorPlanner::synthesize(&mut Written(write), circuit, config, constants)
}

/// Passes advice cells on and drops everything else.
struct Written<W>(W);

impl<F: Field, W: FnMut(usize, usize, Value<Assigned<F>>)> Assignment<F> for Written<W> {
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
        to: Value<Assigned<F>>,
    ) -> Value<&'v Assigned<F>> {
        (self.0)(column.index(), row, to);
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
