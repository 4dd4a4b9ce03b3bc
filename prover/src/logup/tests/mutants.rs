//! Formats with one mistake each, and the forgery that each would accept. Ours refuses the same columns.
//!
//! A proof shows that the constraints, joined by `y`, are 0 in all rows. Whoever has columns for which they are can finish the proof, so rows are
//! all that is looked at here. The mistakes are in the challenges: equal ones, or ones that are known before what they are to bind.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use muster_verifier::{Column, Protocol, ProtocolParts, Table};

use super::{
    copies::nine_columns,
    every::{cell, every},
    judge::judge,
    lookups::{number, three_tables, two_tables},
    mirror::Insight,
    sample::{points, rng, Keys, Sample},
};
use crate::{
    logup::{blinded::Blinded, columns::Row, constraints::Programs, run::Round, trace::Trace},
    polynomial::Numbers,
    profile::Stopwatch,
};

fn challenges(seed: u64) -> [Fr; 5] {
    let mut rng = rng(seed);
    std::array::from_fn(|_| Fr::random(&mut rng))
}

/// A forger at work: columns of the first round, and what follows from them.
struct Forger<'a> {
    keys: &'a Keys,
    /// Advice, the inputs, multiplicities.
    first: Vec<Blinded>,
    /// The multiplicities of table 0.
    counts: usize,
}

impl<'a> Forger<'a> {
    /// With the columns of a sample, as a prover fills and counts them.
    fn of(keys: &'a Keys, sample: &Sample) -> Self {
        assert!(judge(sample).is_err(), "it is to be a forgery");
        let mut first = Insight::of(keys, sample, 1, |_, _| ()).columns;
        let counts = sample.protocol.advice() + 1;
        first.truncate(counts + sample.protocol.tables().len());
        Self { keys, first, counts }
    }

    fn second(&self, challenges: &[Fr; 5]) -> Vec<Blinded> {
        let (mut rng, mut watch) = (rng(0), Stopwatch::start());
        let (prover, columns) = (&self.keys.prover, &self.keys.columns);
        let mut trace =
            Trace { system: &prover.system, key: columns, rng: &mut rng, watch: &mut watch };
        trace.arguments(&self.first, &challenges[..4]).expect("no denominator is 0")
    }

    /// The joined constraints in each row.
    fn rows(&self, second: &[Blinded], challenges: &[Fr; 5]) -> Numbers {
        let (mut rng, mut watch) = (rng(0), Stopwatch::start());
        let (prover, columns) = (&self.keys.prover, &self.keys.columns);
        let trace =
            Trace { system: &prover.system, key: columns, rng: &mut rng, watch: &mut watch };
        let all = [self.first.as_slice(), second].concat();
        trace.evaluate(&prover.system.programs.constraints, &all, challenges).swap_remove(0)
    }

    /// Whether these challenges let the columns pass.
    fn passes(&self, challenges: &[Fr; 5]) -> bool {
        let second = self.second(challenges);
        self.rows(&second, challenges).iter().all(|row| *row == Fr::ZERO)
    }

    /// Whether our verifier accepts the same columns of the first round.
    fn is_accepted(&self, sample: &Sample) -> bool {
        self.keys.accept(sample, |round, columns| match round {
            Round::Advice => columns.clone_from_slice(&self.first[..self.counts - 1]),
            Round::Multiplicities => columns.clone_from_slice(&self.first[self.counts..]),
            _ => {}
        })
    }
}

/// `γ = β`: three cells of a cycle that are not equal.
///
/// With `a = name + 1` and `b` that of the next cell, `Π (v + βa) = Π (v + βb)` asks of each power of β that `Σ v·(1/a − 1/b) = 0` and `Σ (a − b)/v = 0`.
/// `v = (1, 1, 1)` is one solution, and the line of the first has one more on it.
#[test]
fn equal_beta_and_gamma() {
    let mut sample = nine_columns();
    let cells = [(0, 1), (2, 2), (7, 2)];
    cells.windows(2).for_each(|pair| sample.copy(pair[0], pair[1]));
    let points = points(3);
    let name = |(column, row): (usize, usize)| Fr::DELTA.pow([column as u64]) * points[row];
    let next = cells.map(|(column, row)| sample.next[column][row]);
    let a = cells.map(|cell| name(cell) + Fr::ONE);
    let b = next.map(|cell| name(cell) + Fr::ONE);
    let inverse = |number: Fr| number.invert().unwrap();
    let p: Vec<Fr> = (0..3).map(|it| inverse(a[it]) - inverse(b[it])).collect();
    let q: Vec<Fr> = (0..3).map(|it| a[it] - b[it]).collect();
    // (1, 1, 1) + s·(d, e, 0).
    let (d, e) = (p[1], -p[0]);
    let s = -(q[0] * e + q[1] * d + q[2] * (d + e)) * inverse(q[2] * d * e);
    let values = [Fr::ONE + s * d, Fr::ONE + s * e, Fr::ONE];
    assert!(values[0] != values[1] && values[1] != values[2] && values[0] != values[2]);
    for ((column, row), value) in cells.into_iter().zip(values) {
        sample.advice[column][row] = value;
    }
    let keys = Keys::of(&sample);
    let forger = Forger::of(&keys, &sample);
    for seed in 0..3 {
        let [theta, lookup, beta, gamma, y] = challenges(seed);
        assert!(forger.passes(&[theta, lookup, beta, beta, y]));
        assert!(!forger.passes(&[theta, lookup, beta, gamma, y]));
    }
    assert!(!forger.is_accepted(&sample));
}

