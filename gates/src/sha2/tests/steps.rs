//! The cells of a step.

use super::{
    super::{
        format::QUADS,
        rows::{steps, Step},
        spec::Spec,
    },
    *,
};
use crate::sha2::word::{Form, Order};

/// The second chain, whose steps have these rows.
struct Second {
    format: Format,
    steps: Vec<Step>,
}

impl Second {
    fn new<H: Sha2>(bits: usize) -> Self {
        let format = format::<H>(bits);
        let form = Form { messages: vec![Default::default()], values: Order::Big };
        let steps = steps(&format, &form).map(|(step, _)| step).collect();
        Self { format, steps }
    }

    /// Row of the circuit.
    fn row(&self, step: usize, row: usize) -> usize {
        self.format.chain_rows(1) + self.format.step() * step + row
    }

    /// What reads a cell beside the running sum.
    fn is_read(&self, step: usize, row: usize) -> bool {
        let Spec { sides, .. } = self.format.spec;
        let step = self.steps[step];
        let carries = match step {
            Step::First => 0..0,
            Step::Sum => sides.carry_a..sides.carry_e + 1,
            Step::Round(_) if step.is_scheduled() => sides.carry_a..sides.carry_w + 1,
            Step::Round(_) => sides.carry_a..sides.carry_e_more + 1,
        };
        let is_word = match step {
            Step::Round(_) => row == sides.word_w && !step.is_scheduled(),
            _ => row == sides.word_a || row == sides.word_e,
        };
        carries.contains(&row) || is_word
    }

    /// What reads a bit of `w`: in steps of a hash value nothing does.
    fn is_bit_read(&self, step: usize, bit: usize) -> bool {
        match self.steps[step] {
            Step::Round(_) => true,
            // Words of a hash value have their running sum there.
            Step::Sum => self.format.spec.ordered && bit == 0,
            Step::First => false,
        }
    }
}

/// Every column, on a sample of rows that meets all kinds of steps.
fn every_cell_is_bound<H: Twin>(bits: usize) {
    let mut test = one_block::<H>(bits, 2);
    test.assert_satisfied();
    let advice = test.advice();
    let second = Second::new::<H>(bits);
    let format = second.format;
    let rounds = format.rounds();
    // All rows of a step of each kind beside the sums, and a sample of bits.
    let kinds = [0, STATE, STATE + 40, STATE + rounds - 1, STATE + rounds];
    let all = kinds.iter().flat_map(|step| (0..format.step()).map(|row| (*step, row)));
    let sums = all.flat_map(|place| [format.acc(), format.side()].map(|column| (column, place)));
    let sampled = (5..format.chain_rows(1)).step_by(452 / format.step() * 2);
    let sampled = sampled.map(|row| (row / format.step(), row % format.step()));
    let starts = kinds.iter().map(|step| (*step, 0)).chain(sampled);
    let bits = starts.flat_map(|place| (0..format.acc()).map(move |column| (column, place)));
    let mut read = vec![];
    let mut forged = vec![];
    for (column, (step, row)) in sums.chain(bits) {
        let at = second.row(step, row);
        let old = advice[column][at];
        let more = if column < format.acc() { None } else { Some(old + Fr::from(4)) };
        let is_read = match column {
            column if column == format.side() => second.is_read(step, row),
            column if (format.w()..format.acc()).contains(&column) => {
                second.is_bit_read(step, column - format.w())
            }
            _ => true,
        };
        if is_read {
            read.push((column, at));
        }
        let values = more.into_iter().chain([Fr::ONE - old]);
        forged.extend(values.map(|value| Forged { column, row: at, value }));
    }
    let free = test.free_cells(forged);
    let bound = free.iter().find(|place| read.contains(place));
    assert_eq!(bound, None, "a cell that is read, by column and row");
}

#[test]
fn every_cell_of_sha256_is_bound() {
    every_cell_is_bound::<Sha256>(4);
}

#[test]
fn every_cell_of_sha512_is_bound() {
    every_cell_is_bound::<Sha512>(16);
    every_cell_is_bound::<Sha512>(8);
}

