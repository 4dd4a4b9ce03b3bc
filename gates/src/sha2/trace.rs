//! The values of a chain of compressions.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{
    format::Format,
    rows::Step,
    spec::{MESSAGE, STATE},
    word::{Form, Order},
};

/// Words of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Words {
    a: u64,
    e: u64,
    w: u64,
}

/// Terms of the sums of a step, with their signs. The third slot also has `w` as its order reads it, which is not among
/// them.
type Terms = [Vec<(i128, u64)>; 4];

/// A recorded chain: its words as FIPS 180-4 reads them.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) form: Form,
    pub(super) first: [u64; 2 * STATE],
    pub(super) messages: Vec<[u64; MESSAGE]>,
}

impl Chain {
    /// What an idle lane does.
    pub(super) fn zeros(form: &Form) -> Self {
        let messages = vec![[0; MESSAGE]; form.blocks()];
        Self { form: form.clone(), first: [0; 2 * STATE], messages }
    }
}

/// The values of a chain.
pub(super) struct Trace<'a> {
    format: &'a Format,
    words: Vec<Words>,
    /// Advice cells of each row.
    pub(super) rows: Vec<Vec<Fr>>,
}

impl<'a> Trace<'a> {
    pub(super) fn new(format: &'a Format, chain: &Chain) -> Self {
        let rows = Vec::with_capacity(format.chain_rows(chain.messages.len()));
        let mut trace = Self { format, words: vec![], rows };
        for i in (0..STATE).rev() {
            let words = Words { a: chain.first[i], e: chain.first[i + STATE], w: 0 };
            trace.push(words, (Step::First, Order::Big), Default::default());
        }
        for (message, orders) in chain.messages.iter().zip(&chain.form.messages) {
            for t in 0..format.rounds() {
                let words = trace.round(t, message);
                let order = orders.get(t).copied().unwrap_or_default();
                trace.push(words, (Step::Round(t), order), trace.round_terms(words));
            }
            for _ in 0..STATE {
                let [last, first] = [trace.back(STATE), trace.back(format.compression())];
                let [a, e] = [trace.sum([last.a, first.a]), trace.sum([last.e, first.e])];
                let words = Words { a, e, w: 0 };
                trace.push(words, (Step::Sum, chain.form.values), trace.sum_terms(words));
            }
        }
        trace
    }

    /// The hash value after the compression `number`.
    pub(super) fn value(&self, number: usize) -> [u64; 2 * STATE] {
        let end = STATE + self.format.compression() * (number + 1);
        std::array::from_fn(|i| {
            let words = self.words[end - 1 - i % STATE];
            if i < STATE {
                words.a
            } else {
                words.e
            }
        })
    }

    /// The words `steps` steps before the next one.
    fn back(&self, steps: usize) -> Words {
        self.words[self.words.len() - steps]
    }

    /// A sum of words, without its carry.
    fn sum(&self, words: impl IntoIterator<Item = u64>) -> u64 {
        let sum = words.into_iter().fold(0, u64::wrapping_add);
        sum & (u64::MAX >> (64 - self.format.spec.word))
    }

    /// A word rotated to the right.
    fn turned(&self, word: u64, bits: usize) -> u64 {
        self.sum([word >> bits | word << (self.format.spec.word - bits)])
    }

    /// FIPS 180-4 sections 6.2.2 and 6.4.2, step 3.
    fn round(&self, t: usize, message: &[u64; MESSAGE]) -> Words {
        let w = message.get(t).copied().unwrap_or_else(|| self.sum(self.schedule()));
        let [d, h] = self.inputs();
        let more = [self.format.spec.constants[t], w, h];
        let first = self.sum(self.first_sum().into_iter().chain(more));
        let second = self.sum(self.second_sum());
        Words { a: self.sum([first, second]), e: self.sum([d, first]), w }
    }

    /// `d` and `h`.
    fn inputs(&self) -> [u64; 2] {
        [self.back(4).a, self.back(4).e]
    }

    /// Sections 4.1.2 and 4.1.3: `Σ₁(e)` and `Ch(e, f, g)`.
    fn first_sum(&self) -> [u64; 2] {
        let [e, f, g] = [1, 2, 3].map(|i| self.back(i).e);
        [self.large(1, e), (e & f) ^ (!e & g)]
    }

    /// Sections 4.1.2 and 4.1.3: `Σ₀(a)` and `Maj(a, b, c)`.
    fn second_sum(&self) -> [u64; 2] {
        let [a, b, c] = [1, 2, 3].map(|i| self.back(i).a);
        [self.large(0, a), (a & b) ^ (a & c) ^ (b & c)]
    }

    fn large(&self, number: usize, word: u64) -> u64 {
        self.format.spec.large[number].iter().fold(0, |sum, bits| sum ^ self.turned(word, *bits))
    }

    fn small(&self, number: usize, word: u64) -> u64 {
        let [first, second, shift] = self.format.spec.small[number];
        self.turned(word, first) ^ self.turned(word, second) ^ (word >> shift)
    }

    /// Sections 6.2.2 and 6.4.2, step 1.
    fn schedule(&self) -> [u64; 4] {
        let [near, far] = [self.small(1, self.back(2).w), self.small(0, self.back(15).w)];
        [near, self.back(7).w, far, self.back(16).w]
    }

