//! Rows as they are created, and the operations that create them. Section 11 of the specification, "Rows" and
//! "Forms".

use ark_ff::{AdditiveGroup, Field, One, Zero};

use super::form::{Form, Variable};
use crate::{error::TooManyRows, Scalar};

/// Rows at the end that are random.
pub(super) const RANDOM: usize = 4;
/// The greatest binary logarithm of a decider's number of rows. A reader has to count them: this many take it some hundredths of a
/// second. Of what `keygen` makes, the largest have `2^13`.
pub(crate) const MOST_K: u32 = 16;

/// A row of a decider: `d = q_m·a·b + q_a·a + q_b·b + q_c·c + q_e·e + q_0 + p`, where `p` is the public input of
/// the row's number, or 0 if there is none.
///
/// Wires that are not needed are the variable `zero`, with the factor 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first factor of the product.
    pub a: Variable,
    /// The second factor of the product.
    pub b: Variable,
    /// A variable beside the product.
    pub c: Variable,
    /// What the row computes.
    pub d: Variable,
    /// The factor of `a·b`.
    pub q_m: Scalar,
    /// The factor of `a`.
    pub q_a: Scalar,
    /// The factor of `b`.
    pub q_b: Scalar,
    /// The factor of `c`.
    pub q_c: Scalar,
    /// The factor of the value: 1 in rows that take one in, and else 0.
    pub q_e: Scalar,
    /// What is added.
    pub q_0: Scalar,
}

/// A cell of the column `e` that holds a value: what a polynomial is at `x·ω^rotation`, or 0 if the place has no
/// polynomial that is opened there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The number of the pack.
    pub pack: usize,
    /// The place in the pack.
    pub place: usize,
    /// The rotation.
    pub rotation: i32,
    /// The row of the cell.
    pub row: usize,
}

/// A variable that is the inverse of a form: the row computes their product, which is equal to `one`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inverse {
    pub(super) row: usize,
    pub(super) variable: Variable,
}

/// Everything that is created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Made {
    /// How many variables there are. They are counted, whether anything is kept or not.
    pub(super) variables: usize,
    pub(super) rows: Vec<Row>,
    /// Ascending by row.
    pub(super) inverses: Vec<Inverse>,
    pub(super) equalities: Vec<[Variable; 2]>,
    /// Ascending by row.
    pub(super) cells: Vec<Cell>,
}

/// Creates rows. A reader of keys needs no more than their number, and keeps none: a short key may have a million.
pub(super) struct Builder {
    /// Whether rows are kept, and not only counted.
    pub(super) keeps: bool,
    /// There are at most `2^k` rows, with the random ones.
    k: u32,
    /// What was created, if it is kept.
    pub(super) made: Made,
    /// How many rows there are.
    pub(super) rows: usize,
    /// The variables that are 0 and 1.
    pub(super) zero: Variable,
    one: Variable,
}

pub(super) type Result<T> = std::result::Result<T, TooManyRows>;

impl Builder {
    /// The rows of the public inputs, of `zero` and of `one`: step 1 of the sequence.
    pub(super) fn new(public_inputs: usize, keeps: bool, k: u32) -> Result<Self> {
        let zero = Variable(u32::try_from(public_inputs).map_err(|_| TooManyRows)?);
        let one = Variable(zero.0.checked_add(1).ok_or(TooManyRows)?);
        let made = Made::default();
        let mut builder = Self { keeps, k, made, rows: 0, zero, one };
        // `zero` follows the public inputs.
        for _ in 0..=public_inputs {
            builder.row(&Form::constant(Scalar::ZERO))?;
        }
        builder.row(&Form::constant(Scalar::ONE))?;
        Ok(builder)
    }

    fn variable(&mut self) -> Variable {
        // Rows are fewer than 2^16, and each creates two at most.
        debug_assert!(self.k <= MOST_K);
        let variable = Variable(self.made.variables as u32);
        self.made.variables += 1;
        variable
    }

    fn push(&mut self, form: &Form, q_e: Scalar) -> Result<Variable> {
        if self.rows + RANDOM >= 1 << self.k {
            return Err(TooManyRows);
        }
        self.rows += 1;
        let d = self.variable();
        if self.keeps {
            self.made.rows.push(self.wired(form, q_e, d));
        }
        Ok(d)
    }

