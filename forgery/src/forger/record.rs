//! What a circuit assigns and copies, read off its synthesis.

use halo2_base::halo2_proofs::{
    circuit::Value,
    halo2curves::bn256::Fr,
    plonk::{
        Advice, Any, Assigned, Assignment, Challenge, Circuit, Column, ConstraintSystem, Error,
        Fixed, FloorPlanner, Instance, Selector,
    },
};
use rustc_hash::FxHashMap;

use muster_gates::place::{
    credit::{self, Written},
    drops,
};

/// Column and row of an advice cell.
pub type Place = (usize, usize);

/// Column of an advice cell, and how far below a row.
pub type Read = (usize, i32);

/// An equation: a law at a row.
pub(super) type Equation = (usize, usize);

/// The cells of a filled circuit, and which of them copies bind together.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Rows of the circuit.
    pub rows: usize,
    /// How many of them are not blinded.
    pub usable: usize,
    /// Advice cells, by column.
    pub advice: Vec<Vec<Fr>>,
    fixed: Vec<Vec<Fr>>,
    selectors: Vec<Vec<bool>>,
    pub(super) instance: Vec<Vec<Fr>>,
    /// The group of each cell that is copied, and the cells of each group.
    group: FxHashMap<Place, usize>,
    groups: Vec<Vec<Place>>,
    /// All copies, and which places asked for what, if these are listed.
    copies: Vec<(Place, Place)>,
    written: Option<Written>,
}

/// How many rows of each column are filled: all behind them are 0.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) advice: Vec<usize>,
    pub(super) fixed: Vec<usize>,
    pub(super) selectors: Vec<usize>,
}

impl Sheet {
    /// Runs the synthesis of `circuit`.
    pub fn record<C: Circuit<Fr>>(
        k: u32,
        circuit: &C,
        instance: Vec<Vec<Fr>>,
    ) -> (Self, ConstraintSystem<Fr>) {
        let ((mut sheet, meta), written) = credit::written_by(|| {
            let mut meta = ConstraintSystem::default();
            let config = C::configure_with_params(&mut meta, circuit.params());
            let sheet = Self::read(1 << k, &meta, config, circuit, instance);
            (sheet, meta)
        });
        sheet.written = written;
        (sheet, meta)
    }

    /// Which places asked for what, and all copies; only if places are listed.
    pub(super) fn take_written(&mut self) -> Option<(Written, Vec<(Place, Place)>)> {
        Some((self.written.take()?, std::mem::take(&mut self.copies)))
    }

    /// Runs the synthesis of `circuit` in columns that are configured already.
    pub fn read<C: Circuit<Fr>>(
        rows: usize,
        meta: &ConstraintSystem<Fr>,
        config: C::Config,
        circuit: &C,
        instance: Vec<Vec<Fr>>,
    ) -> Self {
        assert!(rows.is_power_of_two(), "rows go around by a mask");
        let mut sheet = Self {
            rows,
            usable: rows - (meta.blinding_factors() + 1),
            advice: vec![vec![Fr::zero(); rows]; meta.num_advice_columns()],
            fixed: vec![vec![Fr::zero(); rows]; meta.num_fixed_columns()],
            selectors: vec![vec![false; rows]; meta.num_selectors()],
            instance,
            ..Self::default()
        };
        let constants = meta.constants().clone();
        C::FloorPlanner::synthesize(&mut sheet, circuit, config, constants).expect("it is filled");
        sheet
    }

    /// The cells of each group that copies bind together.
    pub fn groups(&self) -> &[Vec<Place>] {
        &self.groups
    }

    /// All cells that copies bind to `place`, including itself; none if there are no copies of it.
    pub fn bound_to(&self, place: Place) -> &[Place] {
        self.group.get(&place).map_or(&[], |group| &self.groups[*group])
    }

