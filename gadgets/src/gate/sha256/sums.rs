//! The terms of a row in the running sum of its step.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::PrimeField},
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

use super::{
    columns::{advice, constant, one, slot, A, BITS, E, W, WIDTH},
    rows::{COMPRESSION, STATE, STEP},
};

/// Bits of a word.
const WORD: usize = BITS * STEP;

/// A function of FIPS 180-4 section 4.1.2: the exclusive or of three turned words, or of two and a shifted one.
struct Sigma {
    column: usize,
    /// How many steps ago the word was written.
    steps: usize,
    rotations: [usize; 3],
    /// Whether the last one is a shift.
    shifts: bool,
}

const LARGE_0: Sigma = Sigma { column: A, steps: 1, rotations: [2, 13, 22], shifts: false };
const LARGE_1: Sigma = Sigma { column: E, steps: 1, rotations: [6, 11, 25], shifts: false };
const SMALL_0: Sigma = Sigma { column: W, steps: 15, rotations: [7, 18, 3], shifts: true };
const SMALL_1: Sigma = Sigma { column: W, steps: 2, rotations: [17, 19, 10], shifts: true };

/// The fixed columns that select the terms of a row.
#[derive(Clone, Debug)]
pub(super) struct Selectors {
    /// 1 on all rows.
    pub(super) bits: Column<Fixed>,
    /// 1 on the rows of a round, a column for each half of the word.
    pub(super) rounds: [Column<Fixed>; 2],
    /// The same where the word of the message is scheduled.
    pub(super) schedules: [Column<Fixed>; 2],
    /// 1 on a row of each half; on row 3 none is.
    pub(super) quads: [Column<Fixed>; 3],
    /// 1 on the rows of a sum.
    pub(super) sum: Column<Fixed>,
}

impl Selectors {
    pub(super) fn new(meta: &mut ConstraintSystem<Fr>) -> Self {
        Self {
            bits: meta.fixed_column(),
            rounds: [(); 2].map(|()| meta.fixed_column()),
            schedules: [(); 2].map(|()| meta.fixed_column()),
            quads: [(); 3].map(|()| meta.fixed_column()),
            sum: meta.fixed_column(),
        }
    }
}

/// Queries of a lane's rows of bits.
pub(super) struct Query<'a, 'b> {
    meta: &'a mut VirtualCells<'b, Fr>,
    lane: &'a [Column<Advice>; WIDTH],
    bits: Expression<Fr>,
    rounds: [Expression<Fr>; 2],
    schedules: [Expression<Fr>; 2],
    quads: [Expression<Fr>; 4],
    sum: Expression<Fr>,
}

impl<'a, 'b> Query<'a, 'b> {
    pub(super) fn new(
        meta: &'a mut VirtualCells<'b, Fr>,
        selectors: &Selectors,
        lane: &'a [Column<Advice>; WIDTH],
    ) -> Self {
        let mut fixed = |column| meta.query_fixed(column, Rotation::cur());
        let bits = fixed(selectors.bits);
        let [first, second, third] = selectors.quads.map(&mut fixed);
        let fourth = bits.clone() - first.clone() - second.clone() - third.clone();
        Self {
            rounds: selectors.rounds.map(&mut fixed),
            schedules: selectors.schedules.map(&mut fixed),
            quads: [first, second, third, fourth],
            sum: fixed(selectors.sum),
            bits,
            lane,
            meta,
        }
    }

    /// All terms of a row. Degree: a half times a row of it times a product of three bits is 5.
    pub(super) fn terms(&mut self) -> Expression<Fr> {
        let [a, e] = [A, E].map(|column| self.bits(column, 0));
        let words = self.bits.clone() * (a.clone() + e.clone() * slot(1));
        let sums = (a + self.added(A)) * slot(2) + (e + self.added(E)) * slot(3);
        words + self.sum.clone() * sums + self.round() + self.schedule()
    }

    /// Less the two words that a word of a hash value is the sum of.
    fn added(&mut self, column: usize) -> Expression<Fr> {
        -(self.bits(column, STATE) + self.bits(column, COMPRESSION))
    }

    /// `a' + d - Σ₀ - Maj - e'` and `e' - d - h - Σ₁ - Ch - w`, but for `a'` and `e'` themselves, and `w`.
    fn round(&mut self) -> Expression<Fr> {
        let [e, w] = [E, W].map(|column| self.bits(column, 0));
        let [d, h] = [A, E].map(|column| self.bits(column, 4));
        let majority = self.bitwise(A, |[a, b, c]| {
            a.clone() * (b.clone() + c.clone() - b.clone() * c.clone() * Fr::from(2)) + b * c
        });
        let choice = self.bitwise(E, |[e, f, g]| g.clone() + e * (f - g));
        let rounds = self.rounds.clone();
        let in_round = rounds[0].clone() + rounds[1].clone();
        let linear = (d.clone() - majority - e) + (-d - h - choice - w.clone()) * slot(1);
        let sigmas = self.sigma(&LARGE_0, &rounds) + self.sigma(&LARGE_1, &rounds) * slot(1);
        in_round * (linear + w * slot(2)) - sigmas
    }

