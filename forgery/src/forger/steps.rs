//! What satisfies a lookup: the cell that a prover computes for it, and how.

use std::fmt;

use halo2_base::{
    halo2_proofs::{
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{ConstraintSystem, Expression},
    },
    utils::{biguint_to_fe, fe_to_biguint},
};

use super::{
    expression::reads,
    record::{Place, Read, Sheet},
};

/// The values of the cells that a step writes; `None` in rows where the step does not apply.
pub type Compute = Box<dyn Fn(&Rows) -> Option<Vec<Fr>>>;

/// How cells are computed that no equation determines.
pub struct Step {
    /// It applies only in rows that are multiples of this.
    pub every: usize,
    /// Column and rotation of the cells that it computes from.
    pub reads: Vec<Read>,
    /// Column and rotation of the cells that it computes.
    pub writes: Vec<Read>,
    /// The lookup whose table it computes from, if any.
    pub lookup: Option<usize>,
    /// Column and rotation of the cells that it reads around the row of the table that is hit.
    pub hit_reads: Vec<Read>,
    /// How they are computed.
    pub compute: Compute,
}

impl Step {
    /// Computes `writes` from `reads`, both in the rows around.
    pub fn near(
        reads: Read,
        writes: Read,
        compute: impl Fn(&Rows) -> Option<Fr> + 'static,
    ) -> Self {
        let compute: Compute = Box::new(move |rows| Some(vec![compute(rows)?]));
        let (reads, writes) = (vec![reads], vec![writes]);
        Self { every: 1, reads, writes, lookup: None, hit_reads: vec![], compute }
    }

    /// Computes `writes` from the cell `hit_reads` around the row of the table that `lookup` hits.
    pub fn far(
        lookup: usize,
        hit_reads: Read,
        writes: Read,
        compute: impl Fn(&Rows) -> Option<Fr> + 'static,
    ) -> Self {
        let compute: Compute = Box::new(move |rows| Some(vec![compute(rows)?]));
        let (hit_reads, writes) = (vec![hit_reads], vec![writes]);
        Self { every: 1, reads: vec![], writes, lookup: Some(lookup), hit_reads, compute }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reads, writes, lookup, hit_reads, .. } = self;
        write!(f, "Step({reads:?}, {lookup:?} {hit_reads:?} -> {writes:?})")
    }
}

/// The rows around a step.
pub struct Rows<'a> {
    sheet: &'a Sheet,
    row: usize,
    hit: Option<usize>,
    now: &'a dyn Fn(Place) -> Fr,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        sheet: &'a Sheet,
        row: usize,
        hit: Option<usize>,
        now: &'a dyn Fn(Place) -> Fr,
    ) -> Self {
        Self { sheet, row, hit, now }
    }

    /// What a cell held before anything was rewritten.
    pub fn was(&self, (column, rotation): Read) -> Fr {
        let row = self.sheet.below(self.row, rotation);
        row.map_or(Fr::ZERO, |row| self.sheet.advice[column][row])
    }

    /// What a cell holds now.
    pub fn now(&self, (column, rotation): Read) -> Fr {
        let row = self.sheet.below(self.row, rotation);
        row.map_or(Fr::ZERO, |row| (self.now)((column, row)))
    }

    /// A fixed cell of the row.
    pub fn fixed(&self, column: usize) -> Fr {
        self.sheet.fixed(column, Some(self.row))
    }

    /// The row itself.
    pub fn row(&self) -> usize {
        self.row
    }

    /// What a cell holds now around the row of the table that this row hit.
    pub fn hit(&self, (column, rotation): Read) -> Option<Fr> {
        let row = self.sheet.below(self.hit?, rotation);
        row.map(|row| (self.now)((column, row)))
    }
}

/// The steps for the lookups of range checks and of Baby Jubjub whose names are `met`.
pub(super) fn of_all_gates(meta: &ConstraintSystem<Fr>, met: &impl Fn(&str) -> bool) -> Vec<Step> {
    let mut steps = vec![];
    for (lookup, argument) in meta.lookups().iter().enumerate() {
        if !met(argument.name()) {
            continue;
        }
        let inputs = argument.input_expressions();
        if argument.name().starts_with("range") {
            steps.extend(running_sum(&inputs[0]));
        } else if argument.name().starts_with("edwards") {
            steps.extend(edwards(lookup, inputs));
        }
    }
    steps
}

/// `z - f·z'` is below `f`: `z'` is what is left of the integer `z` above its lowest bits.
fn running_sum(input: &Expression<Fr>) -> Option<Step> {
    let [sum, next] = reads(input)[..] else { return None };
    let [factor] = input.extract_fixed()[..] else { return None };
    let compute = move |rows: &Rows| {
        let bits = fe_to_biguint(&rows.fixed(factor)).bits().checked_sub(1)?;
        Some(biguint_to_fe(&(fe_to_biguint(&rows.now(sum)) >> bits)))
    };
    Some(Step::near(sum, next, compute))
}

/// A digit stays as it is: the sum after it follows the one before, and the addend follows its table.
fn edwards(lookup: usize, inputs: &[Expression<Fr>]) -> Vec<Step> {
    let [_, first, second] = inputs else { return vec![] };
    let [(x1, _), x2, sum, next] = reads(first)[..] else { return vec![] };
    let [(y1, _), y2] = reads(second)[..] else { return vec![] };
    let looks_up = second.extract_fixed()[0];
    let digit = move |rows: &Rows| rows.was(next) - Fr::from(16) * rows.was(sum);
    let is_digit = move |rows: &Rows| rows.fixed(looks_up) == Fr::ONE;
    let moved =
        move |rows: &Rows| is_digit(rows).then(|| digit(rows) + Fr::from(16) * rows.now(sum));
    let abscissa = move |rows: &Rows| {
        let multiple = rows.hit((x1, 0)).filter(|_| is_digit(rows))?;
        Some(multiple * digit(rows).invert().unwrap_or(Fr::ZERO))
    };
    let ordinate = move |rows: &Rows| rows.hit((y1, 0)).filter(|_| is_digit(rows));
    vec![
        Step::near(sum, next, moved),
        Step::far(lookup, (x1, 0), x2, abscissa),
        Step::far(lookup, (y1, 0), y2, ordinate),
    ]
}
