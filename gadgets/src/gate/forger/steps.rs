//! What meets a lookup: the cell that a prover computes for it, and how.

use halo2_base::{
    halo2_proofs::{
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{ConstraintSystem, Expression},
    },
    utils::{biguint_to_fe, fe_to_biguint},
};

use super::{
    laws::{reads, Laws, Read},
    record::Sheet,
    Place,
};

/// How a cell is computed where no equation tells it.
pub(crate) struct Step {
    /// Column and rotation of the cells that it is computed from.
    pub(crate) reads: Vec<Read>,
    /// Column and rotation of the cell.
    pub(crate) writes: Read,
    /// The lookup whose table it is computed from, if it is.
    pub(crate) lookup: Option<usize>,
    /// The columns that it reads in the row of the table that is hit.
    pub(crate) hit_reads: Vec<usize>,
    /// The value of the cell; nothing in rows where the step does not count.
    pub(crate) compute: Box<dyn Fn(&Rows) -> Option<Fr>>,
}

/// The rows around a step.
pub(crate) struct Rows<'a> {
    sheet: &'a Sheet,
    row: usize,
    hit: Option<usize>,
    now: &'a dyn Fn(Place) -> Fr,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        sheet: &'a Sheet,
        laws: &Laws,
        step: &Step,
        row: usize,
        now: &'a dyn Fn(Place) -> Fr,
    ) -> Self {
        let hit = step.lookup.and_then(|lookup| laws.hit(lookup, row));
        Self { sheet, row, hit, now }
    }

    /// What a cell held before anything was rewritten.
    pub(crate) fn was(&self, (column, rotation): Read) -> Fr {
        let row = self.sheet.below(self.row, rotation);
        row.map_or(Fr::ZERO, |row| self.sheet.advice[column][row])
    }

    /// What a cell holds now.
    pub(crate) fn now(&self, (column, rotation): Read) -> Fr {
        let row = self.sheet.below(self.row, rotation);
        row.map_or(Fr::ZERO, |row| (self.now)((column, row)))
    }

    /// A fixed cell of the row.
    pub(crate) fn fixed(&self, column: usize) -> Fr {
        self.sheet.fixed(column, Some(self.row))
    }

    /// What a cell holds now in the row of the table that this row hit.
    pub(crate) fn hit(&self, column: usize) -> Option<Fr> {
        self.hit.map(|row| (self.now)((column, row)))
    }
}

/// The steps of the lookups of the gates for range checks and Baby Jubjub.
pub(super) fn of_all_gates(meta: &ConstraintSystem<Fr>) -> Vec<Step> {
    let mut steps = vec![];
    for (lookup, argument) in meta.lookups().iter().enumerate() {
        let inputs = argument.input_expressions();
        if argument.name().starts_with("range") {
            steps.push(running_sum(&inputs[0]));
        } else if argument.name().starts_with("edwards") {
            steps.extend(edwards(lookup, inputs));
        }
    }
    steps
}

/// `z - f·z'` is below `f`: `z'` is what is left of the integer `z` above its lowest bits.
fn running_sum(input: &Expression<Fr>) -> Step {
    let (reads, factor) = (reads(input), input.extract_fixed()[0]);
    let [sum, next] = reads[..] else { panic!("a sum and the next one") };
    let compute = move |rows: &Rows| {
        let bits = fe_to_biguint(&rows.fixed(factor)).bits().checked_sub(1)?;
        Some(biguint_to_fe(&(fe_to_biguint(&rows.now(sum)) >> bits)))
    };
    Step {
        reads: vec![sum],
        writes: next,
        lookup: None,
        hit_reads: vec![],
        compute: Box::new(compute),
    }
}

/// A digit stays what it is: the sums behind it move along, and the addend follows its table.
fn edwards(lookup: usize, inputs: &[Expression<Fr>]) -> Vec<Step> {
    let [(x1, _), x2, sum, next] = reads(&inputs[1])[..] else { panic!("a digit and an addend") };
    let [(y1, _), y2] = reads(&inputs[2])[..] else { panic!("an entry and an addend") };
    let looks_up = inputs[2].extract_fixed()[0];
    let digit = move |rows: &Rows| rows.was(next) - Fr::from(16) * rows.was(sum);
    let is_digit = move |rows: &Rows| rows.fixed(looks_up) == Fr::ONE;
    let moved =
        move |rows: &Rows| is_digit(rows).then(|| digit(rows) + Fr::from(16) * rows.now(sum));
    let abscissa = move |rows: &Rows| {
        let multiple = rows.hit(x1).filter(|_| is_digit(rows))?;
        Some(multiple * digit(rows).invert().unwrap_or(Fr::ZERO))
    };
    let ordinate = move |rows: &Rows| rows.hit(y1).filter(|_| is_digit(rows));
    let follow = |writes, column, compute| Step {
        reads: vec![],
        writes,
        lookup: Some(lookup),
        hit_reads: vec![column],
        compute,
    };
    vec![
        Step {
            reads: vec![sum],
            writes: next,
            lookup: None,
            hit_reads: vec![],
            compute: Box::new(moved),
        },
        follow(x2, x1, Box::new(abscissa)),
        follow(y2, y1, Box::new(ordinate)),
    ]
}
