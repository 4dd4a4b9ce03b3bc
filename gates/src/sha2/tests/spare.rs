//! Cells beyond the highest bit of a word, where the bits of a row do not divide it.
//!
//! Carries make up for a bit `2^(n + i)` if `2^i` is within what they leave: `i` is at most 1 in `a` and `e`, which are
//! read in a slot that has one carry, and 2 in `w` and in a word of the first hash value that is `e`.

use super::*;

/// A bit that is too high.
#[derive(Clone, Copy, Debug)]
struct High {
    /// The first column of the word.
    word: usize,
    /// Its weight is `2^(n + bit)`.
    bit: usize,
}

/// What a prover writes who sets such bits, in the second chain of a circuit.
struct Lie<'a> {
    format: &'a Format,
    advice: &'a [Vec<Fr>],
    forged: Vec<Forged>,
    /// Whether the carries have room for it.
    is_possible: bool,
}

impl<'a> Lie<'a> {
    fn new(format: &'a Format, advice: &'a [Vec<Fr>]) -> Self {
        Self { format, advice, forged: vec![], is_possible: true }
    }

    fn row(&self, step: usize, row: usize) -> usize {
        self.format.chain_rows(1) + self.format.step() * step + row
    }

    /// The sum of a step is larger by `more`, from its first row on.
    fn sum(&mut self, step: usize, more: Fr) {
        let column = self.format.acc();
        let mut more = more * power_of_step(self.format);
        for at in 0..self.format.step() {
            let row = self.row(step, at);
            self.forged.push(Forged { column, row, value: self.advice[column][row] + more });
            more *= Fr::from(1 << self.format.bits);
        }
    }

    /// Carries of one slot, in these rows of a step, are larger by `change` together.
    fn carry(&mut self, step: usize, rows: &[usize], change: i64) {
        let column = self.format.side();
        let carry = |value: Fr| (0..4).find(|carry| Fr::from(*carry) == value);
        let mut left = change;
        for row in rows {
            let row = self.row(step, *row);
            let old = carry(self.advice[column][row]).expect("a carry is below 4") as i64;
            let new = (old + left).clamp(0, 3);
            left -= new - old;
            self.forged.push(Forged { column, row, value: Fr::from(new as u64) });
        }
        self.is_possible &= left == 0;
    }

    /// The bit is set.
    fn set(&mut self, step: usize, High { word, bit }: High) {
        let column = word + self.format.bits - self.format.spare() + bit;
        self.forged.push(Forged { column, row: self.row(step, 0), value: Fr::ONE });
    }

    /// What refuses it, if the carries have room.
    fn refusing(self, test: &mut TestCircuit) -> Option<Vec<String>> {
        self.is_possible.then(|| test.failing(self.forged))
    }
}

/// A last word of `a`, `e` or `w` that is too large by `2^(n + bit)`, with carries that make up for it: only that there is
/// no such bit refuses it.
fn refusing<H: Twin>(
    test: &mut TestCircuit,
    advice: &[Vec<Fr>],
    (format, high, round): (&Format, High, usize),
) -> Option<Vec<String>> {
    let sides = H::SPEC.sides;
    let [slot_1, slot_2] = [1, 2].map(|slot| format.slot(slot));
    let [first, second] = format.sum_slots().map(|slot| format.slot(slot));
    let (more, carries) = (Fr::from(1 << high.bit) * format.shift(), 1 << high.bit);
    let both = [sides.carry_e, sides.carry_e_more];
    let step = STATE + round;
    // The word of the hash value that is made of it.
    let sum = STATE + format.rounds() + (round + STATE - format.rounds());
    let mut lie = Lie::new(format, advice);
    lie.set(step, high);
    if high.word == 0 {
        lie.sum(step, more);
        lie.carry(step, &[sides.carry_a], -carries);
        lie.sum(sum, -more * first);
        lie.carry(sum, &[sides.carry_a], carries);
    } else if high.word == format.e() {
        lie.sum(step, more * (slot_1 - Fr::ONE));
        lie.carry(step, &[sides.carry_a], carries);
        lie.carry(step, &both, -carries);
        lie.sum(sum, -more * second);
        lie.carry(sum, &[sides.carry_e], carries);
    } else if H::SPEC.ordered {
        // A word that has an order is read without what is beyond it.
        lie.sum(step, -more * slot_1);
        lie.carry(step, &both, carries);
    } else {
        lie.sum(step, more * (slot_2 - slot_1));
        lie.carry(step, &both, carries);
        lie.carry(step, &[sides.carry_w], -carries);
    }
    lie.refusing(test)
}