/// `θ = β_L`: the tuple 9 is 10 times the tuple 0, where β_L is added, so that a tenth of a count pays for it.
#[test]
fn equal_theta_and_beta_of_lookups() {
    let mut sample = two_tables();
    sample.advice[0][3] = number(9);
    let keys = Keys::of(&sample);
    let mut forger = Forger::of(&keys, &sample);
    assert_eq!(sample.fixed[0][0], Fr::ZERO);
    forger.first[forger.counts].numbers[0] += number(10).invert().unwrap();
    for seed in 0..3 {
        let [theta, lookup, beta, gamma, y] = challenges(seed);
        assert!(forger.passes(&[theta, theta, beta, gamma, y]));
        assert!(!forger.passes(&[theta, lookup, beta, gamma, y]));
    }
    assert!(!forger.is_accepted(&sample));
}

/// `θ = 1`, as if the first column stood beside the tag: −1 in table 1 is 0 in table 0.
#[test]
fn tags_that_share_a_power_with_a_column() {
    let mut sample = three_tables();
    sample.advice[1][2] = -Fr::ONE;
    let keys = Keys::of(&sample);
    let mut forger = Forger::of(&keys, &sample);
    assert_eq!(sample.fixed[0][0], Fr::ZERO);
    forger.first[forger.counts].numbers[0] += Fr::ONE;
    for seed in 0..3 {
        let [theta, lookup, beta, gamma, y] = challenges(seed);
        assert!(forger.passes(&[Fr::ONE, lookup, beta, gamma, y]));
        assert!(!forger.passes(&[theta, lookup, beta, gamma, y]));
    }
    assert!(!forger.is_accepted(&sample));
}

/// Tables with one tag: what is looked up in one of them may be in any other.
#[test]
fn equal_tags() {
    for (from, to, row) in [(0, 1, 4), (1, 0, 3), (1, 2, 4), (2, 0, 4)] {
        let mut sample = three_tables();
        let limb = sample.fixed[to][row];
        assert!(!sample.fixed[from][..5].contains(&limb));
        sample.advice[from][2] = limb;
        let mut keys = Keys::of(&sample);
        let forger = Forger::of(&keys, &sample);
        let (mut first, counts) = (forger.first, forger.counts);
        first[counts + to].numbers[row] += Fr::ONE;
        let forger = Forger { keys: &keys, first: first.clone(), counts };
        assert!((0..3).all(|seed| !forger.passes(&challenges(seed))), "{from}, {to}");
        assert!(!forger.is_accepted(&sample), "{from}, {to}");
        keys.prover.system.programs =
            Programs::new(&sample.protocol, keys.prover.system.columns, |_| Fr::ZERO);
        let mutant = Forger { keys: &keys, first, counts };
        assert!((0..3).all(|seed| mutant.passes(&challenges(seed))), "{from}, {to}");
    }
}

/// Multiplicities that are chosen when `θ` and `β_L` are known.
#[test]
fn counts_after_their_challenges() {
    let mut sample = two_tables();
    sample.advice[0][3] = number(9);
    let keys = Keys::of(&sample);
    let mut forger = Forger::of(&keys, &sample);
    let [theta, lookup, ..] = challenges(1);
    let share = (lookup + theta * number(9)).invert().unwrap();
    forger.first[forger.counts].numbers[4] += share * (lookup + theta * sample.fixed[0][4]);
    assert!(forger.passes(&challenges(1)));
    assert!(!forger.passes(&challenges(2)));
    assert!(!forger.is_accepted(&sample));
}

