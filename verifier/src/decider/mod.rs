//! The second circuit of the format `compact`, which shows that the values of a proof meet the equation and that the
//! packs have them. Section 11 of the specification.

mod builder;
mod columns;
mod equation;
mod form;
mod sequence;
#[cfg(test)]
mod tests;

use crate::{
    error::{FillError, TooManyRows},
    packing::Packing,
    Scalar,
};
pub(crate) use builder::MOST_K;
pub use builder::{Cell, Row};
use builder::{Made, RANDOM};
pub use columns::Filled;
pub use form::Variable;

/// The decider of a packing: the same for everybody who makes it.
///
/// A decider has `2^k` rows: those of [`Decider::rows`], others that fill it up, and four that are random. It takes the
/// values of a proof in cells of a column `e`, and these public inputs, in this order: the inputs of the circuit; `θ`,
/// `β_L`, `β`, `γ`, `y`, `x`, `α`, `u`; `w_0, w_1, …`; `R`.
///
/// ```
/// # use muster_verifier::{Decider, Packing, TooManyRows};
/// /// How long the decider's columns are.
/// fn rows(packing: &Packing) -> Result<usize, TooManyRows> {
///     Ok(1 << Decider::new(packing)?.k())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decider {
    k: u32,
    made: Made,
    zero: Variable,
    public_inputs: usize,
}

impl Decider {
    /// The stride of the decider's packs, for every key. `K₂` commits to ten columns, which are more than in any other.
    pub const STRIDE: u32 = 10;
    /// How many rows at the end are random.
    pub const RANDOM_ROWS: usize = RANDOM;

    /// The decider of a packing.
    ///
    /// # Errors
    ///
    /// If it has more than `2^16` rows.
    pub fn new(packing: &Packing) -> Result<Self, TooManyRows> {
        let builder = sequence::sequence(packing, true, MOST_K)?;
        Ok(Self {
            k: k(builder.rows),
            zero: builder.zero,
            public_inputs: packing.public_inputs(),
            made: builder.made,
        })
    }

    /// The binary logarithm of its number of rows, `k₂`.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// How many public inputs there are. Public input `i` is variable `i`, and stands in row `i`.
    pub fn public_inputs(&self) -> usize {
        self.public_inputs
    }

    /// How many variables the rows have.
    pub fn variables(&self) -> usize {
        self.made.variables
    }

    /// The rows, without those that fill it up and those that are random.
    pub fn rows(&self) -> &[Row] {
        &self.made.rows
    }

    /// The cells of `e` that hold values, ascending by row. All others are 0, or random in the last four rows.
    pub fn cells(&self) -> &[Cell] {
        &self.made.cells
    }

    /// Variables that are equal, beside those that are one.
    pub fn equalities(&self) -> &[[Variable; 2]] {
        &self.made.equalities
    }

    /// The ten columns that `K₂` commits to, in the order of their places: `q_m, q_a, q_b, q_c, q_e, q_0`, and σ of
    /// the wires `a, b, c, d`.
    pub fn columns(&self) -> Vec<Vec<Scalar>> {
        let fixed = columns::fixed(&self.made.rows, 1 << self.k);
        let sigma = columns::sigma(&self.made, self.zero, self.k);
        fixed.into_iter().chain(sigma).collect()
    }

    /// The wires in all rows, from the public inputs and the values, which are in the order of [`Decider::cells`].
    ///
    /// # Errors
    ///
    /// If there are not as many of either as the decider has; [`FillError::Degenerate`] if a challenge makes something
    /// 0 that must have an inverse.
    pub fn fill(&self, public_inputs: &[Scalar], values: &[Scalar]) -> Result<Filled, FillError> {
        let (found, expected) = (public_inputs.len(), self.public_inputs);
        if found != expected {
            return Err(FillError::PublicInputs { found, expected });
        }
        let (found, expected) = (values.len(), self.made.cells.len());
        if found != expected {
            return Err(FillError::Values { found, expected });
        }
        columns::fill(&self.made, 1 << self.k, public_inputs, values)
    }
}

/// The `k₂` of a packing's decider, whose rows are counted and not kept. The count ends where there are more than `2^most` of them;
/// `most` is at most 16.
pub(crate) fn decider_k(packing: &Packing, most: u32) -> Result<u32, TooManyRows> {
    Ok(k(sequence::sequence(packing, false, most)?.rows))
}

/// How many rows are counted where none are kept.
#[cfg(test)]
pub(crate) fn counted(packing: &Packing) -> Result<usize, TooManyRows> {
    Ok(sequence::sequence(packing, false, MOST_K)?.rows)
}

/// The least number of rows with so many of them and the random ones, which is at most `2^16`.
fn k(rows: usize) -> u32 {
    let k = (rows + RANDOM).next_power_of_two().ilog2();
    debug_assert!(k <= MOST_K);
    k
}
