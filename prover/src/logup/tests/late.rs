//! Formats in which a challenge does not follow from what it is to bind, from `x` on, and the forgeries that they would accept. Forgers know no τ:
//! what they commit to are polynomials. Ours refuses the same proofs.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Backend, Inputs};
use muster_verifier::Polynomial;

use super::{
    every::{every, ROWS},
    judge::judge,
    mirror::{items, opened, value, Insight},
    sample::{commit, interpolate, points, tau, Keys, Sample},
};
use crate::{
    logup::{
        blinded::{compressed, to_bytes, value_of, Blinded},
        openings::{Openings, Part},
    },
    polynomial::{powers, Numbers},
};

/// Columns that do not meet the circuit, and a proof of them.
struct Forger {
    sample: Sample,
    keys: Keys,
    insight: Insight,
}

/// What a verifier sees from `x` on, but for the points that the key and the first rounds have: values, and numbers in place of points.
struct Seen {
    values: Vec<Numbers>,
    /// The quotient's commitment.
    quotient: Fr,
    first: Fr,
    second: Fr,
}

impl Forger {
    fn new() -> Self {
        let mut sample = every(0);
        sample.advice[1][3] += Fr::ONE;
        sample.advice[4][6] += Fr::from(1000);
        assert!(judge(&sample).is_err());
        let keys = Keys::of(&sample);
        let insight = Insight::of(&keys, &sample, 1, |_, _| ());
        assert!(keys.verify(&sample, &insight.proof).is_err());
        Self { sample, keys, insight }
    }

    fn columns(&self) -> Vec<Blinded> {
        self.insight.coefficients(&self.keys)
    }

    fn parts<'a>(&'a self, polynomials: &[&'a Blinded]) -> Vec<Part<'a>> {
        let part = |opened: &'a muster_verifier::Opened| {
            let of = polynomials[self.keys.prover.system.columns.place(opened.polynomial)];
            let rotations = opened.rotations.iter();
            let point = |rotation: &i32| {
                self.keys.prover.system.point(self.insight.challenges.x, *rotation)
            };
            let values = rotations.map(|rotation| value(&self.keys, of, point(rotation)));
            Part { of: vec![of], rotations: &opened.rotations, values: vec![values.collect()] }
        };
        opened(&self.keys).map(part).collect()
    }

    /// The quotient's value that a verifier computes from values. All cells that it has are rows of columns here, of which one row is evaluated.
    fn quotient_of(&self, values: &[Numbers]) -> Fr {
        let columns = self.columns();
        let polynomials = Insight::polynomials(&self.keys, &columns);
        let x = self.insight.challenges.x;
        let row = |of: &&Blinded, row: usize| {
            value(&self.keys, of, self.keys.prover.system.point(x, row as i32))
        };
        let mut cells: Vec<Numbers> = polynomials
            .iter()
            .map(|of| (0..ROWS).map(|number| row(of, number)).collect())
            .collect();
        for (opened, values) in opened(&self.keys).zip(values) {
            let column = &mut cells[self.keys.prover.system.columns.place(opened.polynomial)];
            for (rotation, value) in opened.rotations.iter().zip(values) {
                column[rotation.rem_euclid(ROWS as i32) as usize] = *value;
            }
        }
        let cells: Vec<&[Fr]> = cells.iter().map(Vec::as_slice).collect();
        let parameters = &self.insight.challenges.rows;
        let inputs = Inputs { rows: ROWS, columns: &cells, parameters };
        let program = &self.keys.prover.system.programs.constraints;
        let sum = program.evaluate(Backend::portable(), inputs)[0][0];
        sum * (x.pow([ROWS as u64]) - Fr::ONE).invert().unwrap()
    }

    /// Σ w·(F(τ) − r(u)) of the specification's section 7.
    fn left(&self, values: &[Numbers], quotient: Fr, at: Fr) -> Fr {
        let columns = self.columns();
        let polynomials = Insight::polynomials(&self.keys, &columns);
        let challenges = &self.insight.challenges;
        let opened = self.keys.key.protocol().arrangement().polynomials();
        let computed = vec![self.quotient_of(values)];
        let mut sum = Fr::ZERO;
        for ((opened, values), power) in
            opened.iter().zip(values.iter().chain([&computed])).zip(powers(challenges.alpha))
        {
            let log = match opened.polynomial {
                Polynomial::Quotient => quotient,
                other => {
                    value(&self.keys, polynomials[self.keys.prover.system.columns.place(other)], at)
                }
            };
            let rotations = opened.rotations.iter();
            let points: Numbers =
                rotations.map(|it| self.keys.prover.system.point(challenges.x, *it)).collect();
            let vanishing: Fr = points.iter().map(|point| challenges.u - point).product();
            let rest = log - least(&points, values, challenges.u);
            sum += power * rest * vanishing.invert().unwrap();
        }
        sum
    }

