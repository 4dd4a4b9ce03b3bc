//! The rows of a relation.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use super::{
    equation::{Equation, Sums},
    search::{LimbWidths, Search},
};
use muster_schemes::field::foreign::{Format, Widths};

/// What determines the columns of the gate, together with the width of a lookup.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForeignLayout {
    /// Columns of running sums, each with a lookup argument.
    pub columns: usize,
    /// Bits of an element.
    pub element_bits: usize,
    /// Bits of a limb.
    pub limb_bits: usize,
    /// Limbs for each carry.
    pub group: usize,
    /// Bits of a quotient.
    pub quotient_bits: usize,
    /// Bits of a carry.
    pub carry_bits: usize,
    /// Carries.
    pub carries: usize,
    /// What the sums of equations may be made of.
    #[serde(default, skip_serializing_if = "Sums::are_default")]
    pub sums: Sums,
}

impl ForeignLayout {
    /// The narrowest limbs and ranges that serve `equations` with lookups of `lookup_bits` bits. All elements have as
    /// many bits as the longest prime, also those of shorter ones, such as the order of a curve.
    ///
    /// # Panics
    /// If there are no equations, or their bounds do not hold.
    pub fn new(
        native: &BigUint,
        lookup_bits: usize,
        columns: usize,
        equations: &[Equation],
    ) -> Self {
        let search = Search::new(native, lookup_bits, equations);
        let limbs = search.cheapest();
        Self::with(columns, search, limbs)
    }

    /// The answer to [a search](Self::new) that was made before, whose key this is.
    ///
    /// # Panics
    /// If there are no equations.
    pub fn known(
        native: &BigUint,
        lookup_bits: usize,
        columns: usize,
        equations: &[Equation],
        answer: impl FnOnce(u64) -> Option<LimbWidths>,
    ) -> Self {
        let search = Search::new(native, lookup_bits, equations);
        let limbs = answer(search.key()).unwrap_or_else(|| search.cheapest());
        Self::with(columns, search, limbs)
    }

    fn with(columns: usize, search: Search<'_>, limbs: LimbWidths) -> Self {
        let LimbWidths { limb_bits, group, quotient_bits, carry_bits, carries } = limbs;
        let (element_bits, sums) = search.elements();
        Self { columns, element_bits, limb_bits, group, quotient_bits, carry_bits, carries, sums }
    }

    pub(super) fn widths(&self) -> Widths {
        Widths { quotient: self.quotient_bits, carry: self.carry_bits, carries: self.carries }
    }
}

/// Part of a number: a running sum of lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) column: usize,
    /// Row of the whole piece; each following row drops one lookup.
    pub(super) row: usize,
    pub(super) lookups: usize,
    /// How many lookups of the number are below the piece.
    pub(super) below: usize,
}

/// Where the numbers of a relation are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    format: Format,
    widths: Widths,
    sums: Sums,
    /// Of [`Self::sums`], which are long: the operands, and whether digits ask.
    operands: usize,
    asks: bool,
    columns: usize,
    rows: usize,
    /// The limbs of the result, of the quotient and the carries, each in pieces.
    pub(super) result: Vec<Vec<Piece>>,
    pub(super) quotient: Vec<Vec<Piece>>,
    pub(super) carries: Vec<Vec<Piece>>,
    /// The top digit of the result, shifted to the top of a lookup.
    pub(super) spare: Option<Piece>,
}

/// Cells of the operands' columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandCell {
    /// A limb of an operand.
    Limb(usize, usize),
    /// A limb of the result that has several pieces.
    Whole(usize),
    /// The sign and the magnitude of the digit that asks for an entry.
    Sign,
    Magnitude,
    /// The running sum of a scalar, before and after the digit.
    Before,
    After,
    /// The difference of first coordinates, and the inverse that shows it is not 0.
    Difference,
    Inverse,
}

/// The cells of a digit in order. Those that show a difference are last.
pub(super) const DIGIT_CELLS: [OperandCell; 6] = [
    OperandCell::Sign,
    OperandCell::Magnitude,
    OperandCell::Before,
    OperandCell::After,
    OperandCell::Difference,
    OperandCell::Inverse,
];

