//! Tables of odd multiples.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context, QuantumCell};

use super::{
    rows::{scale, FixedRow, Key, Projective},
    steps::{Addend, Step},
    EdwardsChip, MEMBER_BASE, X1, X2, Y1, Y2,
};
use crate::{chain::assert_sum, place::Place};
use muster_schemes::curve::edwards::SubgroupPoint;

/// Rows of the odd multiples `P, 3P, …, 15P`, with `2P` among them.
const MULTIPLES: usize = 9;
/// Rows from `Q` to `8Q`, the last one not counted.
const DOUBLINGS: usize = 3;

/// Where the point of a table comes from.
#[derive(Clone, Debug)]
pub enum TableSource {
    /// `P = 8·Q` for a witnessed `Q` on the curve: `P` lies in the subgroup of prime order.
    EighthOf {
        /// Coordinates of `Q`.
        q: (Fr, Fr),
    },
    /// A constant of the circuit.
    Constant(SubgroupPoint),
    /// A sum of multiples of points of the subgroup, which lies in it.
    Sum(AssignedSum),
    /// Coordinates about which nothing is known, to show what happens with them.
    #[cfg(debug_assertions)]
    Unchecked {
        /// First coordinate.
        x: QuantumCell<Fr>,
        /// Second coordinate.
        y: QuantumCell<Fr>,
    },
}

impl TableSource {
    /// The cells that the table's point is bound to, if it is not computed from a witness.
    fn known(&self) -> Option<[QuantumCell<Fr>; 2]> {
        match self {
            Self::EighthOf { .. } => None,
            Self::Constant(point) => Some([point.x(), point.y()].map(QuantumCell::Constant)),
            Self::Sum(sum) => Some([sum.x(), sum.y()].map(QuantumCell::Existing)),
            #[cfg(debug_assertions)]
            Self::Unchecked { x, y } => Some([*x, *y]),
        }
    }
}

/// A table, and the coordinates of its point.
#[derive(Clone, Debug)]
pub struct AssignedTable {
    pub(super) lane: usize,
    pub(super) index: usize,
    /// First coordinate of `P`.
    pub x: AssignedValue<Fr>,
    /// Second coordinate of `P`.
    pub y: AssignedValue<Fr>,
}

impl AssignedTable {
    /// Key of the table in the lookup: never 0, and below the keys of members.
    pub(super) fn key(index: usize) -> u64 {
        let key = index as u64 + 1;
        assert!(key < MEMBER_BASE, "keys of tables stay below the keys of members");
        key
    }
}

impl EdwardsChip {
    /// Records the table of a point of the subgroup other than the identity in `lane`. A point that is
    /// not a constant is constrained by `x·x⁻¹ = 1`: in a group of odd order only the identity has `x = 0`.
    #[track_caller]
    pub fn table(&self, ctx: &mut Context<Fr>, lane: usize, source: &TableSource) -> AssignedTable {
        let table = self.table_perhaps_identity(lane, source);
        if !matches!(source, TableSource::Constant(_)) {
            let inverse = Option::<Fr>::from(table.x.value().invert()).unwrap_or(Fr::zero());
            let [zero, one] = [0, 1].map(|c| QuantumCell::Constant(Fr::from(c)));
            let x = QuantumCell::Existing(table.x);
            assert_sum(ctx, zero, &[(x, QuantumCell::Witness(inverse))], one);
        }
        table
    }

