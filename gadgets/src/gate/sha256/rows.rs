//! The rows of a chain of compressions: fixed cells and values.

use ff::Field;
use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::fe_to_biguint};
use num_traits::ToPrimitive;

use super::columns::{slot, A, ACC, BITS, E, SHIFT, SIDE, W, WIDTH};
use crate::hash::sha256::native::{CONSTANTS, ROUNDS};

/// Words of a hash value in one column: four in `a`, four in `e`.
pub(super) const STATE: usize = 4;
/// Words of a block of the message.
pub(super) const MESSAGE: usize = 16;
/// Rows of a step: the bits of its words, four a row.
pub(super) const STEP: usize = 8;
/// Steps of a compression: its rounds, and the hash value after it.
pub(super) const COMPRESSION: usize = ROUNDS + STATE;

// Rows of a step, by what stands beside its running sum: words that are copied, and carries.
pub(super) const WORD_A: usize = 0;
pub(super) const WORD_E: usize = 1;
pub(super) const WORD_W: usize = 2;
pub(super) const CARRY_A: usize = 3;
pub(super) const CARRY_E: usize = 4;
pub(super) const CARRY_E_MORE: usize = 5;
pub(super) const CARRY_W: usize = 6;

/// Rows of a chain of `count` compressions.
pub(super) fn chain_rows(count: usize) -> usize {
    STEP * (STATE + COMPRESSION * count)
}

/// A step of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A word of `a` and one of `e` of the hash value that the chain begins with.
    First,
    /// A round.
    Round(usize),
    /// A word of each of the hash value after a compression.
    Sum,
}

impl Step {
    fn is_round(self) -> bool {
        matches!(self, Step::Round(_))
    }

    /// Whether the word of the message is scheduled.
    fn is_scheduled(self) -> bool {
        matches!(self, Step::Round(round) if round >= MESSAGE)
    }
}

pub(super) fn steps(count: usize) -> impl Iterator<Item = Step> {
    let compression = || (0..ROUNDS).map(Step::Round).chain(std::iter::repeat_n(Step::Sum, STATE));
    std::iter::repeat_n(Step::First, STATE).chain((0..count).flat_map(move |_| compression()))
}

/// Fixed cells of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedRow {
    /// Which half of a word the bits of a round belong to.
    pub(super) round: Option<usize>,
    /// The same where the word of the message is scheduled.
    pub(super) schedule: Option<usize>,
    /// Which row of a half.
    pub(super) quad: usize,
    /// 1 on the rows of a sum.
    pub(super) sum: u64,
    /// 1 where a carry stands.
    pub(super) carry: u64,
    /// Factor of the running sum in the row above.
    pub(super) growth: u64,
    /// 1 on the last row of a step.
    pub(super) last: u64,
    /// The constant of a round, on its last row.
    pub(super) constant: Fr,
}

/// The rows of a step, the highest bits first.
pub(super) fn fixed(step: Step) -> Vec<FixedRow> {
    let constant = match step {
        // The carry of `a` is between -1 and 2.
        Step::Round(t) => slot(1) * Fr::from(u64::from(CONSTANTS[t])) + Fr::from(SHIFT),
        _ => Fr::ZERO,
    };
    let row = |row: usize| {
        let quad = STEP - 1 - row;
        let half = Some(2 * quad / STEP);
        FixedRow {
            round: half.filter(|_| step.is_round()),
            schedule: half.filter(|_| step.is_scheduled()),
            quad: quad % (STEP / 2),
            sum: u64::from(step == Step::Sum),
            carry: u64::from((CARRY_A..=CARRY_W).contains(&row)),
            growth: if row == 0 { 0 } else { 1 << BITS },
            last: u64::from(quad == 0),
            constant: if quad == 0 { constant } else { Fr::ZERO },
        }
    };
    (0..STEP).map(row).collect()
}

/// Advice cells of a row.
pub(super) type AdviceRow = [Fr; WIDTH];

/// Words of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Words {
    a: u32,
    e: u32,
    w: u32,
}

/// Terms of the four sums of a step, with their signs.
type Terms = [Vec<(i64, u32)>; 4];

/// The values of a chain.
pub(super) struct Trace {
    words: Vec<Words>,
    pub(super) rows: Vec<AdviceRow>,
}

impl Trace {
    pub(super) fn new(first: &[u32; 8], messages: &[[u32; MESSAGE]]) -> Self {
        let rows = Vec::with_capacity(chain_rows(messages.len()));
        let mut trace = Self { words: vec![], rows };
        for i in (0..STATE).rev() {
            let words = Words { a: first[i], e: first[i + STATE], w: 0 };
            trace.push(words, Step::First, |_, _| Default::default());
        }
        for message in messages {
            for t in 0..ROUNDS {
                let words = trace.round(t, message);
                trace.push(words, Step::Round(t), Trace::round_terms);
            }
            for _ in 0..STATE {
                let [last, first] = [trace.back(STATE), trace.back(COMPRESSION)];
                let [a, e] = [(last.a, first.a), (last.e, first.e)].map(|(x, y)| x.wrapping_add(y));
                trace.push(Words { a, e, w: 0 }, Step::Sum, Trace::sum_terms);
            }
        }
        trace
    }

    /// The hash value at the end, or after the compression `number`.
    pub(super) fn value(&self, number: usize) -> [u32; 8] {
        let end = STATE + COMPRESSION * (number + 1);
        std::array::from_fn(|i| {
            let words = self.words[end - 1 - i % STATE];
            if i < STATE {
                words.a
            } else {
                words.e
            }
        })
    }

