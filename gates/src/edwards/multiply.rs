//! Multi-scalar multiplication with shared doublings.
//!
//! Scalars are written in odd signed digits: `Σ dᵢ·16ⁱ` with `dᵢ ∈ {±1, ±3, …, ±15}` gives each odd integer of absolute
//! value below `16ⁿ` once. No digit is zero, so a table holds eight points and each row adds one.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};
use num_bigint::{BigInt, BigUint};

use super::{
    rows::{FixedRow, Key, LaneRows, Projective, Row},
    steps::{Addend, Step},
    AssignedSum, AssignedTable, EdwardsChip, STRIDE, SUM, X1, X2, Y1, Y2,
};
use crate::place::Place;

/// Digits of a scalar modulo the order of the subgroup (251 bits).
pub const LONG_DIGITS: usize = 63;
/// Digits of a batching coefficient (128 bits).
pub const SHORT_DIGITS: usize = 32;

/// An odd integer below `2^252` in absolute value, as digits, the highest first.
#[derive(Clone, Debug)]
pub struct LongScalar {
    digits: [i8; LONG_DIGITS],
}

impl LongScalar {
    /// The digits of `value`.
    ///
    /// # Panics
    /// If `value` is even or not below `2^252` in absolute value.
    pub fn new(value: &BigInt) -> Self {
        let bound = BigInt::from(1) << (4 * LONG_DIGITS);
        let shifted: BigInt = (value + &bound - 1u8) >> 1;
        assert!(value.bit(0), "odd digits give odd scalars");
        let halves = shifted.to_biguint().expect("the scalar is above -2^252");
        assert!(halves.bits() <= 4 * LONG_DIGITS as u64, "the scalar is below 2^252");
        Self { digits: digits(&halves) }
    }
}

/// The odd integer `2·v - (2^128 - 1)` for a `v` of 128 bits, as digits, the highest first.
#[derive(Clone, Debug)]
pub struct ShortScalar {
    digits: [i8; SHORT_DIGITS],
}

impl ShortScalar {
    /// The digits of `2·v - (2^128 - 1)`.
    pub fn new(v: u128) -> Self {
        Self { digits: digits(&BigUint::from(v)) }
    }
}

/// Digit `2·e - 15` for each hexadecimal digit `e`, the highest first.
fn digits<const N: usize>(value: &BigUint) -> [i8; N] {
    let nibble = |i: usize| {
        let start = 4 * (N - 1 - i) as u64;
        (0..4).map(|bit| i8::from(value.bit(start + bit)) << bit).sum::<i8>()
    };
    std::array::from_fn(|i| 2 * nibble(i) - 15)
}

/// A digit as a field element.
fn to_field(digit: i8) -> Fr {
    let magnitude = Fr::from(u64::from(digit.unsigned_abs()));
    if digit < 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// Doublings of a window.
const DOUBLINGS: usize = 4;
/// Digits of a long scalar that stay above `2^144`.
const LONG_HIGH_DIGITS: usize = 27;
/// Digits of a short scalar that stay above `2^72`.
const SHORT_HIGH_DIGITS: usize = 14;

/// A point times a scalar modulo the order of the subgroup.
#[derive(Clone, Debug)]
pub struct LongTerm<'a> {
    /// Table of the point, in the lane of the product.
    pub table: &'a AssignedTable,
    /// Its scalar.
    pub scalar: LongScalar,
}

/// A point times a batching coefficient.
#[derive(Clone, Debug)]
pub struct ShortTerm<'a> {
    /// Table of the point, in the lane of the product.
    pub table: &'a AssignedTable,
    /// Its scalar.
    pub scalar: ShortScalar,
}

/// The word of whoever made it that a scalar of a product is bound: code that constrains a scalar makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundScalar {
    lane: usize,
    /// The row of the scalar's first digit.
    row: usize,
}

/// Cells of a long scalar `t`, which is the prover's choice until something binds it.
#[derive(Clone, Debug)]
pub struct AssignedLong {
    scalar: BoundScalar,
    /// `t`, odd and below `2^252` in absolute value.
    pub value: AssignedValue<Fr>,
    /// The digits of `t` from `2^144` up: `|t - 2^144·high| < 2^144`.
    pub high: AssignedValue<Fr>,
}

impl AssignedLong {
    /// For callers that have constrained it.
    pub fn assume_bound(&self) -> BoundScalar {
        self.scalar
    }
}

/// Cells of the running sum around a short scalar `z`: `z = end - 2^128·start`, the prover's choice until
/// something binds it.
#[derive(Clone, Debug)]
pub struct AssignedShort {
    scalar: BoundScalar,
    /// The sum before the digits of `z`.
    pub start: AssignedValue<Fr>,
    /// The sum after the digits of `z` from `2^72` up: `|end - 2^72·high| < 2^72`.
    pub high: AssignedValue<Fr>,
    /// The sum after the digits of `z`.
    pub end: AssignedValue<Fr>,
}

