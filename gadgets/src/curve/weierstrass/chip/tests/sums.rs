//! Sums that must not be: where the slope of a chord is free, and where the end is not the start's
//! multiple. Their tables know the point that sums start from.

use super::*;

/// Constant points as multiples of the start and of another point of unknown relation to it, and
/// their digits.
type Addend<'a> = ((i64, i64), &'a [i8]);

fn term(chip: &ForeignChip, curve: Curve, ((s, q), digits): &Addend) -> Term {
    let (parameters, start) = (curve.parameters(), offset(curve));
    let times = |point: &(BigUint, BigUint), factor: i64| {
        let factor = residue(&factor.into(), curve.n());
        parameters.mul(&Some(point.clone()), &factor)
    };
    let point = parameters.add(&times(start, *s), &times(&parameters.generator, *q));
    let table = AssignedTable::constant(chip, curve, &point.expect("not the identity"));
    Term::new(table, digits.to_vec())
}

/// The sum of the addends from the start `S` on, where `Q` is the generator.
fn summed(curve: Curve, addends: &[Addend]) -> TestCircuit {
    circuit(curve, |_, chips, equations| {
        let chip = chips.foreign();
        let terms: Vec<_> = addends.iter().map(|addend| term(chip, curve, addend)).collect();
        walked(chip, equations, &terms);
    })
}

const DIFFERENCE: &str = "the difference is not 0";

/// `S + S` and `Q + Q` by a chord of slope 0, and back by another one: the end is right.
#[test]
fn sums_do_not_meet_their_addends() {
    for curve in CURVES {
        // S + 3·Q - Q - 2·Q
        let fine: &[Addend] = &[((0, 1), &[3]), ((0, 1), &[-1]), ((0, 2), &[-1])];
        summed(curve, fine).assert_satisfied();
        let first: &[Addend] = &[((1, 0), &[1]), ((1, 0), &[-1])];
        let second: &[Addend] =
            &[((-1, 1), &[1]), ((0, 1), &[1]), ((0, 1), &[-1]), ((-1, 1), &[-1])];
        for addends in [first, second] {
            assert_eq!(summed(curve, addends).failing(vec![]), [DIFFERENCE], "{curve}");
        }
        // Opposites: there is no sum.
        let first: &[Addend] = &[((1, 0), &[-1])];
        let second: &[Addend] = &[((-1, -1), &[1]), ((0, 1), &[1])];
        for addends in [first, second] {
            let failing = summed(curve, addends).failing(vec![]);
            assert!(failing.iter().any(|name| name == DIFFERENCE), "{curve}");
        }
    }
}

/// Ends whose first coordinate is right, or the second.
#[test]
fn sums_end_where_they_must() {
    for curve in CURVES {
        // S - 2·S, and 16·S + (-11 - 5)·2·S.
        let one: &[Addend] = &[((2, 0), &[-1])];
        let two: &[Addend] = &[((2, 0), &[-1, 5]), ((2, 0), &[-1, 11])];
        for addends in [one, two] {
            assert_eq!(summed(curve, addends).false_relations(), Some(1), "{curve}");
        }
    }
    // λ·S has the second coordinate of S.
    let curve = Curve::Secp256k1;
    let lambda = &Endomorphism::of(curve).expect("it has one").lambda;
    let test = circuit(curve, |_, chips, equations| {
        let chip = chips.foreign();
        let point = curve.parameters().mul(&Some(offset(curve).clone()), &(lambda - 1u8));
        let table = AssignedTable::constant(chip, curve, &point.expect("not the identity"));
        walked(chip, equations, &[Term::new(table, vec![1])]);
    });
    assert_eq!(test.false_relations(), Some(1));
}

/// A false sum from a start that makes up for it, with all sums that follow: it ends where a true one does, and
/// only what binds the start is in the way, each coordinate by itself.
#[test]
fn sums_start_where_they_must() {
    for curve in CURVES {
        let (parameters, start) = (curve.parameters(), offset(curve));
        let from = |start: &(BigUint, BigUint), addends: &[Addend]| {
            circuit(curve, |_, chips, equations| {
                let chip = chips.foreign();
                let terms: Vec<_> =
                    addends.iter().map(|addend| term(chip, curve, addend)).collect();
                let walk = Walk::regardless_from(curve, start, &terms);
                sum_of_multiples(chip, equations, &terms, &walk);
            })
        };
        let plus = |factor: i64| {
            let point =
                parameters.mul(&parameters.generator(), &residue(&factor.into(), curve.n()));
            parameters.add(&Some(start.clone()), &point).expect("not the identity")
        };
        // S + 3·Q - 3·Q; and 3·Q - Q, which ends beside S, or starts beside it.
        from(start, &[((0, 3), &[1]), ((0, 1), &[-3])]).assert_satisfied();
        let false_sum: &[Addend] = &[((0, 3), &[1]), ((0, 1), &[-1])];
        assert_eq!(from(start, false_sum).false_relations(), Some(2), "{curve}");
        assert_eq!(from(&plus(-2), false_sum).false_relations(), Some(2), "{curve}");
        // -S, whose first coordinate is right: -S + 2·S.
        let opposite = parameters.neg(&Some(start.clone())).expect("not the identity");
        let twice: &[Addend] = &[((2, 0), &[1])];
        assert_eq!(from(&opposite, twice).false_relations(), Some(1), "{curve}");
    }
    // λ·S has the second coordinate of S.
    let curve = Curve::Secp256k1;
    let Endomorphism { lambda, beta, .. } = Endomorphism::of(curve).expect("it has one");
    let (x, y) = offset(curve).clone();
    let image = (x * beta % curve.p(), y);
    let rest = residue(&(BigInt::from(1) - BigInt::from(lambda.clone())), curve.n());
    let point = curve.parameters().mul(&Some(offset(curve).clone()), &rest);
    let test = circuit(curve, |_, chips, equations| {
        let chip = chips.foreign();
        let table = AssignedTable::constant(chip, curve, point.as_ref().expect("a point"));
        let terms = [Term::new(table, vec![1])];
        let walk = Walk::regardless_from(curve, &image, &terms);
        sum_of_multiples(chip, equations, &terms, &walk);
    });
    assert_eq!(test.false_relations(), Some(1));
}

/// The other cube roots of 1 are endomorphisms too, and 1 is no factor at all.
#[test]
fn the_factor_of_the_endomorphism() {
    let curve = Curve::Secp256k1;
    let endomorphism = Endomorphism::of(curve).expect("it has one");
    let beta = &endomorphism.beta;
    let square = beta * beta % curve.p();
    for (hint, count) in [(beta.clone(), 0), (square, 1), (1u8.into(), 1), (beta + 1u8, 1)] {
        let test = circuit(curve, |_, chips, equations| {
            let beta = equations.beta_of_hint(chips.foreign(), endomorphism, &hint);
            assert_eq!(*beta.limbs().value(), hint);
        });
        assert_eq!(test.false_relations(), Some(count), "{hint}");
    }
}
