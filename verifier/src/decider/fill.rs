//! The cells of a decider's wires.

use ark_ff::{AdditiveGroup, Field};

use super::{
    builder::{Made, Row},
    columns::WIRES,
    form::Variable,
};
use crate::{error::FillError, Scalar};

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
    variables: usize,
    n: usize,
    public_inputs: &[Scalar],
    values: &[Scalar],
) -> Result<Filled, FillError> {
    let mut numbers = vec![Scalar::ZERO; variables];
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