/// Cells that are chosen when `β` and `γ` are known: one copy is false, and another makes up for it.
#[test]
fn copies_after_their_challenges() {
    let mut sample = nine_columns();
    let [p, q, s, t] = [(0, 1), (2, 2), (7, 2), (3, 4)];
    sample.copy(p, q);
    sample.copy(s, t);
    let [_, _, beta, gamma, _] = challenges(1);
    let points = points(3);
    let name =
        |(column, row): (usize, usize)| beta * Fr::DELTA.pow([column as u64]) * points[row] + gamma;
    let at = |(column, row): (usize, usize)| sample.advice[column][row];
    let inverse = |number: Fr| number.invert().unwrap();
    let ratio =
        (at(p) + name(p)) * (at(q) + name(q)) * inverse(at(p) + name(q)) * inverse(at(q) + name(p));
    let factor = (at(s) + name(t)) * inverse((at(s) + name(s)) * ratio);
    sample.advice[t.0][t.1] = (factor * name(s) - name(t)) * inverse(Fr::ONE - factor);
    let keys = Keys::of(&sample);
    let forger = Forger::of(&keys, &sample);
    assert!(forger.passes(&challenges(1)));
    assert!(!forger.passes(&challenges(2)));
    assert!(!forger.is_accepted(&sample));
}

/// A difference that is chosen when `y` is known makes up for any constraint that does not hold.
#[test]
fn differences_after_y() {
    let mut sample = every(0);
    for (column, row) in [(1, 3), (0, 5), (4, 9), (2, 2)] {
        sample.advice[column][row] += Fr::from(1000);
    }
    let keys = Keys::of(&sample);
    let forger = Forger::of(&keys, &sample);
    let challenges = challenges(1);
    // Lookups and copies that do not hold break the row in which the sum and the product come back.
    let mut second = forger.second(&challenges);
    let last = second.len() - 1;
    let before = forger.rows(&second, &challenges);
    second[last].numbers.iter_mut().for_each(|number| *number += Fr::ONE);
    let after = forger.rows(&second, &challenges);
    for (row, number) in second[last].numbers.iter_mut().enumerate() {
        let slope = after[row] - before[row];
        *number -= Fr::ONE + before[row] * slope.invert().unwrap();
    }
    assert!(before.iter().any(|row| *row != Fr::ZERO));
    assert!(forger.rows(&second, &challenges).iter().all(|row| *row == Fr::ZERO));
    let mut other = challenges;
    other[4] += Fr::ONE;
    assert!(forger.rows(&second, &other).iter().any(|row| *row != Fr::ZERO));
    let forged = keys.accept(&sample, |round, columns| {
        if round == Round::Arguments {
            columns[last].numbers.clone_from(&second[last].numbers);
        }
    });
    assert!(!forged);
}

/// One table of advice and what is looked up in it.
fn advice_table() -> Sample {
    let parts = ProtocolParts {
        k: 3,
        usable: 5,
        fixed: 0,
        advice: 2,
        inputs: 0,
        nodes: vec![cell(Column::Advice(0), 0), cell(Column::Advice(1), 0)],
        constraints: vec![],
        tables: vec![Table { expressions: vec![0], inputs: vec![vec![1]] }],
        copied: vec![],
    };
    let column: Numbers = (0..8).map(number).collect();
    let protocol = Protocol::new(parts).unwrap();
    let advice = vec![column.clone(), column];
    Sample { protocol, fixed: vec![], next: vec![], advice, inputs: vec![] }
}

/// Without `ℓ_act` a table has whatever its prover writes into random rows.
#[test]
fn random_rows_that_take_part() {
    let mut sample = advice_table();
    sample.advice[1][3] = number(99);
    let mut keys = Keys::of(&sample);
    let mut forger = Forger::of(&keys, &sample);
    let counts = forger.counts;
    forger.first[0].numbers[6] = number(99);
    for row in 5..8 {
        let asked = forger.first[1].numbers[row];
        if row != 6 {
            forger.first[0].numbers[row] = asked;
            forger.first[counts].numbers[row] = Fr::ONE;
        }
    }
    // The one that is looked up in row 6 is in row 0.
    forger.first[1].numbers[6] = Fr::ZERO;
    forger.first[counts].numbers[0] += Fr::ONE;
    forger.first[counts].numbers[6] = Fr::ONE;
    let challenges = challenges(1);
    let [theta, lookup, ..] = challenges;
    let mut second = forger.second(&challenges);
    let mut sum = Fr::ZERO;
    for row in 0..8 {
        second[0].numbers[row] = sum;
        let part =
            |column: usize| (lookup + theta * forger.first[column].numbers[row]).invert().unwrap();
        sum += part(1) - forger.first[counts].numbers[row] * part(0);
    }
    assert_eq!(sum, Fr::ZERO, "it comes back");
    assert!(forger.rows(&second, &challenges).iter().any(|row| *row != Fr::ZERO));
    assert!(!forger.passes(&challenges) && !forger.is_accepted(&sample));
    let first = forger.first;
    let active = keys.prover.system.columns.row(Row::Active);
    keys.columns.values[active].fill(Fr::ONE);
    let mutant = Forger { keys: &keys, first, counts };
    assert!(mutant.rows(&second, &challenges).iter().all(|row| *row == Fr::ZERO));
}