fn nothing_is_beyond<H: Twin>(bits: usize) {
    let format = format::<H>(bits);
    let rounds = format.rounds();
    let most_of_w = if H::SPEC.ordered { 3 } else { 2 };
    let words = [(0, 2), (format.e(), 2), (format.w(), most_of_w)];
    let highs = words
        .into_iter()
        .flat_map(|(word, most)| (0..format.spare().min(most)).map(move |bit| High { word, bit }));
    let mut left: Vec<_> = highs.collect();
    for seed in 0..30 {
        let mut test = one_block::<H>(bits, seed);
        let advice = test.advice();
        left.retain(|high| {
            // No other round reads `w` of the last one.
            let tries = if high.word == format.w() { 1..2 } else { 1..3 };
            let mut tries = tries
                .filter_map(|i| refusing::<H>(&mut test, &advice, (&format, *high, rounds - i)));
            let Some(failing) = tries.next() else { return true };
            assert_eq!(failing, ["no bit"], "{high:?}");
            false
        });
        if left.is_empty() {
            return;
        }
    }
    panic!("carries leave no room for {left:?}");
}

/// What the first row of a step is multiplied by until its last one, undone.
fn power_of_step(format: &Format) -> Fr {
    let growth = Fr::from(2).pow_vartime([(format.bits * (format.step() - 1)) as u64]);
    growth.invert().expect("a power of 2")
}

#[test]
fn nothing_is_beyond_a_word_of_sha256() {
    nothing_is_beyond::<Sha256>(3);
}

#[test]
fn nothing_is_beyond_a_word_of_sha512() {
    for bits in [6, 7, 9, 13, 15] {
        nothing_is_beyond::<Sha512>(bits);
    }
}

/// The last word of a first hash value, too large by `2^66`, as lookups of nine bits leave it. The first round takes the
/// whole of it, and the hash value one as large: that there is no such bit refuses both, and nothing else does.
#[test]
fn nothing_is_beyond_a_word_that_is_given() {
    let format = format::<Sha512>(9);
    let sides = Sha512::SPEC.sides;
    let high = High { word: format.e(), bit: 2 };
    let more = format.shift() * Fr::from(4);
    let (first, last) = (STATE, STATE + format.rounds());
    let refusing = |seed: u64| {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let layout = Layout { range_bits: 9, ..Sha512::layout(1, 9) };
        let mut test = TestCircuit::new(layout, |ctx| {
            chain::<Sha512>(ctx.chips, &[[0; MESSAGE]]);
            let mut state = constants(Sha512::initial());
            let given = Fr::from(Sha512::initial()[WORDS - 1]) + more;
            state[WORDS - 1] = Word::existing(ctx.range, ctx.load_witness(given));
            let message = constants(random_block::<Sha512>(&mut rng));
            ctx.chips.sha512().compress(ctx.range, &state, &[message]);
        });
        // As it stands, the chain begins with another word.
        assert_eq!(test.failing(vec![]), ["copy"]);
        let advice = test.advice();
        let mut lie = Lie::new(&format, &advice);
        // The words of a step come from the last to the first.
        lie.set(0, high);
        lie.sum(0, more * format.slot(1));
        let (column, row) = (format.side(), lie.row(0, sides.word_e));
        let value = Fr::from(Sha512::initial()[WORDS - 1]) + more;
        lie.forged.push(Forged { column, row, value });
        lie.sum(first, -more * format.slot(1));
        lie.carry(first, &[sides.carry_e, sides.carry_e_more], 4);
        lie.set(last, high);
        lie.refusing(&mut test)
    };
    let failing = (0..30).find_map(refusing);
    assert_eq!(failing.expect("carries leave room"), ["no bit"]);
}
