//! What a circuit gives its key: fixed cells, selectors and copies.

use halo2_base::halo2_proofs::{
    circuit::Value,
    halo2curves::bn256::Fr,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error,
        Fixed, FloorPlanner, Instance, Selector,
    },
};

use super::copies::Copies;
use crate::polynomial::Numbers;

/// What a circuit gives its key.
pub(crate) struct Assembly {
    pub(crate) fixed: Vec<Numbers>,
    pub(crate) selectors: Vec<Vec<bool>>,
    pub(crate) copies: Copies,
    /// The columns of the permutation argument, in the key's order.
    permuted: Vec<Column<Any>>,
    usable: usize,
    k: u32,
}

impl Assembly {
    /// Runs a circuit that was configured as `config` in `cs`, on `2^k` rows.
    ///
    /// # Errors
    ///
    /// Those of the circuit, and [`Error::NotEnoughRowsAvailable`].
    ///
    /// # Panics
    ///
    /// As halo2 does: if the circuit assigns or copies a cell beyond the usable rows in a call that returns no error,
    /// or copies a column without equality enabled.
    pub(crate) fn of<C: Circuit<Fr>>(
        circuit: &C,
        (cs, config): (&ConstraintSystem<Fr>, C::Config),
        k: u32,
    ) -> Result<Self, Error> {
        let rows = 1 << k;
        let permuted = cs.permutation().get_columns();
        let mut assembly = Self {
            fixed: vec![vec![Fr::zero(); rows]; cs.num_fixed_columns()],
            selectors: vec![vec![false; rows]; cs.num_selectors()],
            copies: Copies::none(permuted.len(), rows),
            permuted,
            usable: rows - (cs.blinding_factors() + 1),
            k,
        };
        C::FloorPlanner::synthesize(&mut assembly, circuit, config, cs.constants().clone())?;
        Ok(assembly)
    }

    fn check(&self, row: usize) -> Result<(), Error> {
        if row < self.usable {
            Ok(())
        } else {
            Err(Error::NotEnoughRowsAvailable { current_k: self.k })
        }
    }

    /// The same for calls that return no error.
    fn assert(&self, row: usize) {
        assert!(self.check(row).is_ok(), "a circuit writes into usable rows");
    }

    fn place(&self, column: Column<Any>) -> usize {
        let place = self.permuted.iter().position(|permuted| *permuted == column);
        place.expect("copies are between columns of the permutation")
    }
}

impl Assignment<Fr> for Assembly {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A, AR>(&mut self, _: A, _: Column<Any>)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
    }

    fn exit_region(&mut self) {}

    fn enable_selector<A, AR>(&mut self, _: A, selector: &Selector, row: usize) -> Result<(), Error>
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.check(row)?;
        self.selectors[selector.index()][row] = true;
        Ok(())
    }

    fn query_instance(&self, _: Column<Instance>, row: usize) -> Result<Value<Fr>, Error> {
        self.check(row).map(|()| Value::unknown())
    }

    fn assign_advice<'v>(
        &mut self,
        _: Column<Advice>,
        _: usize,
        _: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        Value::unknown()
    }

    fn assign_fixed(&mut self, column: Column<Fixed>, row: usize, to: Assigned<Fr>) {
        self.assert(row);
        self.fixed[column.index()][row] = to.evaluate();
    }

    fn copy(&mut self, left: Column<Any>, left_row: usize, right: Column<Any>, right_row: usize) {
        self.assert(left_row);
        self.assert(right_row);
        let (left, right) = (self.place(left), self.place(right));
        self.copies.join((left, left_row), (right, right_row));
    }

    fn fill_from_row(
        &mut self,
        column: Column<Fixed>,
        from_row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Result<(), Error> {
        self.check(from_row)?;
        let (cells, mut value) = (&mut self.fixed[column.index()], None);
        to.map(|to| value = Some(to.evaluate()));
        cells[from_row..self.usable].fill(value.ok_or(Error::Synthesis)?);
        Ok(())
    }

    fn get_challenge(&self, _: Challenge) -> Value<Fr> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