    /// Records the table of a point in `lane`.
    ///
    /// ```text
    /// row  accumulator  addend        row  accumulator    addend
    ///  0   Q            Q  (double)    3   P     (entry)  P  (double)
    ///  1   2Q           2Q (double)    4   2P             P
    ///  2   4Q           4Q (double)    5   3P    (entry)  2P
    ///                                  …
    ///                                 11   15P   (entry)  -
    /// ```
    ///
    /// A known point starts at row 3. The accumulator of row 3 is taken as the addend of row 4,
    /// that of row 4 as the addend of row 5, which the rows below keep. The addend of every row,
    /// `Q` among them, is checked to be on the curve; `P` is not checked to differ from the
    /// identity.
    #[track_caller]
    pub fn table_perhaps_identity(&self, lane: usize, source: &TableSource) -> AssignedTable {
        let mut guard = self.lanes[lane].borrow_mut();
        let rows = &mut *guard;
        let known = source.known();
        let (start, doublings) = match (source, &known) {
            (_, Some([x, y])) => (Projective::new((*x.value(), *y.value())), 0),
            (TableSource::EighthOf { q }, None) => (Projective::new(*q), DOUBLINGS),
            (_, None) => unreachable!("all but an eighth are known"),
        };
        let first = rows.extend(doublings + MULTIPLES);
        let base = first + doublings;
        let index = rows.tables.len();
        for row in first..base + MULTIPLES {
            rows.rows[row].fixed = table_row(row as i64 - base as i64, AssignedTable::key(index));
        }
        if !self.counts_only() {
            rows.put_accumulators(&accumulators(first, base, start));
        }
        if let Some([x, y]) = &known {
            self.bind(lane, rows, (base, X1), x);
            self.bind(lane, rows, (base, Y1), y);
        }
        for i in 1..MULTIPLES - 1 {
            let source = rows.rows[base + usize::from(i > 1)].advice;
            let addend = &mut rows.rows[base + i].advice;
            (addend[X2], addend[Y2]) = (source[X1], source[Y1]);
        }
        // The last row adds nothing; the identity keeps its addend on the curve.
        rows.rows[base + MULTIPLES - 1].advice[Y2] = Fr::one();
        rows.finish(first);
        let entry = |i: usize| {
            let row = &rows.rows[base + if i == 0 { 0 } else { i + 1 }];
            (row.advice[X1] * scale(row.fixed.multiple), row.advice[Y1])
        };
        let entries = std::array::from_fn(entry);
        rows.tables.push(entries);
        let x = self.name(lane, rows, (base, X1));
        let y = self.name(lane, rows, (base, Y1));
        AssignedTable { lane, index, x, y }
    }
}

/// The accumulators of a table that begins in row `first` with `start`, and has `P` in row `base`.
fn accumulators(first: usize, base: usize, start: Projective) -> Vec<(usize, Projective)> {
    let doublings = base - first;
    let mut accumulators = vec![(first, start)];
    for row in first..=base {
        accumulators.push((row + 1, accumulators[row - first].1.double()));
    }
    let (point, twice) = (accumulators[doublings].1, accumulators[doublings + 1].1);
    for i in 1..MULTIPLES - 1 {
        let addend = if i == 1 { &point } else { &twice };
        accumulators.push((base + i + 1, accumulators[doublings + i].1.add(addend)));
    }
    accumulators
}

/// Fixed cells of a table's row, counted from the row of `P`.
fn table_row(row: i64, key: u64) -> FixedRow {
    let last = MULTIPLES as i64 - 1;
    let multiple = match row {
        0 => Some(1),
        row if row > 1 => Some(2 * row as u64 - 1),
        _ => None,
    };
    FixedRow {
        step: if row < last { Step::Next } else { Step::Idle },
        addend: match row {
            0 => Addend::DoubleTake,
            1 => Addend::Take,
            row if row < 0 => Addend::Double,
            row if row < last - 1 => Addend::Keep,
            _ => Addend::Free,
        },
        multiple: multiple.unwrap_or(1),
        key: multiple.map_or(Key::None, |_| Key::Entry(key)),
        place: Place::here(),
        ..FixedRow::default()
    }
}

/// A sum of multiples of points of the subgroup by scalars that are bound; it may be the identity.
#[derive(Clone, Copy, Debug)]
pub struct AssignedSum {
    pub(super) x: AssignedValue<Fr>,
    pub(super) y: AssignedValue<Fr>,
}

impl AssignedSum {
    /// First coordinate.
    pub fn x(&self) -> AssignedValue<Fr> {
        self.x
    }

    /// Second coordinate.
    pub fn y(&self) -> AssignedValue<Fr> {
        self.y
    }
}
