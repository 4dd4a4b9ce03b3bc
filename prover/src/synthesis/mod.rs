//! Running a circuit: for the columns of its key, and for those of its witness.

#[cfg(test)]
mod tests;

use halo2_base::halo2_proofs::{
    circuit::Value,
    halo2curves::{bn256::Fr, ff::PrimeField},
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error,
        Fixed, FloorPlanner, Instance, Selector,
    },
};
use muster_engine::{Backend, Domain};
use muster_verifier::Protocol;
use rayon::prelude::*;

use crate::polynomial::{powers, Numbers};

/// The columns of a circuit's key, as values. Each selector is a fixed column of its own, since combining them would
/// raise the degree of the gates.
pub(crate) struct Made {
    pub(crate) cs: ConstraintSystem<Fr>,
    pub(crate) fixed: Vec<Numbers>,
    pub(crate) permuted: Vec<Numbers>,
}

impl Made {
    /// Runs a circuit on `2^k` rows. Errors are those of the circuit, and [`Error::NotEnoughRowsAvailable`].
    ///
    /// # Panics
    ///
    /// As halo2 does: if the circuit assigns or copies a cell beyond the usable rows in a call that returns no error,
    /// or copies a column without equality enabled.
    pub(crate) fn of<C: Circuit<Fr>>(backend: Backend, k: u32, circuit: &C) -> Result<Self, Error> {
        let mut cs = ConstraintSystem::default();
        let config = C::configure_with_params(&mut cs, circuit.params());
        let rows = 1 << k;
        if rows < cs.minimum_rows() {
            return Err(Error::NotEnoughRowsAvailable { current_k: k });
        }
        let domain = Domain::new(backend, k).expect("there are more roots than rows");
        let permuted = cs.permutation().get_columns();
        let mut assembly = Assembly {
            fixed: vec![vec![Fr::zero(); rows]; cs.num_fixed_columns()],
            selectors: vec![vec![false; rows]; cs.num_selectors()],
            copies: Copies::none(permuted.len(), rows),
            permuted,
            usable: rows - (cs.blinding_factors() + 1),
            k,
        };
        C::FloorPlanner::synthesize(&mut assembly, circuit, config, cs.constants().clone())?;
        let Assembly { mut fixed, selectors, copies, .. } = assembly;
        let (cs, selectors) = cs.directly_convert_selectors_to_fixed(selectors);
        fixed.extend(selectors);
        let points: Numbers = powers(domain.root()).take(rows).collect();
        let permuted = copies.named(backend, &points);
        Ok(Self { cs, fixed, permuted })
    }

    /// The fixed columns with these numbers, then the permuted ones.
    pub(crate) fn into_columns(mut self, kept: &[usize]) -> Vec<Numbers> {
        let mut columns = kept_of(self.fixed, kept);
        columns.append(&mut self.permuted);
        columns
    }
}

/// The columns in these places.
pub(crate) fn kept_of(mut columns: Vec<Numbers>, places: &[usize]) -> Vec<Numbers> {
    places.iter().map(|place| std::mem::take(&mut columns[*place])).collect()
}

/// What a circuit gives its key.
struct Assembly {
    fixed: Vec<Numbers>,
    selectors: Vec<Vec<bool>>,
    copies: Copies,
    /// The columns of the permutation argument, in the key's order.
    permuted: Vec<Column<Any>>,
    usable: usize,
    k: u32,
}

impl Assembly {
    fn check(&self, row: usize) -> Result<(), Error> {
        let fits = (row < self.usable).then_some(());
        fits.ok_or(Error::NotEnoughRowsAvailable { current_k: self.k })
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

    fn annotate_column<A: FnOnce() -> AR, AR: Into<String>>(&mut self, _: A, _: Column<Any>) {}

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

/// Cells of the permuted columns, each with the next one of its cycle: cells that must be equal are in one cycle.
/// Cells are numbered `column * rows + row`.
struct Copies {
    rows: usize,
    next: Vec<usize>,
    /// For each cell, the one that stands for its cycle.
    cycle: Vec<usize>,
    /// For each of those, how many cells the cycle has.
    lengths: Vec<usize>,
}

impl Copies {
    /// Every cell in a cycle of its own.
    fn none(columns: usize, rows: usize) -> Self {
        let cells = columns * rows;
        let alone: Vec<usize> = (0..cells).collect();
        Self { rows, cycle: alone.clone(), next: alone, lengths: vec![1; cells] }
    }

    /// Joins the cycles of two cells, given by column and row. The order of cells in a cycle depends on all earlier
    /// copies, and is halo2's, so that keys are the same.
    fn join(&mut self, left: (usize, usize), right: (usize, usize)) {
        let [left, right] = [left, right].map(|(column, row)| column * self.rows + row);
        let [mut longer, mut shorter] = [self.cycle[left], self.cycle[right]];
        if longer == shorter {
            return;
        }
        if self.lengths[longer] < self.lengths[shorter] {
            std::mem::swap(&mut longer, &mut shorter);
        }
        self.lengths[longer] += self.lengths[shorter];
        let mut cell = shorter;
        loop {
            self.cycle[cell] = longer;
            cell = self.next[cell];
            if cell == shorter {
                break;
            }
        }
        self.next.swap(left, right);
    }

    /// The permuted columns: each cell holds the name of the next one of its cycle, `δ^column·ω^row`. `points` are the
    /// powers of `ω`.
    fn named(&self, backend: Backend, points: &[Fr]) -> Vec<Numbers> {
        let shifts: Vec<Fr> = powers(Fr::DELTA).take(self.next.len() / self.rows).collect();
        let columns = self.next.par_chunks(self.rows).map(|next| {
            let mut names: Numbers = next.iter().map(|cell| points[cell % self.rows]).collect();
            let shifts: Numbers = next.iter().map(|cell| shifts[cell / self.rows]).collect();
            backend.mul(&mut names, &shifts);
            names
        });
        columns.collect()
    }
}

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
