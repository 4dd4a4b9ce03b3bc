//! What a circuit gives its key: constraints, fixed cells, selectors and copies.
//!
//! They are read off the synthesis themselves, which is exact and takes none of the time of their commitments. A proof system
//! commits to nothing else, so the digest of all of them changes whenever a key does, whatever the format of the keys.

use blake2::{Blake2b512, Digest};
use halo2_base::halo2_proofs::{
    circuit::Value,
    halo2curves::{bn256::Fr, ff::PrimeField},
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error,
        Fixed, FloorPlanner, Instance, Selector,
    },
};

/// What a circuit gives its key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Material {
    k: u32,
    /// Columns, gates, lookups, and which columns are copied, in halo2's own words. Names are not among them.
    pub(super) constraints: String,
    /// By column, as values.
    pub(super) fixed: Vec<Vec<Fr>>,
    /// By selector.
    pub(super) selectors: Vec<Vec<bool>>,
    /// The permutation: for each cell of a copied column, the next one of those that are equal to it. Cells are numbered
    /// `column * rows + row`.
    pub(super) next: Vec<usize>,
}

impl Material {
    /// Runs a circuit on `2^k` rows. Its witness plays no part.
    ///
    /// # Panics
    ///
    /// If the circuit does not fit.
    pub(crate) fn of<C: Circuit<Fr>>(circuit: &C, k: u32) -> Self {
        let mut cs = ConstraintSystem::default();
        let config = C::configure_with_params(&mut cs, circuit.params());
        let (rows, permuted) = (1 << k, cs.permutation().get_columns());
        let cells: Vec<usize> = (0..permuted.len() * rows).collect();
        let mut recorder = Recorder {
            rows,
            usable: rows.checked_sub(cs.blinding_factors() + 1).expect("there are rows to fill"),
            fixed: vec![vec![Fr::zero(); rows]; cs.num_fixed_columns()],
            selectors: vec![vec![false; rows]; cs.num_selectors()],
            permuted,
            lengths: vec![1; cells.len()],
            cycle: cells.clone(),
            next: cells,
        };
        C::FloorPlanner::synthesize(&mut recorder, circuit, config, cs.constants().clone())
            .expect("the circuit fits its rows");
        let Recorder { fixed, selectors, next, .. } = recorder;
        Self { k, constraints: format!("{:?}", cs.pinned()), fixed, selectors, next }
    }

    /// A digest of all of it: of two that differ anywhere, different ones.
    pub(crate) fn pin(&self) -> String {
        let mut hash = Blake2b512::new();
        let number = |hash: &mut Blake2b512, number: usize| hash.update(number.to_le_bytes());
        for length in [
            self.k as usize,
            self.constraints.len(),
            self.fixed.len(),
            self.selectors.len(),
            self.next.len(),
        ] {
            number(&mut hash, length);
        }
        hash.update(&self.constraints);
        // Most cells are 0, off or alone. A list of the others says as much: it has its length before it, and is in order.
        let cells = self.fixed.iter().flatten().enumerate();
        let cells: Vec<_> = cells.filter(|(_, value)| **value != Fr::zero()).collect();
        number(&mut hash, cells.len());
        for (place, value) in cells {
            number(&mut hash, place);
            hash.update(value.to_repr());
        }
        let on = self.selectors.iter().flatten().enumerate();
        let on: Vec<_> = on.filter(|(_, is_on)| **is_on).collect();
        number(&mut hash, on.len());
        on.into_iter().for_each(|(place, _)| number(&mut hash, place));
        let copied = self.next.iter().enumerate();
        let copied: Vec<_> = copied.filter(|(cell, next)| cell != *next).collect();
        number(&mut hash, copied.len());
        for (cell, next) in copied {
            number(&mut hash, cell);
            number(&mut hash, *next);
        }
        hex::encode(&hash.finalize()[..32])
    }
}

struct Recorder {
    rows: usize,
    usable: usize,
    fixed: Vec<Vec<Fr>>,
    selectors: Vec<Vec<bool>>,
    /// The columns that may be copied, in the order of the permutation.
    permuted: Vec<Column<Any>>,
    next: Vec<usize>,
    /// For each cell, the one that stands for all that are equal to it, and for each of those, how many they are.
    cycle: Vec<usize>,
    lengths: Vec<usize>,
}

impl Recorder {
    fn cell(&self, column: Column<Any>, row: usize) -> usize {
        self.check(row);
        let place = self.permuted.iter().position(|permuted| *permuted == column);
        place.expect("the column may be copied") * self.rows + row
    }

    fn check(&self, row: usize) {
        assert!(row < self.usable, "rows from {} on are the prover's", self.usable);
    }
}

impl Assignment<Fr> for Recorder {
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
        self.check(row);
        self.selectors[selector.index()][row] = true;
        Ok(())
    }

    fn query_instance(&self, _: Column<Instance>, _: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::unknown())
    }

    fn assign_advice<'v>(
        &mut self,
        _: Column<Advice>,
        row: usize,
        _: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        self.check(row);
        Value::unknown()
    }

    fn assign_fixed(&mut self, column: Column<Fixed>, row: usize, to: Assigned<Fr>) {
        self.check(row);
        self.fixed[column.index()][row] = to.evaluate();
    }

    /// The order of cells in a cycle depends on all earlier copies. It is halo2's, since keys commit to it.
    fn copy(&mut self, left: Column<Any>, left_row: usize, right: Column<Any>, right_row: usize) {
        let (left, right) = (self.cell(left, left_row), self.cell(right, right_row));
        let (mut longer, mut shorter) = (self.cycle[left], self.cycle[right]);
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

    fn fill_from_row(
        &mut self,
        _: Column<Fixed>,
        _: usize,
        _: Value<Assigned<Fr>>,
    ) -> Result<(), Error> {
        unreachable!("there are no table columns")
    }

    fn get_challenge(&self, _: Challenge) -> Value<Fr> {
        Value::unknown()
    }

    fn push_namespace<NR: Into<String>, N: FnOnce() -> NR>(&mut self, _: N) {}

    fn pop_namespace(&mut self, _: Option<String>) {}
}
