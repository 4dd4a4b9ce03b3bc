//! The terms of a row in the running sum of its step.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, Expression, VirtualCells},
    poly::Rotation,
};

use super::{
    advice, constant, one,
    rows::{COMPRESSION, PAIRS, STATE, STEP},
    slot, Sha256Config, A, E, W, WIDTH,
};

/// Bits of a word.
const BITS: usize = 2 * PAIRS;

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

/// Queries of a lane's rows of bits.
pub(super) struct Query<'a, 'b> {
    meta: &'a mut VirtualCells<'b, Fr>,
    lane: &'a [Column<Advice>; WIDTH],
    bits: Expression<Fr>,
    rounds: [Expression<Fr>; 4],
    schedules: [Expression<Fr>; 4],
    pairs: [Expression<Fr>; 4],
    sum: Expression<Fr>,
}

impl<'a, 'b> Query<'a, 'b> {
    pub(super) fn new(
        meta: &'a mut VirtualCells<'b, Fr>,
        config: &Sha256Config,
        lane: &'a [Column<Advice>; WIDTH],
    ) -> Self {
        let mut fixed = |column| meta.query_fixed(column, Rotation::cur());
        let bits = fixed(config.bits);
        let [first, second, third] = config.pairs.map(&mut fixed);
        let fourth = bits.clone() - first.clone() - second.clone() - third.clone();
        Self {
            rounds: config.rounds.map(&mut fixed),
            schedules: config.schedules.map(&mut fixed),
            pairs: [first, second, third, fourth],
            sum: fixed(config.sum),
            bits,
            lane,
            meta,
        }
    }

    /// All terms of a row. Degree: a quarter times a pair times a product of three bits is 5.
    pub(super) fn terms(&mut self) -> Expression<Fr> {
        let [a, e] = [A, E].map(|column| self.pair(column, 0));
        let words = self.bits.clone() * (a.clone() + e.clone() * slot(1));
        let sums = (a + self.added(A)) * slot(2) + (e + self.added(E)) * slot(3);
        words + self.sum.clone() * sums + self.round() + self.schedule()
    }

    /// Less the two words that a word of a hash value is the sum of.
    fn added(&mut self, column: usize) -> Expression<Fr> {
        -(self.pair(column, STATE) + self.pair(column, COMPRESSION))
    }

    /// `a' + d - Σ₀ - Maj - e'` and `e' - d - h - Σ₁ - Ch - w`, but for `a'` and `e'` themselves, and `w`.
    fn round(&mut self) -> Expression<Fr> {
        let [e, w] = [E, W].map(|column| self.pair(column, 0));
        let [d, h] = [A, E].map(|column| self.pair(column, 4));
        let majority = self.bitwise(A, |[a, b, c]| {
            a.clone() * (b.clone() + c.clone() - b.clone() * c.clone() * Fr::from(2)) + b * c
        });
        let choice = self.bitwise(E, |[e, f, g]| g.clone() + e * (f - g));
        let rounds = self.rounds.clone();
        let in_round =
            rounds.iter().cloned().reduce(|sum, next| sum + next).expect("four quarters");
        let linear = (d.clone() - majority - e) + (-d - h - choice - w.clone()) * slot(1);
        let sigmas = self.sigma(&LARGE_0, &rounds) + self.sigma(&LARGE_1, &rounds) * slot(1);
        in_round * (linear + w * slot(2)) - sigmas
    }

    /// Less what a scheduled word is the sum of.
    fn schedule(&mut self) -> Expression<Fr> {
        let schedules = self.schedules.clone();
        let scheduled =
            schedules.iter().cloned().reduce(|sum, next| sum + next).expect("four quarters");
        let words = self.pair(W, 7) + self.pair(W, 16);
        let sigmas = self.sigma(&SMALL_0, &schedules) + self.sigma(&SMALL_1, &schedules);
        (scheduled * words + sigmas) * -slot(2)
    }

    /// Both bits of the row, `steps` steps ago.
    fn pair(&mut self, column: usize, steps: usize) -> Expression<Fr> {
        let mut bit = |column| advice(self.meta, self.lane, column, -((STEP * steps) as i32));
        bit(column) + bit(column + 1) * Fr::from(2)
    }

    /// A function of the bits of the last three steps.
    fn bitwise(
        &mut self,
        column: usize,
        function: impl Fn([Expression<Fr>; 3]) -> Expression<Fr>,
    ) -> Expression<Fr> {
        let mut bit = |upper: usize| {
            function([1, 2, 3].map(|steps: i32| {
                advice(self.meta, self.lane, column + upper, -(STEP as i32) * steps)
            }))
        };
        bit(0) + bit(1) * Fr::from(2)
    }

    /// Both bits of a sigma, on the rows of `quarters`.
    ///
    /// Bit `2j + upper` of the result takes bit `2j + upper + rotation` of the word, which lies
    /// `(upper + rotation)/2` rows above; where that is beyond the highest bit, 16 rows below that.
    fn sigma(&mut self, sigma: &Sigma, quarters: &[Expression<Fr>; 4]) -> Expression<Fr> {
        let mut sum = constant(0);
        for upper in [0, 1] {
            let mut borders: Vec<usize> = sigma
                .rotations
                .iter()
                .map(|rotation| (BITS - rotation - upper).div_ceil(2))
                .collect();
            borders.extend([0, PAIRS]);
            borders.sort_unstable();
            borders.dedup();
            for border in borders.windows(2) {
                let is_between = self.between(quarters, border[0], border[1]);
                let bits: Vec<_> =
                    (0..3).filter_map(|i| self.turned(sigma, i, 2 * border[0] + upper)).collect();
                let xor = bits.into_iter().reduce(xor).expect("two of three are no shifts");
                sum = sum + is_between * xor * Fr::from(1 + upper as u64);
            }
        }
        sum
    }

    /// The bit of the word that goes to bit `target` in the way `i`, seen from the target's row; `None`
    /// where it is shifted out.
    fn turned(&mut self, sigma: &Sigma, i: usize, target: usize) -> Option<Expression<Fr>> {
        let source = target + sigma.rotations[i];
        if source >= BITS && sigma.shifts && i == 2 {
            return None;
        }
        let above = (source % BITS / 2) as i32 - (target / 2) as i32;
        let rotation = -((STEP * sigma.steps) as i32) - above;
        Some(advice(self.meta, self.lane, sigma.column + source % 2, rotation))
    }

    /// 1 on the pairs from `first` to before `end`, in the rows of `quarters`.
    fn between(&self, quarters: &[Expression<Fr>; 4], first: usize, end: usize) -> Expression<Fr> {
        let mut sum = constant(0);
        for (quarter, is_quarter) in quarters.iter().enumerate() {
            let inside = (0..4).filter(|pair| (first..end).contains(&(4 * quarter + pair)));
            let pairs: Vec<_> = inside.map(|pair| self.pairs[pair].clone()).collect();
            sum = match pairs.len() {
                4 => sum + is_quarter.clone(),
                _ => pairs.into_iter().fold(sum, |sum, pair| sum + is_quarter.clone() * pair),
            };
        }
        sum
    }
}

/// `x ⊕ y` of two bits.
fn xor(x: Expression<Fr>, y: Expression<Fr>) -> Expression<Fr> {
    let [two, one] = [constant(2), one()];
    x.clone() * (one - two * y.clone()) + y
}