    /// The words `steps` before the step that comes next.
    fn back(&self, steps: usize) -> Words {
        self.words[self.words.len() - steps]
    }

    /// FIPS 180-4 section 6.2.2, step 3.
    fn round(&self, t: usize, message: &[u32; MESSAGE]) -> Words {
        let w = match message.get(t) {
            Some(word) => *word,
            None => self.schedule().into_iter().fold(0, u32::wrapping_add),
        };
        let [.., d, h] = self.inputs();
        let first = self.first_sum().into_iter().chain([CONSTANTS[t], w, h]);
        let first = first.fold(0, u32::wrapping_add);
        let second = self.second_sum().into_iter().fold(0, u32::wrapping_add);
        Words { a: first.wrapping_add(second), e: d.wrapping_add(first), w }
    }

    /// `d` and `h`.
    fn inputs(&self) -> [u32; 2] {
        [self.back(4).a, self.back(4).e]
    }

    /// Section 4.1.2: `Σ₁(e)` and `Ch(e, f, g)`.
    fn first_sum(&self) -> [u32; 2] {
        let [e, f, g] = [1, 2, 3].map(|i| self.back(i).e);
        [e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25), (e & f) ^ (!e & g)]
    }

    /// Section 4.1.2: `Σ₀(a)` and `Maj(a, b, c)`.
    fn second_sum(&self) -> [u32; 2] {
        let [a, b, c] = [1, 2, 3].map(|i| self.back(i).a);
        let sigma = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        [sigma, (a & b) ^ (a & c) ^ (b & c)]
    }

    /// Section 6.2.2, step 1.
    fn schedule(&self) -> [u32; 4] {
        let [near, far] = [2, 15].map(|i| self.back(i).w);
        let near = near.rotate_right(17) ^ near.rotate_right(19) ^ (near >> 10);
        let far = far.rotate_right(7) ^ far.rotate_right(18) ^ (far >> 3);
        [near, self.back(7).w, far, self.back(16).w]
    }

    fn round_terms(&self, words: Words) -> Terms {
        let [d, h] = self.inputs();
        let minus = |words: &[u32]| words.iter().map(|word| (-1, *word)).collect::<Vec<_>>();
        let mut terms: Terms = Default::default();
        terms[0] = minus(&self.second_sum());
        terms[0].extend([(1, d), (-1, words.e)]);
        terms[1] = minus(&self.first_sum());
        terms[1].extend([(-1, d), (-1, h), (-1, words.w)]);
        terms[2] = vec![(1, words.w)];
        terms
    }

    fn sum_terms(&self, words: Words) -> Terms {
        let [last, first] = [self.back(STATE), self.back(COMPRESSION)];
        let sum = |of: fn(&Words) -> u32| vec![(1, of(&words)), (-1, of(&last)), (-1, of(&first))];
        [vec![], vec![], sum(|words| words.a), sum(|words| words.e)]
    }

    fn push(&mut self, words: Words, step: Step, terms: fn(&Self, Words) -> Terms) {
        let mut terms = terms(self, words);
        terms[0].push((1, words.a));
        terms[1].push((1, words.e));
        if step.is_scheduled() {
            terms[2].extend(self.schedule().map(|word| (-1, word)));
        }
        let total = |shift: usize| {
            let sum = |terms: &[(i64, u32)]| {
                terms.iter().map(|(sign, word)| sign * i64::from(word >> shift)).sum::<i64>()
            };
            std::array::from_fn::<i64, 4, _>(|i| sum(&terms[i]))
        };
        let side = side(words, step, total(0));
        for (row, side) in side.into_iter().enumerate() {
            let shift = BITS * (STEP - 1 - row);
            let mut cells = [Fr::ZERO; WIDTH];
            for (column, word) in [(A, words.a), (E, words.e), (W, words.w)] {
                for bit in 0..BITS {
                    cells[column + bit] = Fr::from(u64::from(word >> (shift + bit) & 1));
                }
            }
            let total = total(shift);
            cells[ACC] = total.iter().enumerate().map(|(i, sum)| slot(i) * signed(*sum)).sum();
            cells[SIDE] = side;
            self.rows.push(cells);
        }
        self.words.push(words);
    }
}

/// Words and carries of a step, by row.
fn side(words: Words, step: Step, total: [i64; 4]) -> [Fr; STEP] {
    let mut side = [0; STEP];
    let carry = |value: i64| u64::try_from(-value >> 32).expect("carries are not negative");
    if let Step::Round(t) = step {
        side[CARRY_A] = carry(total[0] - SHIFT as i64);
        // At most 5.
        let long = carry(total[1] - i64::from(CONSTANTS[t]));
        (side[CARRY_E], side[CARRY_E_MORE]) = (long.min(3), long.saturating_sub(3));
        if step.is_scheduled() {
            side[CARRY_W] = carry(total[2]);
        } else {
            side[WORD_W] = u64::from(words.w);
        }
    } else {
        (side[WORD_A], side[WORD_E]) = (u64::from(words.a), u64::from(words.e));
        (side[CARRY_A], side[CARRY_E]) = (carry(total[2]), carry(total[3]));
    }
    side.map(Fr::from)
}

fn signed(value: i64) -> Fr {
    let magnitude = Fr::from(value.unsigned_abs());
    if value < 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// The lowest 32 bits of a field element.
pub(super) fn low_u32(value: &Fr) -> u32 {
    let low = fe_to_biguint(value) % (1u64 << 32);
    low.to_u32().expect("reduced to 32 bits")
}