    /// Cells that do not hold what the first cell of their group holds.
    pub fn broken_copies(&self) -> impl Iterator<Item = Place> + '_ {
        let value = |(column, row): Place| self.advice[column][row];
        self.groups.iter().flat_map(move |group| {
            group.iter().copied().filter(move |place| value(*place) != value(group[0]))
        })
    }

    /// The cell that represents all that copies bind to `place`.
    pub fn class(&self, place: Place) -> Place {
        self.group.get(&place).map_or(place, |group| self.groups[*group][0])
    }

    fn group_of(&mut self, place: Place) -> usize {
        *self.group.entry(place).or_insert_with(|| {
            self.groups.push(vec![place]);
            self.groups.len() - 1
        })
    }

    fn join(&mut self, left: Place, right: Place) {
        let (left, right) = (self.group_of(left), self.group_of(right));
        if left == right {
            return;
        }
        let larger = self.groups[left].len() >= self.groups[right].len();
        let (to, from) = if larger { (left, right) } else { (right, left) };
        let moved = std::mem::take(&mut self.groups[from]);
        self.group.extend(moved.iter().map(|place| (*place, to)));
        self.groups[to].extend(moved);
    }

    /// How far the columns are filled.
    pub(super) fn ends(&self) -> Ends {
        let end = |cells: &Vec<Fr>| {
            cells.iter().rposition(|cell| *cell != Fr::zero()).map_or(0, |last| last + 1)
        };
        let of_selector =
            |rows: &Vec<bool>| rows.iter().rposition(|is_on| *is_on).map_or(0, |last| last + 1);
        Ends {
            advice: self.advice.iter().map(end).collect(),
            fixed: self.fixed.iter().map(end).collect(),
            selectors: self.selectors.iter().map(of_selector).collect(),
        }
    }

    /// A fixed cell; 0 in rows that do not exist.
    pub fn fixed(&self, column: usize, row: Option<usize>) -> Fr {
        row.map_or(Fr::zero(), |row| self.fixed[column][row])
    }

    /// 1 where the selector is on.
    pub fn selector(&self, selector: Selector, row: usize) -> Fr {
        if self.is_on(selector, row) {
            Fr::one()
        } else {
            Fr::zero()
        }
    }

    /// Whether the selector is on.
    pub(super) fn is_on(&self, selector: Selector, row: usize) -> bool {
        self.selectors[selector.index()][row]
    }

    /// A public input; 0 in rows that have none.
    pub fn instance(&self, column: usize, row: Option<usize>) -> Fr {
        row.and_then(|row| self.instance[column].get(row)).copied().unwrap_or_default()
    }

    /// The row `rotation` below `row`, where the first row follows the last, as in halo2.
    pub fn around(&self, row: usize, rotation: i32) -> usize {
        row.wrapping_add_signed(rotation as isize) & (self.rows - 1)
    }

    /// The row `rotation` below `row`, if there is one.
    pub fn below(&self, row: usize, rotation: i32) -> Option<usize> {
        row.checked_add_signed(rotation as isize).filter(|row| *row < self.rows)
    }
}

impl Assignment<Fr> for Sheet {
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
        self.selectors[selector.index()][row] = true;
        Ok(())
    }

    fn query_instance(&self, column: Column<Instance>, row: usize) -> Result<Value<Fr>, Error> {
        Ok(Value::known(self.instance(column.index(), Some(row))))
    }

    fn assign_advice<'v>(
        &mut self,
        column: Column<Advice>,
        row: usize,
        to: Value<Assigned<Fr>>,
    ) -> Value<&'v Assigned<Fr>> {
        let cell = &mut self.advice[column.index()][row];
        to.map(|value| *cell = value.evaluate());
        Value::unknown()
    }

    fn assign_fixed(&mut self, column: Column<Fixed>, row: usize, to: Assigned<Fr>) {
        self.fixed[column.index()][row] = to.evaluate();
    }

    fn copy(&mut self, left: Column<Any>, left_row: usize, right: Column<Any>, right_row: usize) {
        let advice = |column: Column<Any>| matches!(column.column_type(), Any::Advice(_));
        assert!(advice(left) && advice(right), "only advice cells are copied");
        let (left, right) = ((left.index(), left_row), (right.index(), right_row));
        self.join(left, right);
        if drops::lists() {
            self.copies.push((left, right));
        }
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
