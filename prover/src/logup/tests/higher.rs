//! No degree is bounded: a prover that has more powers than ours asks for, with columns of any degree and a quotient as long as it comes. It knows no τ: what
//! it commits to are polynomials. It hides nothing.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Backend, Inputs};
use muster_testing::sampled;

use super::{
    copies::nine_columns,
    every::every,
    judge::judge,
    lookups::{number, two_tables},
    mirror::{challenges, items, opened, value, Insight},
    sample::{commit, rng, tau, Keys, Sample},
};
use crate::{
    logup::{
        blinded::{compressed, to_bytes, value_of, Blinded},
        trace::Trace,
    },
    polynomial::{self, divide, interpolated, powers, times_root, Numbers},
    profile::Stopwatch,
};

/// Pieces of a quotient, of as many coefficients as there are rows: more than any of these circuits needs.
const PIECES: usize = 12;

fn point(of: Fr) -> Vec<u8> {
    compressed(&commit(of)).to_vec()
}

/// Commitments to columns.
fn points(keys: &Keys, columns: &[Blinded]) -> Vec<u8> {
    columns.iter().flat_map(|column| point(value(keys, column, tau()))).collect()
}

/// All coefficients of `f + b·(Xⁿ − 1)`.
fn expanded(of: &Blinded) -> Numbers {
    let mut all = of.numbers.to_vec();
    all.resize(all.len() + of.blinders.len(), Fr::ZERO);
    for (place, blinder) in of.blinders.iter().enumerate() {
        all[place] -= blinder;
        all[of.numbers.len() + place] += blinder;
    }
    all
}

/// `left + weight·right`.
fn add(left: &mut Numbers, weight: Fr, right: &[Fr]) {
    left.resize(left.len().max(right.len()), Fr::ZERO);
    left.iter_mut().zip(right).for_each(|(left, right)| *left += weight * right);
}

/// The pieces of the joined constraints by `Xⁿ − 1`: remainders on random cosets, joined.
fn quotient(keys: &Keys, columns: &[Blinded], challenges: &[Fr; 5]) -> Vec<Numbers> {
    let rows = keys.key.protocol().rows();
    let polynomials = Insight::polynomials(keys, columns);
    let mut random = rng(6);
    let shifts: Numbers = (0..PIECES).map(|_| Fr::random(&mut random)).collect();
    let raised: Numbers = shifts.iter().map(|shift| shift.pow([rows as u64])).collect();
    let mut pieces = vec![vec![Fr::ZERO; rows]; PIECES];
    for (place, shift) in shifts.iter().enumerate() {
        let at = |row: i32| keys.prover.system.point(*shift, row);
        let column = |of: &&Blinded| -> Numbers {
            (0..rows as i32).map(|row| value(keys, of, at(row))).collect()
        };
        let columns: Vec<Numbers> = polynomials.iter().map(column).collect();
        let columns: Vec<&[Fr]> = columns.iter().map(Vec::as_slice).collect();
        let inputs = Inputs { rows, columns: &columns, parameters: challenges };
        let program = &keys.prover.system.programs.constraints;
        let mut remainder = program.evaluate(Backend::portable(), inputs).swap_remove(0);
        keys.prover.system.domain.to_coefficients(&mut remainder);
        let back = powers(shift.invert().unwrap());
        remainder.iter_mut().zip(back).for_each(|(coefficient, power)| *coefficient *= power);

        let (mut basis, mut scale) = (vec![Fr::ONE], raised[place] - Fr::ONE);
        for other in raised.iter().filter(|other| **other != raised[place]) {
            basis = times_root(&basis, *other);
            scale *= raised[place] - other;
        }
        let scale = scale.invert().unwrap();
        for (piece, weight) in pieces.iter_mut().zip(basis) {
            add(piece, weight * scale, &remainder);
        }
    }
    pieces
}

/// A polynomial, and its values at some points.
struct Joined {
    sum: Numbers,
    values: Numbers,
    points: Numbers,
}

/// W and W′ of polynomials with their points.
struct Opened(Vec<Joined>);

impl Opened {
    fn first(&self, alpha: Fr) -> Numbers {
        let mut sum = vec![];
        for (part, power) in self.0.iter().zip(powers(alpha)) {
            add(&mut sum, power, &polynomial::quotient(&part.sum, &part.points));
        }
        sum
    }