/// A bit that is none, where nothing reads it.
#[test]
fn bits_that_nothing_reads_are_bits() {
    let mut test = one_block::<Sha512>(16, 2);
    let second = Second::new::<Sha512>(16);
    let format = second.format;
    for (step, column) in [(0, format.w()), (0, format.w() + 3), (84, format.w() + 1)] {
        let row = second.row(step, 2);
        for (value, failing) in [(Fr::ONE, vec![]), (Fr::from(2), vec!["bit"])] {
            assert_eq!(test.failing(vec![Forged { column, row, value }]), failing, "{column}");
        }
    }
}

/// A cell that is no bit, and the one above it, which makes up for it, in words that nothing turns or multiplies any
/// more: only that the first is 0 or 1 refuses it. The highest bit of a piece, which has one weight, is a fraction of the
/// native field, and the one below makes up for it.
fn bits_are_bits<H: Twin>(bits: usize) {
    let mut test = one_block::<H>(bits, 2);
    let advice = test.advice();
    let second = Second::new::<H>(bits);
    let format = second.format;
    let last = STATE + format.rounds();
    let half = Fr::from(2).invert().expect("2 is not 0");
    let words = [(last + 1, 0), (last + 1, format.e()), (last - 1, format.w())];
    for (step, first) in words {
        let row = second.row(step, 2);
        for bit in 0..bits {
            let cell =
                |column: usize, more: Fr| Forged { column, row, value: advice[column][row] + more };
            let (other, weight) = match bit + 1 {
                above if above % bits.min(8) == 0 => (first + bit - 1, half),
                above => (first + above, Fr::from(2)),
            };
            // The other one stays a bit.
            let more = if advice[other][row] == Fr::ONE { -Fr::ONE } else { Fr::ONE };
            let forged = vec![cell(first + bit, -more * weight), cell(other, more)];
            assert_eq!(test.failing(forged), ["bit"], "step {step}, bit {bit}");
        }
    }
}

#[test]
fn bits_of_sha256_are_bits() {
    bits_are_bits::<Sha256>(4);
}

#[test]
fn bits_of_sha512_are_bits() {
    for bits in [4, 8, 16] {
        bits_are_bits::<Sha512>(bits);
    }
}

/// A cell that is false by one, with all running sums behind it in its step as the terms would have them: what the step
/// comes to tells.
fn sums_cannot_begin_elsewhere<H: Twin>(bits: usize) {
    let mut test = one_block::<H>(bits, 4);
    let advice = test.advice();
    let second = Second::new::<H>(bits);
    let format = second.format;
    let sum = STATE + format.rounds();
    let moved = |step: usize, column: usize, more: Fr| {
        let mut more = more;
        let forged = (0..format.step()).map(|row| {
            let row = second.row(step, row);
            let value = advice[column][row] + more;
            more *= Fr::from(1 << bits);
            Forged { column, row, value }
        });
        forged.collect::<Vec<_>>()
    };
    for more in [Fr::ONE, format.slot(1), -format.slot(2), format.shift()] {
        for step in [0, STATE, STATE + 30, sum] {
            let forged = moved(step, format.acc(), more);
            assert_eq!(test.failing(forged), [H::SPEC.end, "running sum"], "step {step}");
        }
        if H::SPEC.ordered {
            let forged = moved(sum, format.w(), more);
            assert_eq!(test.failing(forged), ["words of a hash value", "words so far"]);
        }
    }
}

#[test]
fn sums_of_sha256_cannot_begin_elsewhere() {
    sums_cannot_begin_elsewhere::<Sha256>(4);
}

#[test]
fn sums_of_sha512_cannot_begin_elsewhere() {
    for bits in [4, 8, 16] {
        sums_cannot_begin_elsewhere::<Sha512>(bits);
    }
}