    /// The verifier's last equation, with the challenges that the forger knew.
    fn passes(&self, seen: &Seen) -> bool {
        let left = self.left(&seen.values, seen.quotient, tau());
        left - seen.first + self.insight.challenges.u * seen.second == tau() * seen.second
    }

    /// Honest openings of these pieces; `change` may change the values afterwards.
    fn opened(&self, pieces: &[Numbers], change: impl FnOnce(&mut Vec<Numbers>)) -> Seen {
        let columns = self.columns();
        let polynomials = Insight::polynomials(&self.keys, &columns);
        let challenges = &self.insight.challenges;
        let mut values: Vec<Numbers> =
            self.parts(&polynomials).into_iter().flat_map(|part| part.values).collect();
        let weights: Numbers = powers(challenges.x.pow([ROWS as u64])).take(4).collect();
        let system = &self.keys.prover.system;
        let quotient = Openings::quotient(system, &weights, pieces);
        let parts = self.parts(&polynomials);
        let at = (challenges.x, challenges.alpha);
        let openings = Openings::new(system, &parts, quotient.clone(), at);
        let first = openings.first();
        let second = openings.second(&first, challenges.u).unwrap().second;
        change(&mut values);
        let [quotient, first, second] =
            [&quotient, &first, &second].map(|numbers| value_of(numbers, tau()));
        Seen { values, quotient, first, second }
    }

    /// Whether our verifier accepts a proof with these in place of its own.
    fn is_accepted(&self, seen: &Seen, pieces: Option<&[Numbers]>) -> bool {
        let mut items = items(&self.keys, &self.sample.inputs, &self.insight.proof);
        let point = |number: Fr| compressed(&commit(number)).to_vec();
        if let Some(pieces) = pieces {
            items[4] = pieces.iter().flat_map(|piece| point(value_of(piece, tau()))).collect();
        }
        items[5] = seen.values.iter().flatten().flat_map(to_bytes).collect();
        items[6] = point(seen.first);
        items[7] = point(seen.second);
        self.keys.verify(&self.sample, &items[2..].concat()).is_ok()
    }
}

/// The value at `u` of the polynomial of least degree with these values.
fn least(points: &[Fr], values: &[Fr], u: Fr) -> Fr {
    let term = |(point, value): (&Fr, &Fr)| {
        let others = points.iter().filter(|other| *other != point);
        let basis = others.map(|other| (u - other) * (*point - other).invert().unwrap());
        *value * basis.product::<Fr>()
    };
    points.iter().zip(values).map(term).sum()
}

/// The equation of these tests is that of the verifier.
#[test]
fn honest_proofs_pass() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let insight = Insight::of(&keys, &sample, 1, |_, _| ());
    let honest = Forger { sample, keys, insight };
    let mut seen = honest.opened(&honest.insight.pieces, |_| ());
    assert!(honest.passes(&seen) && honest.is_accepted(&seen, None));
    seen.values[3][0] += Fr::ONE;
    assert!(!honest.passes(&seen) && !honest.is_accepted(&seen, None));
    let forger = Forger::new();
    let seen = forger.opened(&forger.insight.pieces, |_| ());
    assert!(!forger.passes(&seen) && !forger.is_accepted(&seen, None));
}

/// A quotient that is chosen when `x` is known is a constant.
#[test]
fn pieces_after_x() {
    let forger = Forger::new();
    let columns = forger.columns();
    let polynomials = Insight::polynomials(&forger.keys, &columns);
    let values: Vec<Numbers> =
        forger.parts(&polynomials).into_iter().flat_map(|part| part.values).collect();
    let mut pieces = vec![vec![Fr::ZERO; ROWS]; 4];
    // Each is a point that is not the identity, and they cancel but for what is asked for.
    pieces[0][0] = forger.quotient_of(&values);
    for (place, power) in powers(forger.insight.challenges.x.pow([ROWS as u64])).take(4).enumerate()
    {
        if place > 0 {
            pieces[place][0] = Fr::ONE;
            pieces[0][0] -= power;
        }
    }
    let seen = forger.opened(&pieces, |_| ());
    assert!(forger.passes(&seen));
    assert!(!forger.is_accepted(&seen, Some(&pieces)));
}

