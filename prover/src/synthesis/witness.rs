//! The advice columns of a filled circuit.

use halo2_base::halo2_proofs::{
    circuit::Value,
    halo2curves::bn256::Fr,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error,
        Fixed, FloorPlanner, Instance, Selector,
    },
};
use muster_verifier::Protocol;

use crate::polynomial::Numbers;

/// What a circuit of this protocol writes into its advice columns, of which there are `columns`. Cells that it leaves out are zero.
pub(crate) fn advice<C: Circuit<Fr>>(
    protocol: &Protocol,
    columns: usize,
    circuit: &C,
    public_inputs: &[Fr],
) -> Result<Vec<Numbers>, Error> {
    let mut meta = ConstraintSystem::default();
    let config = C::configure_with_params(&mut meta, circuit.params());
    let mut sheet = Sheet {
        advice: vec![vec![Fr::zero(); protocol.rows()]; columns],
        usable: protocol.usable(),
        public_inputs,
        is_filled: true,
    };
    let constants = meta.constants().clone();
    C::FloorPlanner::synthesize(&mut sheet, circuit, config, constants)?;
    sheet.is_filled.then_some(sheet.advice).ok_or(Error::Synthesis)
}

struct Sheet<'a> {
    advice: Vec<Numbers>,
    usable: usize,
    public_inputs: &'a [Fr],
    /// Whether each cell that was written had a value.
    is_filled: bool,
}

impl Assignment<Fr> for Sheet<'_> {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn exit_region(&mut self) {}

    fn enable_selector<A, AR>(&mut self, _: A, _: &Selector, _: usize) -> Result<(), Error>
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Ok(())
    }

    fn query_instance(&self, _: Column<Instance>, row: usize) -> Result<Value<Fr>, Error> {
        self.public_inputs.get(row).map(|input| Value::known(*input)).ok_or(Error::BoundsFailure)
    }

    /// Nobody reads the value again, so none is given back: halo2 asks for a reference that outlives
    /// the columns.
    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        // Rows after these are random.
        assert!(row < self.usable, "a circuit writes into usable rows");
        let mut value = None;
        to.map(|to| value = Some(to.evaluate()));
        match value {
            Some(value) => self.advice[column.index()][row] = value,
            None => self.is_filled = false,
        }
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