    /// The wires and factors of a form.
    fn wired(&self, form: &Form, q_e: Scalar, d: Variable) -> Row {
        let none = (self.zero, Scalar::ZERO);
        let (q_m, wires) = match form.product() {
            Some(&product) => {
                let (left, right) = (product.left, product.right);
                // Of a square the variable's own factor is taken along once.
                let q_b = if left == right { Scalar::ZERO } else { form.factor(right) };
                let c = form.beside().next().copied().unwrap_or(none);
                (product.factor, [(left, form.factor(left)), (right, q_b), c])
            }
            None => {
                let wire = |place| form.linear().get(place).copied().unwrap_or(none);
                (Scalar::ZERO, [wire(0), wire(1), wire(2)])
            }
        };
        let [(a, q_a), (b, q_b), (c, q_c)] = wires;
        Row { a, b, c, d, q_m, q_a, q_b, q_c, q_e, q_0: form.remainder() }
    }

    /// row(`F`).
    pub(super) fn row(&mut self, form: &Form) -> Result<Variable> {
        self.push(form, Scalar::ZERO)
    }

    /// A row as row(`F`) that takes in a value. The row of the cell is its own.
    pub(super) fn value(&mut self, form: &Form, cell: Cell) -> Result<Variable> {
        if self.keeps {
            self.made.cells.push(Cell { row: self.rows, ..cell });
        }
        self.push(form, Scalar::ONE)
    }

    /// let(`F`).
    pub(super) fn assign(&mut self, form: &Form) -> Result<Variable> {
        if let Some(variable) = form.as_variable() {
            return Ok(variable);
        }
        match form.as_constant() {
            Some(constant) if constant.is_zero() => Ok(self.zero),
            Some(constant) if constant.is_one() => Ok(self.one),
            _ => self.row(form),
        }
    }

    /// The form itself if it is affine, and else let of it.
    pub(super) fn affine(&mut self, form: Form) -> Result<Form> {
        if form.is_affine() {
            return Ok(form);
        }
        Ok(self.assign(&form)?.into())
    }

    /// `F ⊕ G`.
    pub(super) fn add(&mut self, left: &Form, right: &Form) -> Result<Form> {
        if let Some(sum) = left.plus(right) {
            return Ok(sum);
        }
        let (one, two): (Form, Form) = if !left.is_affine() && right.has_room() {
            (self.assign(left)?.into(), right.clone())
        } else if !right.is_affine() && left.has_room() {
            (left.clone(), self.assign(right)?.into())
        } else {
            (self.assign(left)?.into(), self.assign(right)?.into())
        };
        // A variable fits wherever there is room, and two variables fit together.
        let sum = one.plus(&two);
        debug_assert!(sum.is_some());
        Ok(sum.unwrap_or(one))
    }

    /// `F ⊖ G`.
    pub(super) fn subtract(&mut self, left: &Form, right: Form) -> Result<Form> {
        self.add(left, &right.scaled(-Scalar::ONE))
    }

    /// `F ⊗ G`.
    pub(super) fn multiply(&mut self, left: Form, right: Form) -> Result<Form> {
        if let Some(constant) = left.as_constant() {
            return Ok(right.scaled(constant));
        }
        if let Some(constant) = right.as_constant() {
            return Ok(left.scaled(constant));
        }
        let left = self.affine(left)?;
        let right = self.affine(right)?;
        Ok(left.times(&right))
    }

    /// inverse(`F`).
    pub(super) fn inverse(&mut self, form: Form) -> Result<Variable> {
        let form = self.affine(form)?;
        let variable = self.variable();
        if self.keeps {
            self.made.inverses.push(Inverse { row: self.rows, variable });
        }
        let product = self.row(&form.times(&variable.into()))?;
        self.equate(product, self.one);
        Ok(variable)
    }

    /// power(`v, m`), with `m ≥ 1`.
    pub(super) fn power(&mut self, base: Variable, exponent: u32) -> Result<Variable> {
        let mut power = base;
        for bit in (0..exponent.max(1).ilog2()).rev() {
            power = self.product(power, power)?;
            if exponent >> bit & 1 == 1 {
                power = self.product(power, base)?;
            }
        }
        Ok(power)
    }

    /// let(`F ⊗ G`).
    pub(super) fn product(
        &mut self,
        left: impl Into<Form>,
        right: impl Into<Form>,
    ) -> Result<Variable> {
        let product = self.multiply(left.into(), right.into())?;
        self.assign(&product)
    }

    /// Both variables are equal.
    pub(super) fn equate(&mut self, left: Variable, right: Variable) {
        if self.keeps {
            self.made.equalities.push([left, right]);
        }
    }
}