impl AssignedShort {
    /// For callers that have constrained it.
    pub fn assume_bound(&self) -> BoundScalar {
        self.scalar
    }
}

/// A product and the cells of its scalars. Its point is released once each of them is bound.
#[derive(Clone, Debug)]
pub struct Product {
    sum: AssignedSum,
    /// In the order of the long terms.
    pub long: Vec<AssignedLong>,
    /// In the order of the short terms.
    pub short: Vec<AssignedShort>,
}

impl Product {
    /// The point.
    ///
    /// # Panics
    /// If a scalar is not among those that are `bound`: the prover could choose it, and with it the point.
    pub fn point(&self, bound: &[BoundScalar]) -> AssignedSum {
        let long = self.long.iter().map(AssignedLong::assume_bound);
        let mut scalars = long.chain(self.short.iter().map(AssignedShort::assume_bound));
        assert!(scalars.all(|scalar| bound.contains(&scalar)), "a scalar that nothing binds");
        self.sum
    }

    /// The point, whatever its scalars.
    #[cfg(debug_assertions)]
    pub fn unbound_point(&self) -> AssignedSum {
        self.sum
    }
}

/// First rows of the blocks of a product, each [`STRIDE`] rows.
pub(super) struct Blocks {
    pub(super) double: usize,
    pub(super) long: usize,
    /// Where the windows end after the long terms.
    join: usize,
    pub(super) short: usize,
    /// Where the low windows end.
    end: usize,
    rows: usize,
}

impl Blocks {
    pub(super) fn new(first: usize, long: usize, short: usize) -> Self {
        let at = |blocks: usize| first + blocks * STRIDE;
        let pairs = short.div_ceil(2);
        let join = DOUBLINGS + long;
        let end = if pairs == 0 { join } else { join + 1 + pairs };
        Self {
            double: first,
            long: at(DOUBLINGS),
            join: at(join),
            short: at(join + 1),
            end: at(end),
            rows: at(end + 1) - first,
        }
    }

    /// Row where the window that starts at `row` of the first block ends.
    fn window_end(&self, row: usize) -> usize {
        row + if row < SHORT_DIGITS { self.join } else { self.end }
    }
}

impl EdwardsChip {
    /// Records `Σ tᵢ·Pᵢ + Σ zⱼ·Rⱼ` in `lane`.
    ///
    /// Row `r` of a block belongs to window `63 - r`; row 0 is idle. A window starts with the
    /// result of the window above it, doubles it four times, adds one table entry per term, and
    /// passes on:
    ///
    /// ```text
    /// blocks   rows 1..32 (high windows)        rows 32..64 (low windows)
    /// 4        double                           double
    /// long     digits of t                      digits of t
    /// 1        ends                             to the first row of the left half below
    /// short/2  low windows: digits of even z    low windows: digits of odd z
    /// 1        to the first row on the right    ends
    /// ```
    ///
    /// Short terms have digits only in the low windows, so two of them share a block: a low window
    /// runs through the left halves of the blocks (rows 0 to 31), then through the right ones.
    ///
    /// # Panics
    /// If a term's table is of another lane, or the number of short terms is odd.
    pub fn multiply(&self, lane: usize, long: &[LongTerm], short: &[ShortTerm]) -> Product {
        assert!(short.len().is_multiple_of(2), "short terms come in pairs");
        let tables = long.iter().map(|t| t.table).chain(short.iter().map(|t| t.table));
        assert!(tables.into_iter().all(|table| table.lane == lane), "tables lie in the lane");
        let mut guard = self.lanes[lane].borrow_mut();
        let rows = &mut *guard;
        let first = rows.rows.len();
        let blocks = Blocks::new(first, long.len(), short.len());
        rows.extend(blocks.rows);
        lay_out(rows, &blocks, long, short);
        if !self.counts_only() {
            let accumulators = accumulate(rows, &blocks, long.len(), short.len());
            rows.put_accumulators(&accumulators);
        }
        self.link_windows(lane, rows, &blocks, !short.is_empty());
        if !self.counts_only() {
            rows.finish(first);
        }

        let long = (0..long.len())
            .map(|i| self.long_cells(lane, rows, blocks.long + i * STRIDE))
            .collect();
        let short = (0..short.len())
            .map(|i| {
                let start = blocks.short + i * SHORT_DIGITS;
                AssignedShort {
                    scalar: BoundScalar { lane, row: start },
                    start: self.name(lane, rows, (start, SUM)),
                    high: self.name(lane, rows, (start + SHORT_HIGH_DIGITS, SUM)),
                    end: self.name(lane, rows, (start + SHORT_DIGITS, SUM)),
                }
            })
            .collect();
        let last = blocks.end + STRIDE - 1;
        let x = self.name(lane, rows, (last, X1));
        let y = self.name(lane, rows, (last, Y1));
        Product { sum: AssignedSum { x, y }, long, short }
    }

