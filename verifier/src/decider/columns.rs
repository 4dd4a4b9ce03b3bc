//! The columns that `K₂` commits to: six fixed ones, and σ of the four wires. Section 11 of the specification, end.
//! Then those of the wires themselves.

use ark_ff::{AdditiveGroup, Field};

use super::{
    builder::{Made, Row, RANDOM},
    form::Variable,
};
use crate::{
    domain::{powers, Domain, DELTA},
    error::FillError,
    Scalar,
};

/// How many wires a row has.
const WIRES: usize = 4;

/// `q_m, q_a, q_b, q_c, q_e, q_0` in all `n` rows.
pub(super) fn fixed(rows: &[Row], n: usize) -> [Vec<Scalar>; 6] {
    let mut columns = [(); 6].map(|()| vec![Scalar::ZERO; n]);
    for (place, row) in rows.iter().enumerate() {
        let factors = [row.q_m, row.q_a, row.q_b, row.q_c, row.q_e, row.q_0];
        for (column, factor) in columns.iter_mut().zip(factors) {
            column[place] = factor;
        }
    }
    // Two random rows show one random cell twice, and two show none.
    columns[3][n - RANDOM..n - RANDOM / 2].fill(Scalar::ONE);
    columns
}

/// σ of the wires `a, b, c, d` in all `2^k` rows.
pub(super) fn sigma(made: &Made, zero: Variable, k: u32) -> [Vec<Scalar>; WIRES] {
    let Made { variables, rows, equalities, .. } = made;
    let n = 1_usize << k;
    let mut classes = Classes::new(*variables);
    for &[left, right] in equalities {
        classes.join(left.number(), right.number());
    }
    // Cells are numbered by row, then by wire.
    let mut cycles = Cycles::new(n * WIRES, *variables);
    for (place, row) in rows.iter().enumerate() {
        for (wire, variable) in [row.a, row.b, row.c, row.d].into_iter().enumerate() {
            cycles.append(classes.of(variable.number()), place * WIRES + wire);
        }
    }
    // Rows that fill up: each `d` is a variable of its own.
    for place in rows.len()..n - RANDOM {
        for wire in 0..WIRES - 1 {
            cycles.append(classes.of(zero.number()), place * WIRES + wire);
        }
    }
    let next = cycles.close();

    let names: Vec<Scalar> = powers(Scalar::ONE, Domain::new(k).power(1)).take(n).collect();
    let wires: Vec<Scalar> = powers(Scalar::ONE, DELTA).take(WIRES).collect();
    let mut columns = [(); WIRES].map(|()| vec![Scalar::ZERO; n]);
    for (cell, next) in next.into_iter().enumerate() {
        columns[cell % WIRES][cell / WIRES] = wires[next % WIRES] * names[next / WIRES];
    }
    columns
}

/// Sets of variables that are equal.
struct Classes(Vec<usize>);

impl Classes {
    fn new(variables: usize) -> Self {
        Self((0..variables).collect())
    }

    /// The class of a variable: the first one in it.
    fn of(&mut self, mut variable: usize) -> usize {
        while self.0[variable] != variable {
            // Halves the path for whoever comes next.
            self.0[variable] = self.0[self.0[variable]];
            variable = self.0[variable];
        }
        variable
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.of(left), self.of(right));
        self.0[left.max(right)] = left.min(right);
    }
}

/// Cycles of cells, one for each class.
struct Cycles {
    /// The cell after each one, which is itself at first.
    next: Vec<usize>,
    /// The first and the last cell of a class so far.
    ends: Vec<Option<(usize, usize)>>,
}

impl Cycles {
    fn new(cells: usize, classes: usize) -> Self {
        Self { next: (0..cells).collect(), ends: vec![None; classes] }
    }

    fn append(&mut self, class: usize, cell: usize) {
        let first = match self.ends[class] {
            Some((first, last)) => {
                self.next[last] = cell;
                first
            }
            None => cell,
        };
        self.ends[class] = Some((first, cell));
    }

    /// The cell after each one, and after the last of a class its first.
    fn close(mut self) -> Vec<usize> {
        for (first, last) in self.ends.into_iter().flatten() {
            self.next[last] = first;
        }
        self.next
    }
}

/// The wires of a decider, filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// `a, b, c, d` in all rows. The random rows are 0: a prover fills them.
    pub wires: [Vec<Scalar>; 4],
    /// The first two variables that should be equal and are not: the values do not meet the equation, or the public inputs
    /// are not those that follow from them. No verifier accepts a proof with these wires.
    pub unequal: Option<[Variable; 2]>,
}

/// The wires in all `n` rows. As many values are given as there are cells, and as many public inputs as the decider has.
pub(super) fn fill(
    made: &Made,
    n: usize,
    public_inputs: &[Scalar],
    values: &[Scalar],
) -> Result<Filled, FillError> {
    let mut numbers = vec![Scalar::ZERO; made.variables];
    let mut inverses = made.inverses.iter().peekable();
    let mut cells = made.cells.iter().zip(values).peekable();
    for (place, row) in made.rows.iter().enumerate() {
        if let Some(inverse) = inverses.next_if(|inverse| inverse.row == place) {
            // The row is a multiple of its new variable: with a 1 there it shows the form.
            numbers[inverse.variable.number()] = Scalar::ONE;
            let form = computed(row, &numbers);
            numbers[inverse.variable.number()] =
                form.inverse().ok_or(FillError::Degenerate { row: place })?;
        }
        let value = cells.next_if(|(cell, _)| cell.row == place).map(|(_, value)| *value);
        let given = public_inputs.get(place).copied().unwrap_or_default();
        let taken = row.q_e * value.unwrap_or_default();
        numbers[row.d.number()] = computed(row, &numbers) + taken + given;
    }
    let number = |variable: Variable| numbers[variable.number()];
    let unequal = made.equalities.iter().find(|[left, right]| number(*left) != number(*right));
    let mut wires = [(); WIRES].map(|()| vec![Scalar::ZERO; n]);
    for (place, row) in made.rows.iter().enumerate() {
        for (wire, variable) in wires.iter_mut().zip([row.a, row.b, row.c, row.d]) {
            wire[place] = number(variable);
        }
    }
    Ok(Filled { wires, unequal: unequal.copied() })
}

/// What a row computes of its wires.
fn computed(row: &Row, numbers: &[Scalar]) -> Scalar {
    let [a, b, c] = [row.a, row.b, row.c].map(|variable| numbers[variable.number()]);
    row.q_m * a * b + row.q_a * a + row.q_b * b + row.q_c * c + row.q_0
}
