//! The terms of a row in the running sum of its step.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::PrimeField},
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

use super::{
    format::{advice, constant, one, Format, QUADS},
    spec::STATE,
};

/// A function of FIPS 180-4 sections 4.1.2 and 4.1.3: the exclusive or of three rotations of a word, or of two and a
/// shift.
struct Sigma {
    column: usize,
    /// How many steps ago the word was written.
    steps: usize,
    rotations: [usize; 3],
    /// Whether the last one is a shift.
    shifts: bool,
}

/// The fixed columns that select the terms of a row.
#[derive(Clone, Debug)]
pub(super) struct Selectors {
    /// 1 on all rows.
    pub(super) bits: Column<Fixed>,
    /// 1 on the rows of a round, a column for each part of the word, the lowest first.
    pub(super) rounds: Vec<Column<Fixed>>,
    /// The same where the word of the message is scheduled.
    pub(super) schedules: Vec<Column<Fixed>>,
    /// 1 on one row of each part; on row 3 all are 0.
    pub(super) quads: [Column<Fixed>; QUADS - 1],
    /// 1 on the rows of a sum.
    pub(super) sum: Column<Fixed>,
}

impl Selectors {
    pub(super) fn new(meta: &mut ConstraintSystem<Fr>, format: &Format) -> Self {
        let parts = 0..format.parts();
        Self {
            bits: meta.fixed_column(),
            rounds: parts.clone().map(|_| meta.fixed_column()).collect(),
            schedules: parts.map(|_| meta.fixed_column()).collect(),
            quads: [(); QUADS - 1].map(|()| meta.fixed_column()),
            sum: meta.fixed_column(),
        }
    }
}

/// Queries of a lane's rows of bits.
pub(super) struct Query<'a, 'b> {
    meta: &'a mut VirtualCells<'b, Fr>,
    format: &'a Format,
    lane: &'a [Column<Advice>],
    bits: Expression<Fr>,
    rounds: Vec<Expression<Fr>>,
    schedules: Vec<Expression<Fr>>,
    quads: [Expression<Fr>; QUADS],
    sum: Expression<Fr>,
    /// Weights of a word's pieces.
    order: Vec<Expression<Fr>>,
}

impl<'a, 'b> Query<'a, 'b> {
    pub(super) fn new(
        meta: &'a mut VirtualCells<'b, Fr>,
        selectors: &Selectors,
        order: &[Column<Fixed>],
        (format, lane): (&'a Format, &'a [Column<Advice>]),
    ) -> Self {
        let mut fixed = |column: &Column<Fixed>| meta.query_fixed(*column, Rotation::cur());
        let bits = fixed(&selectors.bits);
        let [first, second, third] = selectors.quads.each_ref().map(&mut fixed);
        let fourth = bits.clone() - first.clone() - second.clone() - third.clone();
        Self {
            rounds: selectors.rounds.iter().map(&mut fixed).collect(),
            schedules: selectors.schedules.iter().map(&mut fixed).collect(),
            quads: [first, second, third, fourth],
            sum: fixed(&selectors.sum),
            order: order.iter().map(&mut fixed).collect(),
            bits,
            format,
            lane,
            meta,
        }
    }

    /// All terms of a row. Degree: a part times a row of it times a product of three bits, 5.
    pub(super) fn terms(&mut self) -> Expression<Fr> {
        let [a, e] = [0, self.format.e()].map(|column| self.bits(column, 0));
        let words = self.bits.clone() * (a.clone() + e.clone() * self.format.slot(1));
        let sums = self.sums([a, e]);
        words + self.sum.clone() * sums + self.round() + self.schedule()
    }

    /// The words of a hash value minus their summands. The first two slots have these words already.
    fn sums(&mut self, words: [Expression<Fr>; 2]) -> Expression<Fr> {
        let [a, e] = words;
        let [first, second] = self.format.sum_slots();
        self.sum(0, a, first) + self.sum(self.format.e(), e, second)
    }