/// The cells that show that `Y₀` does not vanish: no more than the limbs of an operand.
pub(super) const APART_CELLS: [OperandCell; 2] = [OperandCell::Difference, OperandCell::Inverse];

/// Cells of the fixed columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FixedCell {
    /// A factor of a sum.
    Factor(usize, usize),
    Modulus(usize),
    Constant,
    GroupConstant(usize),
}

impl Block {
    /// The block of `layout` with lookups of `lookup_bits` bits, in as few rows as these take. A gate without digits
    /// that has an equation that is apart takes the number of rows with the fewest cells.
    ///
    /// # Panics
    /// If the layout was not made by [`ForeignLayout::new`].
    pub fn new(native: BigUint, layout: &ForeignLayout, lookup_bits: usize) -> Self {
        assert!(layout.columns > 0, "the gate has columns");
        let shape = (layout.limb_bits, layout.group);
        let format = Format::of_bits(native, layout.element_bits, shape, lookup_bits);
        let fewest = Self::of_rows(&format, layout, None);
        if layout.sums.asks() || !layout.sums.apart() {
            return fewest;
        }
        // One more row may save a column of operands; more rows than there are such cells never do.
        let most = fewest.operand_cells().max(fewest.rows);
        let blocks = (fewest.rows..=most).map(|rows| Self::of_rows(&format, layout, Some(rows)));
        blocks.min_by_key(Self::cells).expect("the fewest rows are among them")
    }

    /// The block of `rows` rows, or of as few as its lookups take.
    fn of_rows(format: &Format, layout: &ForeignLayout, rows: Option<usize>) -> Self {
        let widths = layout.widths();
        let lookups = |bits: usize| bits.div_ceil(format.lookup_bits());
        let limbs = |bits| format.limb_widths(bits).into_iter().map(lookups).collect::<Vec<_>>();
        let (result, quotient) = (limbs(format.element_bits()), limbs(widths.quotient));
        let carries = vec![lookups(widths.carry); widths.carries];
        let spare = usize::from(format.spare_bits() > 0);
        let total: usize = result.iter().chain(&quotient).chain(&carries).sum::<usize>() + spare;
        let rows = rows.unwrap_or_else(|| total.div_ceil(layout.columns));
        let mut space = Space { rows, used: 0 };
        let pour = |space: &mut Space, numbers: &[usize]| {
            numbers.iter().map(|lookups| space.pieces(*lookups)).collect()
        };
        let result = pour(&mut space, &result);
        let quotient = pour(&mut space, &quotient);
        let carries = pour(&mut space, &carries);
        let spare = (spare > 0).then(|| space.pieces(1)[0]);
        let (format, columns, sums) = (format.clone(), layout.columns, layout.sums.clone());
        let (operands, asks) = (sums.operands(), sums.asks());
        Self {
            format,
            widths,
            sums,
            operands,
            asks,
            columns,
            rows,
            result,
            quotient,
            carries,
            spare,
        }
    }

    /// Limbs.
    pub fn format(&self) -> &Format {
        &self.format
    }

    pub(super) fn widths(&self) -> Widths {
        self.widths
    }

    pub(super) fn sums(&self) -> &Sums {
        &self.sums
    }

    /// Operands of a relation.
    pub(super) fn operands(&self) -> usize {
        self.operands
    }

    /// Whether digits ask for the entries of tables.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    /// Rows of a relation.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of running sums.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Columns of operands.
    pub fn operand_columns(&self) -> usize {
        self.operand_cells().div_ceil(self.rows)
    }

    /// Columns of factors and constants.
    pub(super) fn fixed_columns(&self) -> usize {
        (self.fixed(FixedCell::GroupConstant(self.widths.carries - 1)) + 1).div_ceil(self.rows)
    }

    /// Lookups of a relation.
    pub fn lookups(&self) -> usize {
        self.pieces().map(|piece| piece.lookups).sum()
    }

    /// Advice cells of a relation, including idle ones.
    pub fn cells(&self) -> usize {
        (self.columns + self.operand_columns()) * self.rows
    }

    /// Bits of a group of limbs.
    pub(super) fn group_bits(&self) -> usize {
        self.format.group() * self.format.limb_bits()
    }