/// Values that are chosen when `α` is known need to be right only together.
#[test]
fn values_after_alpha() {
    let forger = Forger::new();
    let pieces = &forger.insight.pieces;
    let place = opened(&forger.keys)
        .position(|opened| opened.polynomial == Polynomial::Multiplicity(2))
        .unwrap();
    let true_values = forger.opened(pieces, |_| ()).values;
    let x = forger.insight.challenges.x;
    let weights = powers(x.pow([ROWS as u64]));
    let own: Fr = pieces.iter().zip(weights).map(|(piece, it)| it * value_of(piece, x)).sum();
    // By what one more of that value, which is a factor of nothing but numbers, changes the quotient's.
    let with = |more: Fr| {
        let mut values = true_values.clone();
        values[place][0] += more;
        forger.quotient_of(&values)
    };
    let (base, slope) = (with(Fr::ZERO), with(Fr::ONE) - with(Fr::ZERO));
    let [at, last] =
        [place, true_values.len()].map(|place| forger.insight.challenges.alpha.pow([place as u64]));
    let more = last * (own - base) * (at + last * slope).invert().unwrap();
    let seen = forger.opened(pieces, |values| values[place][0] += more);
    assert!(forger.passes(&seen));
    assert!(!forger.is_accepted(&seen, None));
}

/// W that is chosen when `u` is known makes up for anything: with W′ = 1 it is what is left over.
#[test]
fn w_after_u() {
    let forger = Forger::new();
    let mut seen = forger.opened(&forger.insight.pieces, |values| values[0][0] += Fr::from(5));
    seen.second = Fr::ONE;
    let left = forger.left(&seen.values, seen.quotient, tau());
    seen.first = left + (forger.insight.challenges.u - tau()) * seen.second;
    assert!(forger.passes(&seen));
    assert!(!forger.is_accepted(&seen, None));
}

/// A key that is chosen when `x` is known, if no challenge depends on it: its numbers, of which one in some row makes the quotient's value right. The numbers are
/// a factor of no constraint more than once.
#[test]
fn a_key_after_x() {
    let forger = Forger::new();
    let column = Polynomial::Fixed(1);
    let place = opened(&forger.keys).position(|opened| opened.polynomial == column).unwrap();
    let challenges = forger.insight.challenges;
    let pieces = &forger.insight.pieces;
    let seen = forger.opened(pieces, |_| ());
    let with = |more: Fr| {
        let mut values = seen.values.clone();
        values[place][0] += more;
        forger.quotient_of(&values)
    };
    let (base, slope) = (with(Fr::ZERO), with(Fr::ONE) - with(Fr::ZERO));
    assert_eq!(with(Fr::from(2)), base + slope.double());
    let weights = powers(challenges.x.pow([ROWS as u64]));
    let own: Fr =
        pieces.iter().zip(weights).map(|(piece, it)| it * value_of(piece, challenges.x)).sum();
    assert_ne!(own, base, "it is a forgery");
    let row: Numbers = (0..ROWS).map(|row| Fr::from(u64::from(row == 7))).collect();
    let share = interpolate(&row, challenges.x);
    let mut sample = forger.sample.clone();
    sample.fixed[1][7] += (own - base) * (slope * share).invert().unwrap();
    assert!(judge(&sample).is_err());

    let keys = Keys::of(&sample);
    assert_ne!(keys.key.digest(), forger.keys.key.digest());
    // All that the forger said before `x` stays as it is; what comes after it is honest.
    let forger = Forger { sample, keys, insight: forger.insight };
    let seen = forger.opened(&forger.insight.pieces, |_| ());
    assert!(forger.passes(&seen));
    assert!(!forger.is_accepted(&seen, None));
}

/// Inputs that are chosen when `x` is known: a verifier sees nothing of them but their polynomial there.
#[test]
fn inputs_after_x() {
    let mut sample = every(0);
    let keys = Keys::of(&sample);
    let insight = Insight::of(&keys, &sample, 1, |_, _| ());
    assert_eq!(keys.verify(&sample, &insight.proof), Ok(()));
    let x = insight.challenges.x;
    let at = |inputs: &[Fr]| {
        let mut column = inputs.to_vec();
        column.resize(ROWS, Fr::ZERO);
        interpolate(&column, x)
    };
    // L₀ and L₁ are in the ratio of ω⁰/(x − ω⁰) and ω¹/(x − ω¹).
    let omega = points(4)[1];
    let before = at(&sample.inputs);
    sample.inputs[0] += omega * (x - Fr::ONE);
    sample.inputs[1] -= x - omega;
    assert_eq!(at(&sample.inputs), before);
    assert!(keys.verify(&sample, &insight.proof).is_err());
}