    fn sum(&mut self, column: usize, word: Expression<Fr>, slot: usize) -> Expression<Fr> {
        let added = self.added(column);
        let sum = if slot > 1 { word + added } else { added };
        sum * self.format.slot(slot)
    }

    /// Minus the two summands of a word of a hash value.
    fn added(&mut self, column: usize) -> Expression<Fr> {
        -(self.bits(column, STATE) + self.bits(column, self.format.compression()))
    }

    /// `a' + d - Σ₀ - Maj - e'` and `e' - d - h - Σ₁ - Ch - w`, without the leading `a'` and `e'`, which every step
    /// has; and `w` in the third slot.
    fn round(&mut self) -> Expression<Fr> {
        let [slot_1, slot_2] = [1, 2].map(|slot| self.format.slot(slot));
        let [e, w] = [self.format.e(), self.format.w()].map(|column| self.bits(column, 0));
        let [d, h] = [0, self.format.e()].map(|column| self.bits(column, 4));
        let majority = self.bitwise(0, |[a, b, c]| {
            a.clone() * (b.clone() + c.clone() - b.clone() * c.clone() * Fr::from(2)) + b * c
        });
        let choice = self.bitwise(self.format.e(), |[e, f, g]| g.clone() + e * (f - g));
        let rounds = self.rounds.clone();
        let in_round = all(&rounds);
        let linear = (d.clone() - majority - e) + (-d - h - choice - w.clone()) * slot_1;
        let sigmas = self.large(0, &rounds) + self.large(1, &rounds) * slot_1;
        let read = if self.order.is_empty() { w } else { self.read(self.format.w()) };
        in_round * (linear + read * slot_2) - sigmas
    }

    /// Minus the summands of a scheduled word.
    fn schedule(&mut self) -> Expression<Fr> {
        let schedules = self.schedules.clone();
        let scheduled = all(&schedules);
        let words = self.bits(self.format.w(), 7) + self.bits(self.format.w(), 16);
        let sigmas = self.small(0, 15, &schedules) + self.small(1, 2, &schedules);
        (scheduled * words + sigmas) * -self.format.slot(2)
    }

    /// A row's part of a word, as its byte order weighs it.
    pub(super) fn read(&mut self, column: usize) -> Expression<Fr> {
        let (_, bits) = self.format.pieces();
        let pieces = self.order.clone().into_iter().enumerate().map(|(piece, weight)| {
            let first = column + bits * piece;
            let bit = |bit| advice(self.meta, self.lane, first + bit, 0);
            weight * together(bits, bit)
        });
        pieces.reduce(|sum, piece| sum + piece).expect("words have an order")
    }

    /// The bits of the row, `steps` steps ago.
    fn bits(&mut self, column: usize, steps: usize) -> Expression<Fr> {
        let rotation = -((self.format.step() * steps) as i32);
        together(self.format.bits, |bit| advice(self.meta, self.lane, column + bit, rotation))
    }

    /// A function of the bits of the last three steps.
    fn bitwise(
        &mut self,
        column: usize,
        function: impl Fn([Expression<Fr>; 3]) -> Expression<Fr>,
    ) -> Expression<Fr> {
        let step = self.format.step() as i32;
        together(self.format.bits, |bit| {
            function(
                [1, 2, 3]
                    .map(|steps: i32| advice(self.meta, self.lane, column + bit, -step * steps)),
            )
        })
    }

    /// `Σ₀` of the last `a` or `Σ₁` of the last `e`.
    fn large(&mut self, number: usize, parts: &[Expression<Fr>]) -> Expression<Fr> {
        let rotations = self.format.spec.large[number];
        let column = [0, self.format.e()][number];
        self.sigma(&Sigma { column, steps: 1, rotations, shifts: false }, parts)
    }

