//! The whole: over random circuits and columns that meet them or nearly do, the verifier accepts exactly what the judge does.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_testing::sampled;
use rand::Rng;
use rand_chacha::ChaCha20Rng;

use super::{
    circuit::circuit,
    judge::judge,
    sample::{rng, Keys, Sample},
};
use crate::{logup::run::Round, polynomial::Numbers};

/// Circuits of which a run takes one in [`SHARE`].
const CIRCUITS: u64 = 2000;
const SHARE: usize = 100;
/// How often each is changed.
const CHANGES: u64 = 6;

/// A change of what the prover or the key has.
#[derive(Clone, Copy, Debug)]
enum Change {
    Nothing,
    /// Before the random rows are filled, so that a change in one of them is none.
    Advice,
    /// After they are.
    Filled,
    /// Two cells of a column after they are.
    Exchange,
    Inputs,
    Fixed,
    Copy,
}

const KINDS: [Change; 7] = [
    Change::Nothing,
    Change::Advice,
    Change::Filled,
    Change::Exchange,
    Change::Inputs,
    Change::Fixed,
    Change::Copy,
];

/// Another value of a cell: near, anything, or that of a cell of some column.
fn other(rng: &mut ChaCha20Rng, columns: &[Numbers]) -> Fr {
    let column = &columns[rng.gen_range(0..columns.len())];
    match rng.gen_range(0..4) {
        0 => Fr::from(rng.gen_range(0..4)),
        1 => Fr::random(rng),
        _ => column[rng.gen_range(0..column.len())],
    }
}

fn change_cell(rng: &mut ChaCha20Rng, columns: &mut [Numbers]) {
    let value = other(rng, columns);
    let column = rng.gen_range(0..columns.len());
    let row = rng.gen_range(0..columns[column].len());
    columns[column][row] = value;
}

fn exchange(rng: &mut ChaCha20Rng, columns: &mut [Numbers]) {
    let column = rng.gen_range(0..columns.len());
    let rows = columns[column].len();
    columns[column].swap(rng.gen_range(0..rows), rng.gen_range(0..rows));
}

/// Changes what is there before a proof is begun. Whether the key is another one then.
fn change(sample: &mut Sample, kind: Change, rng: &mut ChaCha20Rng) -> bool {
    match kind {
        Change::Advice => change_cell(rng, &mut sample.advice),
        Change::Inputs if !sample.inputs.is_empty() => {
            let place = rng.gen_range(0..sample.inputs.len());
            sample.inputs[place] = other(rng, &sample.advice);
        }
        Change::Fixed if !sample.fixed.is_empty() => change_cell(rng, &mut sample.fixed),
        Change::Copy if !sample.next.is_empty() => {
            let usable = sample.protocol.usable();
            let [one, two] =
                [(); 2].map(|()| (rng.gen_range(0..sample.next.len()), rng.gen_range(0..usable)));
            sample.copy(one, two);
        }
        _ => return false,
    }
    matches!(kind, Change::Fixed | Change::Copy)
}

/// Whether the columns of a case are good. Panics if judge and verifier do not agree.
fn case(
    (seed, number): (u64, u64),
    honest: &Sample,
    keys: &Keys,
    make: &impl Fn(u64, &Sample) -> Keys,
) -> bool {
    let mut rng = rng(seed * 1000 + number);
    let kind = if number == 0 { Change::Nothing } else { KINDS[rng.gen_range(0..KINDS.len())] };
    let mut sample = honest.clone();
    let made = change(&mut sample, kind, &mut rng).then(|| make(seed, &sample));
    let keys = made.as_ref().unwrap_or(keys);
    let mut filled = vec![];
    let proof = keys.forge(&sample, number, |round, columns| {
        if round != Round::Advice {
            return;
        }
        filled = columns.iter().map(|column| column.numbers.clone()).collect();
        match kind {
            Change::Filled => change_cell(&mut rng, &mut filled),
            Change::Exchange => exchange(&mut rng, &mut filled),
            _ => {}
        }
        for (column, numbers) in columns.iter_mut().zip(&filled) {
            column.numbers.clone_from(numbers);
        }
    });
    sample.advice = filled;
    let (verdict, proved) = (judge(&sample), keys.verify(&sample, &proof));
    assert_eq!(
        verdict.is_ok(),
        proved.is_ok(),
        "circuit {seed}, case {number}, {kind:?}: the judge says {verdict:?}, the verifier {proved:?}"
    );
    verdict.is_ok()
}

#[test]
fn what_is_accepted_holds_and_what_holds_is_accepted() {
    compared(sampled(0..CIRCUITS, SHARE), |_, sample| Keys::of(sample));
}

/// Compares judge and verifier over the circuits of some seeds, with the keys that `make` makes.
pub(super) fn compared(seeds: Vec<u64>, make: impl Fn(u64, &Sample) -> Keys) {
    let (mut good, mut bad) = (0, 0);
    let (mut first, mut all) = (0, 0);
    for seed in seeds {
        let honest = circuit(seed);
        let keys = make(seed, &honest);
        for number in 0..CHANGES {
            let is_good = case((seed, number), &honest, &keys, &make);
            *if is_good { &mut good } else { &mut bad } += 1;
            if number == 0 {
                all += 1;
                first += usize::from(is_good);
            }
        }
    }
    println!("{good} proofs, {bad} forgeries; {first} of {all} circuits hold");
    // Else the circuits or the changes would be trivial.
    assert!(3 * first > all && good > 0 && bad > 0);
}