/// A carry that is false by one, made up for in a word or by another carry.
fn carries_are_bound<H: Twin>(bits: usize) {
    let mut test = one_block::<H>(bits, 3);
    test.assert_satisfied();
    let advice = test.advice();
    let second = Second::new::<H>(bits);
    let format = second.format;
    let rounds = format.rounds();
    for step in [STATE, STATE + 20, STATE + rounds - 1, STATE + rounds] {
        let column = format.side();
        let cells = (0..format.step()).flat_map(|row| {
            let row = second.row(step, row);
            let old = advice[column][row];
            [old + Fr::ONE, old - Fr::ONE].map(|value| Forged { column, row, value })
        });
        let free = test.free_cells(cells.collect());
        for row in (0..format.step()).filter(|row| second.is_read(step, *row)) {
            assert!(!free.contains(&(column, second.row(step, row))), "step {step}, row {row}");
        }
        // The words of a round next to each other in the sum: one too many here, a slot too few there.
        let row = second.row(step, format.step() - 1);
        let value = advice[format.acc()][row] + format.slot(1) - format.shift();
        assert!(!test.is_satisfied_with(Forged { column: format.acc(), row, value }));
    }
}

#[test]
fn carries_of_sha256_are_bound() {
    carries_are_bound::<Sha256>(4);
}

#[test]
fn carries_of_sha512_are_bound() {
    for bits in [8, 16] {
        carries_are_bound::<Sha512>(bits);
    }
}

/// Carries of a slot that make up for the next one: only that they are small refuses them.
fn carries_are_small<H: Twin>(bits: usize) {
    let mut test = one_block::<H>(bits, 3);
    let advice = test.advice();
    let second = Second::new::<H>(bits);
    let (format, sides) = (second.format, H::SPEC.sides);
    let mut move_over = |step: usize, changes: &[(usize, Fr)]| {
        let cell = |(row, more): &(usize, Fr)| {
            let row = second.row(step, *row);
            let column = format.side();
            Forged { column, row, value: advice[column][row] + more }
        };
        assert_eq!(test.failing(changes.iter().map(cell).collect()), ["carry"], "step {step}");
    };
    // A carry of slot 1 for as many of slot 0 as lie between them.
    let between = [(sides.carry_a, format.slot(1)), (sides.carry_e, -Fr::ONE)];
    for step in [STATE, STATE + 20, STATE + format.rounds()] {
        move_over(step, &between);
    }
    let over = [(sides.carry_e_more, format.slot(1)), (sides.carry_w, -Fr::ONE)];
    move_over(STATE + 20, &over);
}

#[test]
fn carries_of_sha256_are_small() {
    carries_are_small::<Sha256>(4);
}

#[test]
fn carries_of_sha512_are_small() {
    for bits in [4, 8, 16] {
        carries_are_small::<Sha512>(bits);
    }
}

/// A word of the message with a carry, as if it were scheduled, and a scheduled one that a cell makes up for.
fn messages_have_no_carries<H: Twin>(bits: usize) {
    let mut test = one_block::<H>(bits, 6);
    let advice = test.advice();
    let second = Second::new::<H>(bits);
    let (format, sides) = (second.format, H::SPEC.sides);
    assert_ne!(sides.carry_w, sides.word_w);
    for (round, row) in [(3, sides.carry_w), (30, sides.word_w)] {
        let row = second.row(STATE + round, row);
        // Free, since nothing reads it; so no bit can be false by it either.
        let free = Forged { column: format.side(), row, value: Fr::ONE };
        assert!(test.is_satisfied_with(free));
        let bits = second.row(STATE + round, format.step() - 1);
        let column = format.w();
        let value = Fr::ONE - advice[column][bits];
        assert!(!test.is_satisfied_with_all(vec![free, Forged { column, row: bits, value }]));
    }
}

#[test]
fn messages_have_no_carries_and_scheduled_words_no_message() {
    messages_have_no_carries::<Sha256>(4);
}

/// Where a word of the message and a carry of a scheduled one share a row: a word that is too large by what a carry
/// would be.
#[test]
fn a_word_is_no_carry() {
    let mut test = one_block::<Sha512>(16, 6);
    let advice = test.advice();
    let second = Second::new::<Sha512>(16);
    let (format, sides) = (second.format, Sha512::SPEC.sides);
    assert_eq!(sides.carry_w, sides.word_w);
    assert_eq!(format.step(), QUADS);
    let column = format.side();
    let row = second.row(STATE + 3, sides.word_w);
    for more in [Fr::ONE, format.shift(), -format.shift()] {
        let value = advice[column][row] + more;
        assert!(test
            .failing(vec![Forged { column, row, value }])
            .contains(&Sha512::SPEC.end.into()));
    }
}
