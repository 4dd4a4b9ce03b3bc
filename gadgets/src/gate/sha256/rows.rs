//! The rows of a chain of compressions: fixed cells and values.

use ff::Field;
use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::fe_to_biguint};
use num_traits::ToPrimitive;

use super::{slot, ACC, SHIFT, WIDTH};
use crate::hash::sha256::native::{CONSTANTS, ROUNDS};

/// Words of a hash value in one column: four in `a`, four in `e`.
pub(super) const STATE: usize = 4;
/// Words of a block of the message.
pub(super) const MESSAGE: usize = 16;
/// Rows of the bits of a word, two a row.
pub(super) const PAIRS: usize = 16;
/// Rows of a step: the bits, and the row that ends it.
pub(super) const STEP: usize = PAIRS + 1;
/// Steps of a compression: its rounds, and the hash value after it.
pub(super) const COMPRESSION: usize = ROUNDS + STATE;

/// What the last row of a step says.
pub(super) const MESSAGE_ROUND: u64 = 1;
pub(super) const SCHEDULE_ROUND: u64 = 2;
pub(super) const FIRST: u64 = 3;
pub(super) const SUM: u64 = 4;

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
    pub(super) fn role(self) -> u64 {
        match self {
            Step::First => FIRST,
            Step::Round(round) if round < MESSAGE => MESSAGE_ROUND,
            Step::Round(_) => SCHEDULE_ROUND,
            Step::Sum => SUM,
        }
    }
}

pub(super) fn steps(count: usize) -> impl Iterator<Item = Step> {
    let compression = || (0..ROUNDS).map(Step::Round).chain(std::iter::repeat_n(Step::Sum, STATE));
    std::iter::repeat_n(Step::First, STATE).chain((0..count).flat_map(move |_| compression()))
}

/// Fixed cells of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedRow {
    /// 1 on rows of bits.
    pub(super) bits: u64,
    /// Which quarter of a word the bits of a round belong to.
    pub(super) round: Option<usize>,
    /// The same where the word of the message is scheduled.
    pub(super) schedule: Option<usize>,
    /// Which pair of a quarter.
    pub(super) pair: Option<usize>,
    /// 1 on rows of bits of a sum.
    pub(super) sum: u64,
    /// What the last row of a step says.
    pub(super) role: u64,
    /// The constant of the last row of a round.
    pub(super) constant: Fr,
}

/// The rows of a step, the highest bits first.
pub(super) fn fixed(step: Step) -> Vec<FixedRow> {
    let quarter = |pair: usize| Some(pair / 4);
    let mut rows: Vec<_> = (0..PAIRS)
        .rev()
        .map(|pair| FixedRow {
            bits: 1,
            round: quarter(pair).filter(|_| matches!(step, Step::Round(_))),
            schedule: quarter(pair).filter(|_| step.role() == SCHEDULE_ROUND),
            pair: Some(pair % 4),
            sum: u64::from(step == Step::Sum),
            ..FixedRow::default()
        })
        .collect();
    let constant = match step {
        // The carry of `a` is between -1 and 2.
        Step::Round(t) => slot(1) * Fr::from(u64::from(CONSTANTS[t])) + Fr::from(SHIFT),
        _ => Fr::ZERO,
    };
    rows.push(FixedRow { role: step.role(), constant, ..FixedRow::default() });
    rows
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
        if step.role() == SCHEDULE_ROUND {
            terms[2].extend(self.schedule().map(|word| (-1, word)));
        }
        let total = |shift: usize| {
            let sum = |terms: &[(i64, u32)]| {
                terms.iter().map(|(sign, word)| sign * i64::from(word >> shift)).sum::<i64>()
            };
            std::array::from_fn::<i64, 4, _>(|i| sum(&terms[i]))
        };
        for shift in (0..PAIRS).map(|pair| 2 * pair).rev() {
            let bit = |word: u32, i: usize| Fr::from(u64::from(word >> (shift + i) & 1));
            let Words { a, e, w } = words;
            let acc = total(shift).iter().enumerate().map(|(i, s)| slot(i) * signed(*s)).sum();
            let [a, e, w] = [a, e, w].map(|word| [bit(word, 0), bit(word, 1)]);
            self.rows.push([a[0], a[1], e[0], e[1], w[0], w[1], acc]);
        }
        self.rows.push(last_row(words, step, total(0)));
        self.words.push(words);
    }
}

/// Carries and words in the last row of a step.
fn last_row(words: Words, step: Step, total: [i64; 4]) -> AdviceRow {
    let mut row = [Fr::ZERO; WIDTH];
    let word = |word: u32| Fr::from(u64::from(word));
    let carry = |value: i64| u64::try_from(-value >> 32).expect("carries are not negative");
    match step {
        Step::First => (row[1], row[3]) = (word(words.a), word(words.e)),
        Step::Sum => {
            (row[1], row[3]) = (word(words.a), word(words.e));
            (row[0], row[2]) = (Fr::from(carry(total[2])), Fr::from(carry(total[3])));
        }
        Step::Round(t) => {
            row[0] = Fr::from(carry(total[0] - SHIFT as i64));
            // At most 5: two digits to base 4 would do, but the upper one is a bit.
            let long = carry(total[1] - i64::from(CONSTANTS[t]));
            (row[1], row[2]) =
                (Fr::from(u64::from(long > 3)), Fr::from(long - 2 * u64::from(long > 3)));
            if step.role() == SCHEDULE_ROUND {
                row[4] = Fr::from(carry(total[2]));
            } else {
                row[5] = word(words.w);
            }
        }
    }
    debug_assert!(row[ACC] == Fr::ZERO, "nothing is carried over");
    row
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
