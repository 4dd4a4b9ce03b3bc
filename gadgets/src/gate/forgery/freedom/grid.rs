//! A filled circuit: its cells, and which of them copies make one.

use halo2_base::halo2_proofs::{
    circuit::Value,
    halo2curves::bn256::Fr,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Column, ConstraintSystem, Error, Fixed,
        Instance, Selector,
    },
};

/// Cells by column and row.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) rows: usize,
    pub(super) advice: Vec<Vec<Fr>>,
    pub(super) fixed: Vec<Vec<Fr>>,
    pub(super) selectors: Vec<Vec<bool>>,
    pub(super) public: Vec<Fr>,
    /// Of each advice cell another one that it equals by a copy, or itself.
    links: Vec<usize>,
}

impl Grid {
    pub(super) fn new(meta: &ConstraintSystem<Fr>, rows: usize, public: &[Fr]) -> Self {
        let zeros = |columns: usize| vec![vec![Fr::zero(); rows]; columns];
        let mut instance = public.to_vec();
        instance.resize(rows, Fr::zero());
        Self {
            rows,
            advice: zeros(meta.num_advice_columns()),
            fixed: zeros(meta.num_fixed_columns()),
            selectors: vec![vec![false; rows]; meta.num_selectors()],
            public: instance,
            links: (0..rows * meta.num_advice_columns()).collect(),
        }
    }

    /// The number of a cell's class: cells that copies bind to one another have one.
    pub(super) fn class(&self, column: usize, row: usize) -> usize {
        let mut cell = column * self.rows + row;
        while self.links[cell] != cell {
            cell = self.links[cell];
        }
        cell
    }

    /// What the cells of a class hold.
    pub(super) fn value(&self, class: usize) -> Fr {
        self.advice[class / self.rows][class % self.rows]
    }

    /// Makes every link point to the class.
    pub(super) fn flatten(&mut self) {
        for cell in 0..self.links.len() {
            self.links[cell] = self.class(cell / self.rows, cell % self.rows);
        }
    }
}

impl Assignment<Fr> for Grid {
    fn enter_region<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

    fn exit_region(&mut self) {}

    fn enable_selector<A: FnOnce() -> AR, AR: Into<String>>(
        &mut self,
        _: A,
        selector: &Selector,
        row: usize,
    ) -> Result<(), Error> {
        self.selectors[selector.index()][row] = true;
        Ok(())
    }

    fn query_instance(&self, _: Column<Instance>, row: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::known(self.public[row]))
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        to.map(|value| self.advice[column.index()][row] = value.evaluate());
        Value::unknown()
    }

    fn assign_fixed(&mut self, column: Column<Fixed>, row: usize, to: Assigned<Fr>) {
        self.fixed[column.index()][row] = to.evaluate();
    }

    fn copy(&mut self, left: Column<Any>, left_row: usize, right: Column<Any>, right_row: usize) {
        let is_advice = |column: &Column<Any>| matches!(column.column_type(), Any::Advice(_));
        assert!(is_advice(&left) && is_advice(&right), "copies are between advice cells");
        let [left, right] =
            [(left, left_row), (right, right_row)].map(|(c, row)| self.class(c.index(), row));
        self.links[left.max(right)] = left.min(right);
    }

    fn fill_from_row(
        &mut self,
        _: Column<Fixed>,
        _: usize,
        _: Value<Assigned<Fr>>,
    ) -> Result<(), Error> {
        unreachable!("no gate has a table column of halo2's")
    }

    fn get_challenge(&self, _: Challenge) -> Value<Fr> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