    fn round_terms(&self, words: Words) -> Terms {
        let [d, h] = self.inputs();
        let minus = |words: &[u64]| words.iter().map(|word| (-1, *word)).collect::<Vec<_>>();
        let mut terms: Terms = Default::default();
        terms[0] = minus(&self.second_sum());
        terms[0].extend([(1, d), (-1, words.e)]);
        terms[1] = minus(&self.first_sum());
        terms[1].extend([(-1, d), (-1, h), (-1, words.w)]);
        terms
    }

    fn sum_terms(&self, words: Words) -> Terms {
        let [last, first] = [self.back(STATE), self.back(self.format.compression())];
        let mut terms: Terms = Default::default();
        let sums = [(words.a, last.a, first.a), (words.e, last.e, first.e)];
        for (slot, (word, last, first)) in self.format.sum_slots().into_iter().zip(sums) {
            terms[slot] = vec![(-1, last), (-1, first)];
            // The first two slots have the words of each step.
            terms[slot].extend((slot > 1).then_some((1, word)));
        }
        terms
    }

    fn push(&mut self, words: Words, (step, order): (Step, Order), mut terms: Terms) {
        let format = self.format;
        terms[0].push((1, words.a));
        terms[1].push((1, words.e));
        if step.is_scheduled() {
            terms[2].extend(self.schedule().map(|word| (-1, word)));
        }
        let total = |shift: usize| {
            let sum = |terms: &[(i128, u64)]| {
                terms.iter().map(|(sign, word)| sign * i128::from(word >> shift)).sum::<i128>()
            };
            std::array::from_fn::<i128, 4, _>(|i| sum(&terms[i]))
        };
        let side = side(format, words, (step, order), total(0));
        let [a, e, w] = [words.a, words.e, words.w].map(|word| read(format, order, word));
        for row in 0..format.step() {
            let shift = format.bits * (format.step() - 1 - row);
            let mut cells = vec![Fr::ZERO; format.width()];
            for (column, word) in [(0, words.a), (format.e(), words.e), (format.w(), words.w)] {
                for bit in 0..format.bits {
                    cells[column + bit] = Fr::from(above(word, shift + bit) & 1);
                }
            }
            let slots = total(shift).into_iter().enumerate();
            let sums: Fr = slots.map(|(i, sum)| format.slot(i) * signed(sum)).sum();
            cells[format.acc()] =
                if step.is_round() { sums + format.slot(2) * w[row] } else { sums };
            if step == Step::Sum && format.spec.ordered {
                cells[format.w()] = a[row] + format.slot(1) * e[row];
            }
            cells[format.side()] = side[row];
            self.rows.push(cells);
        }
        self.words.push(words);
    }
}

/// A word without its lowest `bits` bits, which may be more than it has.
fn above(word: u64, bits: usize) -> u64 {
    word.checked_shr(bits as u32).unwrap_or(0)
}

/// The running sum of a word in each row: the bits so far or, little-endian, their sum with the weights of that order.
fn read(format: &Format, order: Order, word: u64) -> Vec<Fr> {
    let mut sum = Fr::ZERO;
    let rows = (0..format.step()).map(|row| {
        let shift = format.bits * (format.step() - 1 - row);
        if order == Order::Big {
            return Fr::from(word >> shift);
        }
        let (pieces, bits) = format.pieces();
        sum *= Fr::from(1 << format.bits);
        for piece in 0..pieces {
            let value = above(word, shift + bits * piece) & ((1 << bits) - 1);
            sum += Fr::from(value) * format.weight(order, row, piece);
        }
        sum
    });
    rows.collect()
}

/// Words and carries of a step, by row.
fn side(format: &Format, words: Words, (step, order): (Step, Order), total: [i128; 4]) -> Vec<Fr> {
    let sides = &format.spec.sides;
    let mut side = vec![0; format.step()];
    let carry =
        |value: i128| u64::try_from(-value >> format.spec.word).expect("carries are not negative");
    if let Step::Round(t) = step {
        side[sides.carry_a] = carry(total[0] - (1 << format.spec.word));
        // At most 5.
        let long = carry(total[1] - i128::from(format.spec.constants[t]));
        (side[sides.carry_e], side[sides.carry_e_more]) = (long.min(3), long.saturating_sub(3));
        if step.is_scheduled() {
            side[sides.carry_w] = carry(total[2] + i128::from(words.w));
        } else {
            side[sides.word_w] = order.turn(words.w);
        }
    } else {
        (side[sides.word_a], side[sides.word_e]) = (order.turn(words.a), order.turn(words.e));
        let [a, e] = format.sum_slots().map(|slot| total[slot]);
        if step == Step::Sum {
            (side[sides.carry_a], side[sides.carry_e]) = (carry(a), carry(e));
        }
    }
    side.into_iter().map(Fr::from).collect()
}

fn signed(value: i128) -> Fr {
    // `from_u128` doubles 64 times.
    let magnitude = value.unsigned_abs();
    let magnitude = Fr::from_raw([magnitude as u64, (magnitude >> 64) as u64, 0, 0]);
    if value < 0 {
        -magnitude
    } else {
        magnitude
    }
}