    /// Cells of operands, including those of digits and of whole limbs.
    pub fn operand_cells(&self) -> usize {
        self.first_whole() + self.split_limbs().count()
    }

    /// The cells after those of operands: those of a digit if digits ask, or only those of a difference if no operand
    /// is idle.
    pub(super) fn other_cells(&self) -> &'static [OperandCell] {
        if self.asks {
            &DIGIT_CELLS
        } else if self.sums.apart() && self.sums.idle().is_none() {
            &APART_CELLS
        } else {
            &[]
        }
    }

    /// Number of the first cell of a whole limb, after those of digits and differences, if any.
    pub(super) fn first_whole(&self) -> usize {
        self.operands * self.format.limbs() + self.other_cells().len()
    }

    /// Limbs of the result that have several pieces.
    pub(super) fn split_limbs(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.result.len()).filter(|limb| self.result[*limb].len() > 1)
    }

    /// Number of an operand's cell. Those of digits exist if digits ask; those of a difference also if an equation
    /// constrains it, and may then be the first cells of an operand that is not given there.
    pub(super) fn operand(&self, cell: OperandCell) -> usize {
        let limbs = self.format.limbs();
        match cell {
            OperandCell::Limb(operand, limb) => operand * limbs + limb,
            OperandCell::Whole(limb) => {
                let before = self.split_limbs().take_while(|split| *split < limb).count();
                self.first_whole() + before
            }
            other => {
                let idle = if self.asks { None } else { self.sums.idle() };
                let (first, cells) = match idle {
                    Some(idle) => (idle, &APART_CELLS[..]),
                    None => (self.operands, self.other_cells()),
                };
                let place = cells.iter().position(|cell| *cell == other);
                first * limbs + place.expect("the gate was made for such cells")
            }
        }
    }

    /// The part of a place that binds an operand's cell. All limbs of an operand are one part.
    pub(super) fn part(&self, cell: OperandCell) -> usize {
        match cell {
            OperandCell::Limb(operand, _) => operand,
            other => {
                let operands = self.operands;
                operands + self.operand(other) - operands * self.format.limbs()
            }
        }
    }

    /// Number of a fixed cell.
    pub(super) fn fixed(&self, cell: FixedCell) -> usize {
        let before = |sum: usize| self.sums.all().take(sum).map(<[_]>::len).sum::<usize>();
        let factors = before(usize::MAX);
        match cell {
            FixedCell::Factor(sum, place) => before(sum) + place,
            FixedCell::Modulus(limb) => factors + limb,
            FixedCell::Constant => factors + self.format.limbs(),
            FixedCell::GroupConstant(group) => factors + self.format.limbs() + 1 + group,
        }
    }

    /// Column and row of the cell with this number.
    pub(super) fn place(&self, number: usize) -> (usize, usize) {
        (number / self.rows, number % self.rows)
    }

    /// Column and row of the top digit of the result.
    pub(super) fn top_digit(&self) -> (usize, usize) {
        let top = self.result.iter().flatten().last().expect("a result has limbs");
        (top.column, top.row + top.lookups - 1)
    }

    /// All pieces.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        let numbers = self.result.iter().chain(&self.quotient).chain(&self.carries);
        numbers.flatten().chain(&self.spare)
    }

    /// For each column of running sums, the rows after which a sum goes on.
    pub(super) fn patterns(&self) -> Vec<Vec<bool>> {
        let mut patterns = vec![vec![false; self.rows]; self.columns];
        for piece in self.pieces() {
            let last = piece.row + piece.lookups - 1;
            patterns[piece.column][piece.row..last].fill(true);
        }
        patterns
    }
}

/// Cells of the columns of running sums, filled one column after the other.
struct Space {
    rows: usize,
    used: usize,
}

impl Space {
    /// The pieces of a number of `lookups` lookups, as many as it takes.
    fn pieces(&mut self, lookups: usize) -> Vec<Piece> {
        let (mut pieces, mut below) = (vec![], 0);
        while below < lookups {
            let (column, row) = (self.used / self.rows, self.used % self.rows);
            let length = (lookups - below).min(self.rows - row);
            self.used += length;
            pieces.push(Piece { column, row, lookups: length, below });
            below += length;
        }
        pieces
    }
}