    /// `σ₀` or `σ₁` of the `w` of `steps` steps ago.
    fn small(&mut self, number: usize, steps: usize, parts: &[Expression<Fr>]) -> Expression<Fr> {
        let rotations = self.format.spec.small[number];
        self.sigma(&Sigma { column: self.format.w(), steps, rotations, shifts: true }, parts)
    }

    /// The bits of a sigma, on the rows of `parts`.
    ///
    /// With `b` bits in a row, bit `b·j + i` of the result takes bit `b·j + i + rotation` of the word, which lies
    /// `(i + rotation)/b` rows above; past the highest bit it wraps around to a whole step below that.
    ///
    /// The exclusive or of bits is `(1 - Π(1 - 2·bit))/2`.
    fn sigma(&mut self, sigma: &Sigma, parts: &[Expression<Fr>]) -> Expression<Fr> {
        let (bits, step, word) = (self.format.bits, self.format.step(), self.format.spec.word);
        let products = together(bits, |bit| {
            let mut borders: Vec<usize> = sigma
                .rotations
                .iter()
                .map(|rotation| word.saturating_sub(rotation + bit).div_ceil(bits))
                .collect();
            let end = self.format.rows_with(bit);
            borders.extend([0, end]);
            borders.sort_unstable();
            borders.dedup();
            let part = |border: &[usize]| {
                let signs = (0..3).filter_map(|i| self.turned(sigma, i, bits * border[0] + bit));
                let signs: Vec<_> = signs.map(|bit| one() - bit.clone() - bit).collect();
                let product = signs.into_iter().reduce(|product, sign| product * sign);
                let product = product.expect("two of three are no shifts");
                self.between(parts, border[0], border[1]) * product
            };
            let products = borders.windows(2).map(part).reduce(|sum, part| sum + part);
            let products = products.expect("a word has rows");
            if end < step {
                // Beyond the highest bit there is nothing to rotate: the product is 1.
                return products + self.between(parts, end, step);
            }
            products
        });
        let ones = constant((1 << bits) - 1) * all(parts);
        (ones - products) * Fr::TWO_INV
    }

    /// The bit of the word that rotation `i` moves to bit `target`, queried from the target's row; `None` if it is
    /// shifted out.
    fn turned(&mut self, sigma: &Sigma, i: usize, target: usize) -> Option<Expression<Fr>> {
        let Format { bits, spec } = self.format;
        let source = target + sigma.rotations[i];
        if source >= spec.word && sigma.shifts && i == 2 {
            return None;
        }
        let source = source % spec.word;
        let above = (source / bits) as i32 - (target / bits) as i32;
        let rotation = -((self.format.step() * sigma.steps) as i32) - above;
        Some(advice(self.meta, self.lane, sigma.column + source % bits, rotation))
    }

    /// 1 on the rows `first..end` of `parts`, counted from the lowest bits.
    fn between(&self, parts: &[Expression<Fr>], first: usize, end: usize) -> Expression<Fr> {
        let mut sum = constant(0);
        for (part, is_part) in parts.iter().enumerate() {
            let inside = (0..QUADS).filter(|quad| (first..end).contains(&(QUADS * part + quad)));
            let quads: Vec<_> = inside.map(|quad| self.quads[quad].clone()).collect();
            sum = match quads.len() {
                QUADS => sum + is_part.clone(),
                _ => quads.into_iter().fold(sum, |sum, quad| sum + is_part.clone() * quad),
            };
        }
        sum
    }
}

/// 1 on the rows of all parts.
fn all(parts: &[Expression<Fr>]) -> Expression<Fr> {
    let sum = parts.iter().cloned().reduce(|sum, part| sum + part);
    sum.expect("a step has parts")
}

/// `Σ 2^i·bitᵢ` over `bits` bits.
fn together(bits: usize, mut bit: impl FnMut(usize) -> Expression<Fr>) -> Expression<Fr> {
    let sum = (0..bits).map(|i| bit(i) * Fr::from(1 << i)).reduce(|sum, bit| sum + bit);
    sum.expect("a row has bits")
}