    /// Binds each window's start to the result of the window above it, and links a low window's way through the short
    /// terms.
    fn link_windows(&self, lane: usize, rows: &mut LaneRows, blocks: &Blocks, chained: bool) {
        for (column, value) in [(X1, Fr::zero()), (Y1, Fr::one())] {
            self.bind(lane, rows, (blocks.double + 1, column), &QuantumCell::Constant(value));
        }
        for row in 2..STRIDE {
            self.pass_on(lane, rows, blocks.window_end(row - 1), blocks.double + row);
        }
        for row in (0..SHORT_DIGITS).filter(|_| chained) {
            let right = SHORT_DIGITS + row;
            self.pass_on(lane, rows, blocks.join + right, blocks.short + row);
            self.pass_on(lane, rows, blocks.end + row, blocks.short + right);
        }
    }

    fn long_cells(&self, lane: usize, rows: &mut LaneRows, block: usize) -> AssignedLong {
        self.bind(lane, rows, (block + 1, SUM), &QuantumCell::Constant(Fr::zero()));
        AssignedLong {
            scalar: BoundScalar { lane, row: block + 1 },
            value: self.name(lane, rows, (block + STRIDE, SUM)),
            high: self.name(lane, rows, (block + 1 + LONG_HIGH_DIGITS, SUM)),
        }
    }
}

/// Writes the fixed cells, the addends and the running sums of a product.
fn lay_out(rows: &mut LaneRows, blocks: &Blocks, long: &[LongTerm], short: &[ShortTerm]) {
    let add =
        FixedRow { step: Step::Far, multiple: 1, place: Place::here(), ..FixedRow::default() };
    for block in 0..DOUBLINGS {
        for row in 1..STRIDE {
            rows.rows[blocks.double + block * STRIDE + row].fixed =
                FixedRow { addend: Addend::Double, ..add.clone() };
        }
    }
    for (i, term) in long.iter().enumerate() {
        let block = blocks.long + i * STRIDE;
        put_digits(rows, block + STRIDE - LONG_DIGITS, term.table.index, &term.scalar.digits);
    }
    for (i, term) in short.iter().enumerate() {
        let start = blocks.short + i * SHORT_DIGITS;
        put_digits(rows, start, term.table.index, &term.scalar.digits);
    }
}

/// Writes the rows of one scalar's digits, continuing the running sum of the first row.
#[track_caller]
fn put_digits(rows: &mut LaneRows, start: usize, table: usize, digits: &[i8]) {
    for (i, &digit) in digits.iter().enumerate() {
        let (x, y) = rows.tables[table][usize::from(digit.unsigned_abs() / 2)];
        let row = &mut rows.rows[start + i];
        row.fixed = FixedRow {
            step: Step::Far,
            multiple: 1,
            lookup: true,
            key: Key::Wanted(AssignedTable::key(table)),
            place: Place::here(),
            ..FixedRow::default()
        };
        row.advice[X2] = if digit < 0 { -x } else { x };
        row.advice[Y2] = y;
        let sum = Fr::from(16) * row.advice[SUM] + to_field(digit);
        rows.rows[start + i + 1].advice[SUM] = sum;
    }
}

/// Runs the windows from the highest to the lowest; returns every accumulator.
fn accumulate(
    rows: &LaneRows,
    blocks: &Blocks,
    long: usize,
    short: usize,
) -> Vec<(usize, Projective)> {
    let mut accumulators = Vec::with_capacity(blocks.rows);
    let mut chain = |start: usize, steps: usize, mut point: Projective| {
        for row in (start..).step_by(STRIDE).take(steps) {
            accumulators.push((row, point));
            let Row { advice, fixed } = &rows.rows[row];
            let addend = Projective::new((advice[X2], advice[Y2]));
            point = if fixed.addend.is_double() { point.double() } else { point.add(&addend) };
        }
        accumulators.push((start + steps * STRIDE, point));
        point
    };
    let mut point = Projective::IDENTITY;
    for row in 1..STRIDE {
        point = chain(blocks.double + row, DOUBLINGS + long, point);
        if short > 0 && row >= SHORT_DIGITS {
            point = chain(blocks.short + row - SHORT_DIGITS, short / 2, point);
            point = chain(blocks.short + row, short / 2, point);
        }
    }
    accumulators
}
