//! Cells beyond the highest bit of a word, where the bits of a row do not divide it.

use super::*;

/// What a cell beyond the highest bit adds to the carries of a step, by the row that these stand in.
type Changes = Vec<(usize, i64)>;
/// A column, what a cell of it adds to the sum of its step, the carries there, and what the word of the hash value that
/// is made of it loses, with the carry there.
type Lie = (usize, Fr, Changes, Option<(Fr, usize)>);

/// A last word of `a`, `e` or `w` that is too large by `2^n`, with carries that make up for it: only that there is no
/// such bit refuses it.
fn nothing_is_beyond<H: Twin>(bits: usize) {
    let format = format::<H>(bits);
    let sides = H::SPEC.sides;
    let rounds = format.rounds();
    let [slot_1, slot_2] = [1, 2].map(|slot| format.slot(slot));
    let sum_slots = format.sum_slots().map(|slot| format.slot(slot));
    // A word that has an order is read without what is beyond it.
    let w: Lie = match H::SPEC.ordered {
        true => (format.w(), -slot_1, vec![(sides.carry_e, 1)], None),
        false => (format.w(), slot_2 - slot_1, vec![(sides.carry_e, 1), (sides.carry_w, -1)], None),
    };
    let words: [Lie; 3] = [
        (0, Fr::ONE, vec![(sides.carry_a, -1)], Some((sum_slots[0], sides.carry_a))),
        (
            format.e(),
            slot_1 - Fr::ONE,
            vec![(sides.carry_a, 1), (sides.carry_e, -1)],
            Some((sum_slots[1], sides.carry_e)),
        ),
        w,
    ];
    for (column, added, changes, sum) in words {
        let is_refused = |(seed, round): (u64, usize)| {
            let mut test = one_block::<H>(bits, seed);
            let advice = test.advice();
            let row = |step: usize, row: usize| format.chain_rows(1) + format.step() * step + row;
            let mut forged = vec![];
            let mut step = |step: usize, added: Fr, changes: &Changes| {
                let mut more = added * format.shift() * power_of_step(&format);
                for at in 0..format.step() {
                    let row = row(step, at);
                    let value = advice[format.acc()][row] + more;
                    forged.push(Forged { column: format.acc(), row, value });
                    more *= Fr::from(1 << bits);
                }
                changes.iter().all(|(at, change)| {
                    let row = row(step, *at);
                    let old = advice[format.side()][row];
                    let new = (0..4).find(|new| Fr::from(*new) - old == signed(*change));
                    let new = new.map(Fr::from);
                    let cell = new.map(|value| Forged { column: format.side(), row, value });
                    forged.extend(cell);
                    new.is_some()
                })
            };
            let mut is_possible = step(STATE + round, added, &changes);
            if let Some((slot, carry)) = sum {
                let sum = STATE + rounds + (round + STATE - rounds);
                is_possible &= step(sum, -slot, &vec![(carry, 1)]);
            }
            let spare = column + bits - format.spare();
            forged.push(Forged { column: spare, row: row(STATE + round, 0), value: Fr::ONE });
            is_possible.then(|| test.failing(forged))
        };
        let tries = (0..30).flat_map(|seed| [(seed, rounds - 1), (seed, rounds - 2)]);
        let failing = tries.filter(|(_, round)| sum.is_some() || *round == rounds - 1);
        let failing = failing.filter_map(is_refused).next();
        assert_eq!(failing.expect("carries leave room"), ["no bit"], "column {column}");
    }
}

/// What the first row of a step is multiplied by until its last one, undone.
fn power_of_step(format: &Format) -> Fr {
    let growth = Fr::from(2).pow_vartime([(format.bits * (format.step() - 1)) as u64]);
    growth.invert().expect("a power of 2")
}

fn signed(value: i64) -> Fr {
    let magnitude = Fr::from(value.unsigned_abs());
    if value < 0 {
        -magnitude
    } else {
        magnitude
    }
}

#[test]
fn nothing_is_beyond_a_word_of_sha256() {
    nothing_is_beyond::<Sha256>(3);
}

#[test]
fn nothing_is_beyond_a_word_of_sha512() {
    for bits in [6, 13] {
        nothing_is_beyond::<Sha512>(bits);
    }
}