    fn second(&self, alpha: Fr, first: &[Fr], u: Fr) -> Numbers {
        let mut sum = vec![];
        add(&mut sum, -Fr::ONE, first);
        for (part, power) in self.0.iter().zip(powers(alpha)) {
            let vanishing: Fr = part.points.iter().map(|point| u - point).product();
            let weight = power * vanishing.invert().unwrap();
            add(&mut sum, weight, &part.sum);
            sum[0] -= weight * interpolated(&part.points, &part.values, u);
        }
        divide(&sum, u)
    }
}

/// A proof for which an advice column is of the degree `times·n`. Whether the quotient is shorter than it could be.
fn prove(keys: &Keys, sample: &Sample, (place, times): (usize, usize)) -> (Vec<u8>, bool) {
    let (rows, advice) = (sample.protocol.rows(), sample.protocol.advice());
    let mut insight = Insight::of(keys, sample, 1, |_, _| ());
    let mut items = items(keys, &sample.inputs, &insight.proof);
    let first = advice + 1 + sample.protocol.tables().len();
    insight.columns.truncate(first);
    let mut random = rng(5);
    let count = (times - 1) * rows + 1;
    insight.columns[place].blinders = (0..count).map(|_| Fr::random(&mut random)).collect();
    let columns = insight.coefficients(keys);
    items[2] = [points(keys, &columns[..advice]), points(keys, &columns[advice + 1..])].concat();

    let (mut random, mut watch) = (rng(4), Stopwatch::start());
    let mut trace = Trace {
        system: &keys.prover.system,
        key: &keys.columns,
        rng: &mut random,
        watch: &mut watch,
    };
    let arguments = trace.arguments(&insight.columns, &challenges(&items).rows[..4]).unwrap();
    insight.columns.extend(arguments);
    let columns = insight.coefficients(keys);
    items[3] = points(keys, &columns[first..]);

    let mut pieces = quotient(keys, &columns, &challenges(&items).rows);
    let is_short = pieces[PIECES - 1].iter().all(|number| *number == Fr::ZERO);
    let rest = pieces.split_off(3);
    pieces.push(rest.concat());
    items[4] = pieces.iter().flat_map(|piece| point(value_of(piece, tau()))).collect();

    let x = challenges(&items).x;
    let polynomials = Insight::polynomials(keys, &columns);
    let part = |opened: &muster_verifier::Opened| {
        let of = polynomials[keys.prover.system.columns.place(opened.polynomial)];
        let rotations = opened.rotations.iter();
        let points: Numbers = rotations.map(|it| keys.prover.system.point(x, *it)).collect();
        let values = points.iter().map(|point| value(keys, of, *point)).collect();
        Joined { sum: expanded(of), values, points }
    };
    let mut parts: Vec<Joined> = opened(keys).map(part).collect();
    items[5] = parts.iter().flat_map(|part| &part.values).flat_map(to_bytes).collect();
    let mut sum = vec![];
    for (piece, power) in pieces.iter().zip(powers(x.pow([rows as u64]))) {
        add(&mut sum, power, piece);
    }
    parts.push(Joined { values: vec![value_of(&sum, x)], sum, points: vec![x] });
    let parts = Opened(parts);
    let alpha = challenges(&items).alpha;
    let w = parts.first(alpha);
    items[6] = point(value_of(&w, tau()));
    let second = parts.second(alpha, &w, challenges(&items).u);
    items[7] = point(value_of(&second, tau()));
    (items[2..].concat(), is_short)
}

/// Columns of degree 3n are columns like all others: good ones are accepted, and others are not.
#[test]
fn a_column_of_degree_3n_is_its_values_in_the_rows() {
    let [mut lookups, mut copies, mut all] = [two_tables(), nine_columns(), every(0)];
    for is_good in [true, false] {
        for sample in [&lookups, &copies, &all] {
            assert_eq!(judge(sample).is_ok(), is_good);
            let keys = Keys::of(sample);
            for place in sampled(0..sample.protocol.advice(), 4) {
                for times in [1, 3] {
                    let (proof, is_short) = prove(&keys, sample, (place, times));
                    let verdict = keys.verify(sample, &proof);
                    assert_eq!(verdict.is_ok(), is_good, "column {place}: {verdict:?}");
                    assert_eq!(is_short, is_good, "column {place}: a polynomial, or none");
                }
            }
        }
        lookups.advice[0][3] = number(9);
        copies.advice[4][3] += Fr::ONE;
        all.advice[1][3] += Fr::ONE;
    }
}
