//! Deciders against the equation and the openings of the specification, in numbers. The values are any at all: a decider
//! takes what they say for the quotient.

use std::collections::BTreeMap;

use ark_ff::{AdditiveGroup, Field};

use super::sample::{packing, values};
use crate::{
    domain::Domain, equation::Equation, proof::Challenges, tests::equation::challenges, Decider,
    FillError, Filled, Packing, Scalar,
};

/// What a decider takes in.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) public: Vec<Scalar>,
    pub(crate) values: Vec<Scalar>,
}

/// Values of a packing's polynomials with the public inputs that follow from them, by the formulas of sections 6, 7 and 13.
pub(crate) fn shown(
    packing: &Packing,
    decider: &Decider,
    inputs: &[Scalar],
    values: &BTreeMap<(usize, i32), Scalar>,
    challenges: &Challenges,
) -> Shown {
    let protocol = packing.protocol();
    let domain = Domain::new(protocol.k());
    let &Challenges { theta, beta_lookup, beta, gamma, y, x, alpha, u, .. } = challenges;
    let polynomials = protocol.arrangement().polynomials().iter().enumerate();
    let needed = polynomials.take(protocol.arrangement().polynomials().len() - 1);
    let needed = needed.flat_map(|(number, opened)| {
        opened.rotations.iter().map(move |&rotation| values[&(number, rotation)])
    });
    let needed: Vec<Scalar> = needed.collect();
    let quotient = Equation::new(protocol).quotient(protocol, inputs, &needed, challenges);
    let quotient = quotient.expect("x is not degenerate");

    let place = u.pow([u64::from(packing.stride())]);
    let (mut weights, mut remainder, mut power) = (vec![], Scalar::ZERO, Scalar::ONE);
    for pack in packing.packs() {
        let points: Vec<_> = pack.rotations.iter().map(|&it| x * domain.power(it)).collect();
        let vanishing: Scalar = points.iter().map(|point| place - point).product();
        let joined = pack.rotations.iter().map(|&rotation| -> Scalar {
            let terms = pack.polynomials.iter().zip(0..);
            terms.map(|(&it, power)| values[&(it, rotation)] * u.pow([power])).sum()
        });
        // The polynomial of least degree with these values, at the place.
        let mut value = Scalar::ZERO;
        for (&point, joined) in points.iter().zip(joined) {
            let others = points.iter().filter(|&&other| other != point);
            value +=
                others.map(|other| (place - other) / (point - other)).product::<Scalar>() * joined;
        }
        weights.push(power / vanishing);
        remainder += power / vanishing * value;
        power *= alpha;
    }
    remainder += power / (u - x) * quotient;
    let public = [inputs, &[theta, beta_lookup, beta, gamma, y, x, alpha, u], &weights];
    let cells = decider.cells().iter().map(|cell| {
        let polynomial = packing.packs()[cell.pack].polynomials[cell.place];
        values[&(polynomial, cell.rotation)]
    });
    Shown { public: [&public.concat()[..], &[remainder]].concat(), values: cells.collect() }
}

/// The sample at random values.
fn sample() -> (Packing, Decider, Shown) {
    let packing = packing();
    let decider = Decider::new(&packing).expect("it is small");
    let inputs = [Scalar::from(3), Scalar::from(12_345)];
    let values = values(&packing, "values");
    let shown = shown(&packing, &decider, &inputs, &values, &challenges("fill"));
    (packing, decider, shown)
}

/// Every row computes its `d`, and all cells of a cycle are equal.
pub(crate) fn check(decider: &Decider, shown: &Shown) {
    let Filled { wires, unequal } =
        decider.fill(&shown.public, &shown.values).expect("it is filled");
    assert_eq!(unequal, None);
    let columns = decider.columns();
    let n = 1 << decider.k();
    let mut e = vec![Scalar::ZERO; n];
    for (cell, value) in decider.cells().iter().zip(&shown.values) {
        e[cell.row] = *value;
    }
    for row in 0..n {
        let [a, b, c, d] = [0, 1, 2, 3].map(|wire: usize| wires[wire][row]);
        let at = |column: usize| columns[column][row];
        let public = shown.public.get(row).copied().unwrap_or_default();
        let computed = at(0) * a * b + at(1) * a + at(2) * b + at(3) * c + at(4) * e[row] + at(5);
        assert_eq!(computed + public, d, "row {row}");
    }
    let domain = Domain::new(decider.k());
    let mut names = BTreeMap::new();
    for wire in 0..4 {
        for row in 0..n {
            let name = crate::domain::DELTA.pow([wire as u64]) * domain.power(row as i32);
            names.insert(name, (wire, row));
        }
    }
    for wire in 0..4 {
        for row in 0..n {
            let (next, at) = names[&columns[6 + wire][row]];
            assert_eq!(wires[next][at], wires[wire][row], "wire {wire} of row {row}");
            if row >= n - Decider::RANDOM_ROWS {
                assert_eq!((next, at), (wire, row));
            }
        }
    }
}

#[test]
fn wires_meet_every_row_and_copy() {
    let (_, decider, shown) = sample();
    check(&decider, &shown);
}

#[test]
fn what_does_not_follow_is_refused() {
    let (_, decider, shown) = sample();
    let refused = |change: &dyn Fn(&mut Shown)| {
        let mut other = shown.clone();
        change(&mut other);
        decider.fill(&other.public, &other.values)
    };
    for place in 0..shown.values.len() {
        let filled = refused(&|shown| shown.values[place] += Scalar::ONE);
        assert!(filled.is_ok_and(|filled| filled.unequal.is_some()), "value {place}");
    }
    for place in 0..shown.public.len() {
        let filled = refused(&|shown| shown.public[place] += Scalar::ONE);
        assert!(filled.is_ok_and(|filled| filled.unequal.is_some()), "public input {place}");
    }
    let (found, expected) = (shown.values.len() - 1, shown.values.len());
    let error = refused(&|shown| shown.values.truncate(found));
    assert_eq!(error, Err(FillError::Values { found, expected }));
    let (found, expected) = (shown.public.len() + 1, shown.public.len());
    let error = refused(&|shown| shown.public.push(Scalar::ONE));
    assert_eq!(error, Err(FillError::PublicInputs { found, expected }));
}

#[test]
fn degenerate_challenges_have_no_wires() {
    let (packing, decider, shown) = sample();
    let rows = Domain::new(packing.protocol().k());
    let (x, u) = (packing.protocol().inputs() + 5, packing.protocol().inputs() + 7);
    let degenerate = |change: &dyn Fn(&mut Vec<Scalar>)| {
        let mut public = shown.public.clone();
        change(&mut public);
        let error = decider.fill(&public, &shown.values).expect_err("it is degenerate");
        assert!(matches!(error, FillError::Degenerate { .. }), "{error}");
    };
    // x = 0, x^n = 1, u^T = x·ω^ρ of a rotation that is opened, u = x.
    degenerate(&|public| public[x] = Scalar::ZERO);
    for row in [0, 3, -1] {
        degenerate(&|public| public[x] = rows.power(row));
    }
    let stride = u64::from(packing.stride());
    for rotation in [0, 1] {
        degenerate(&|public| public[x] = public[u].pow([stride]) / rows.power(rotation));
    }
    degenerate(&|public| public[u] = public[x]);
    let mut public = shown.public.clone();
    public[x] = public[u].pow([stride]) / rows.power(2);
    let filled = decider.fill(&public, &shown.values);
    assert!(filled.is_ok_and(|filled| filled.unequal.is_some()));
}
