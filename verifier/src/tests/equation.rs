//! The quotient is a polynomial exactly if every row, lookup and copy holds.

use ark_ff::{AdditiveGroup, Field};

use super::{
    sample::{numbers, protocol},
    trace::{Trace, Witness},
};
use crate::{
    domain::Domain, equation::Equation, opening::Openings, proof::Challenges, Column, Polynomial,
    Protocol, Scalar,
};

pub(crate) fn challenges(seed: &str) -> Challenges {
    let mut next = numbers(seed);
    Challenges {
        theta: next(),
        beta_lookup: next(),
        beta: next(),
        gamma: next(),
        y: next(),
        x: next(),
        alpha: next(),
        u: next(),
        name: [0; 32],
    }
}

/// Whether the quotient of these columns is a polynomial of degree below `4·n`: it is known by as
/// many values.
fn is_polynomial(protocol: &Protocol, trace: &Trace, inputs: &[Scalar]) -> bool {
    let equation = Equation::new(protocol);
    let quotient = |x: u64| {
        let challenges = Challenges { x: Scalar::from(x), ..challenges("rows") };
        let values = trace.values(protocol, challenges.x);
        equation.quotient(protocol, inputs, &values, &challenges).expect("x is no row")
    };
    let points: Vec<u64> = (2..2 + 4 * 16).collect();
    let target = Scalar::from(1000);
    let mut expected = Scalar::ZERO;
    for &point in &points {
        let mut basis = Scalar::ONE;
        for &other in points.iter().filter(|&&other| other != point) {
            basis *= (target - Scalar::from(other)) / (Scalar::from(point) - Scalar::from(other));
        }
        expected += basis * quotient(point);
    }
    expected == quotient(1000)
}

/// Whether the sample's witness holds after a change.
fn holds(change: impl FnOnce(&mut Witness)) -> bool {
    let protocol = protocol();
    let mut witness = Witness::honest(&protocol);
    change(&mut witness);
    let trace = Trace::new(&protocol, &witness, &challenges("rows"));
    is_polynomial(&protocol, &trace, &witness.inputs)
}

#[test]
fn honest_columns_hold() {
    assert!(holds(|_| ()));
}

#[test]
fn random_rows_may_be_anything() {
    for column in 0..5 {
        assert!(holds(|witness| witness.change(Column::Advice(column), 12)));
    }
}

#[test]
fn a_false_row_does_not_hold() {
    // A product; what input 0 is shown as; an input.
    assert!(!holds(|witness| witness.change(Column::Advice(0), 4)));
    assert!(!holds(|witness| witness.change(Column::Fixed(2), 2)));
    assert!(!holds(|witness| witness.inputs[0] += Scalar::ONE));
}

#[test]
fn a_false_lookup_does_not_hold() {
    // The address, and what stands there, are in no row together.
    assert!(!holds(|witness| witness.change(Column::Advice(2), 7)));
    assert!(!holds(|witness| witness.change(Column::Advice(3), 7)));
    // Not below 10, in a row where nothing else reads it.
    let large = |witness: &mut Witness| {
        witness.columns.get_mut(&Column::Advice(1)).expect("b")[9] = Scalar::from(10);
        // Who reads address 9 reads 10.
        let row = (0..10).find(|row| row * 3 % 10 == 9).expect("addresses are all");
        witness.columns.get_mut(&Column::Advice(3)).expect("d")[row] = Scalar::from(10);
    };
    assert!(!holds(large));
}

#[test]
fn a_false_copy_does_not_hold() {
    for row in 0..4 {
        assert!(!holds(|witness| witness.change(Column::Advice(4), row)));
    }
    assert!(holds(|witness| witness.change(Column::Advice(4), 4)));
    assert!(!holds(|witness| witness.inputs[1] += Scalar::ONE));
}

/// One changed cell of any polynomial that the prover makes is seen, but for multiplicities in
/// random rows.
#[test]
fn every_polynomial_is_bound() {
    let protocol = protocol();
    let witness = Witness::honest(&protocol);
    let changed = |polynomial, row: usize| {
        let mut trace = Trace::new(&protocol, &witness, &challenges("rows"));
        trace.0.get_mut(&polynomial).expect("the sample has it")[row] += Scalar::ONE;
        is_polynomial(&protocol, &trace, &witness.inputs)
    };
    for polynomial in [
        Polynomial::Multiplicity(0),
        Polynomial::Multiplicity(2),
        Polynomial::Helper(1),
        Polynomial::Sum,
        Polynomial::Product,
        Polynomial::Difference(2),
        Polynomial::Sigma(5),
    ] {
        assert!(!changed(polynomial, 6), "{polynomial}");
    }
    // Where the sum takes table 0 along, ℓ_act is 0 in random rows.
    assert!(changed(Polynomial::Multiplicity(0), 12));
}

#[test]
fn degenerate_challenges_are_refused() {
    let protocol = protocol();
    let domain = Domain::new(protocol.k());
    let equation = Equation::new(&protocol);
    let openings = Openings::new(&protocol);
    let values = vec![Scalar::ONE; protocol.arrangement().values()];
    for x in [Scalar::ZERO, Scalar::ONE, domain.power(5), domain.power(-1)] {
        let challenges = Challenges { x, ..challenges("degenerate") };
        assert_eq!(equation.quotient(&protocol, &[x, x], &values, &challenges), None);
    }
    let x = challenges("degenerate").x;
    for (rotation, refused) in [(0, true), (1, true), (-1, false), (2, false)] {
        let challenges = Challenges { u: x * domain.power(rotation), ..challenges("degenerate") };
        assert_eq!(openings.open(&values, x, &challenges).is_none(), refused);
    }
}