    /// Less what a scheduled word is the sum of.
    fn schedule(&mut self) -> Expression<Fr> {
        let schedules = self.schedules.clone();
        let scheduled = schedules[0].clone() + schedules[1].clone();
        let words = self.bits(W, 7) + self.bits(W, 16);
        let sigmas = self.sigma(&SMALL_0, &schedules) + self.sigma(&SMALL_1, &schedules);
        (scheduled * words + sigmas) * -slot(2)
    }

    /// The bits of the row, `steps` steps ago.
    fn bits(&mut self, column: usize, steps: usize) -> Expression<Fr> {
        let rotation = -((STEP * steps) as i32);
        together(|bit| advice(self.meta, self.lane, column + bit, rotation))
    }

    /// A function of the bits of the last three steps.
    fn bitwise(
        &mut self,
        column: usize,
        function: impl Fn([Expression<Fr>; 3]) -> Expression<Fr>,
    ) -> Expression<Fr> {
        together(|bit| {
            function([1, 2, 3].map(|steps: i32| {
                advice(self.meta, self.lane, column + bit, -(STEP as i32) * steps)
            }))
        })
    }

    /// The bits of a sigma, on the rows of `halves`.
    ///
    /// Bit `4·j + i` of the result takes bit `4·j + i + rotation` of the word, which lies
    /// `(i + rotation)/4` rows above; where that is beyond the highest bit, eight rows below that.
    ///
    /// The exclusive or of bits is `(1 - Π(1 - 2·bit))/2`.
    fn sigma(&mut self, sigma: &Sigma, halves: &[Expression<Fr>; 2]) -> Expression<Fr> {
        let products = together(|bit| {
            let mut borders: Vec<usize> = sigma
                .rotations
                .iter()
                .map(|rotation| (WORD - rotation - bit).div_ceil(BITS))
                .collect();
            borders.extend([0, STEP]);
            borders.sort_unstable();
            borders.dedup();
            let part = |border: &[usize]| {
                let signs = (0..3).filter_map(|i| self.turned(sigma, i, BITS * border[0] + bit));
                let signs: Vec<_> = signs.map(|bit| one() - bit.clone() - bit).collect();
                let product = signs.into_iter().reduce(|product, sign| product * sign);
                let product = product.expect("two of three are no shifts");
                self.between(halves, border[0], border[1]) * product
            };
            let parts = borders.windows(2).map(part).reduce(|sum, part| sum + part);
            parts.expect("a word has rows")
        });
        let all = constant((1 << BITS) - 1) * (halves[0].clone() + halves[1].clone());
        (all - products) * Fr::TWO_INV
    }

    /// The bit of the word that goes to bit `target` in the way `i`, seen from the target's row; `None`
    /// where it is shifted out.
    fn turned(&mut self, sigma: &Sigma, i: usize, target: usize) -> Option<Expression<Fr>> {
        let source = target + sigma.rotations[i];
        if source >= WORD && sigma.shifts && i == 2 {
            return None;
        }
        let above = (source % WORD / BITS) as i32 - (target / BITS) as i32;
        let rotation = -((STEP * sigma.steps) as i32) - above;
        Some(advice(self.meta, self.lane, sigma.column + source % BITS, rotation))
    }

    /// 1 on the rows from `first` to before `end`, counted from the lowest bits, of `halves`.
    fn between(&self, halves: &[Expression<Fr>; 2], first: usize, end: usize) -> Expression<Fr> {
        let mut sum = constant(0);
        for (half, is_half) in halves.iter().enumerate() {
            let inside = (0..4).filter(|quad| (first..end).contains(&(4 * half + quad)));
            let quads: Vec<_> = inside.map(|quad| self.quads[quad].clone()).collect();
            sum = match quads.len() {
                4 => sum + is_half.clone(),
                _ => quads.into_iter().fold(sum, |sum, quad| sum + is_half.clone() * quad),
            };
        }
        sum
    }
}

/// `Σ 2^i·bitᵢ` over the bits of a row.
fn together(mut bit: impl FnMut(usize) -> Expression<Fr>) -> Expression<Fr> {
    let sum = (0..BITS).map(|i| bit(i) * Fr::from(1 << i)).reduce(|sum, bit| sum + bit);
    sum.expect("a row has bits")
}
