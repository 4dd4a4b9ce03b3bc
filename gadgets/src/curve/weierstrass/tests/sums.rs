//! Sums that must not be: where the slope of a chord is free, and where the end is not the start's
//! multiple. Their tables know the point that sums start from.

use super::*;
use muster_schemes::curve::weierstrass::Affine;

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
    circuit(curve, |ctx, equations| {
        let chip = ctx.chips.foreign();
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
        // The same behind two that take each other off.
        let before: &[Addend] = &[((0, 1), &[1]), ((0, 1), &[-1])];
        let [behind_first, behind_second] = [first, second].map(|rest| [before, rest].concat());
        for addends in [first, second, &behind_first, &behind_second] {
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
    let test = circuit(curve, |ctx, equations| {
        let chip = ctx.chips.foreign();
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
            circuit(curve, |ctx, equations| {
                let chip = ctx.chips.foreign();
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
    let test = circuit(curve, |ctx, equations| {
        let chip = ctx.chips.foreign();
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
        let test = circuit(curve, |ctx, equations| {
            let beta = equations.beta_of_hint(ctx.chips.foreign(), endomorphism, &hint);
            assert_eq!(*beta.limbs().value(), hint);
        });
        assert_eq!(test.false_relations(), Some(count), "{hint}");
    }
}

/// Sums over edwards25519 that are of small order, or not: a sum is multiplied by 8.
#[test]
fn the_cofactor_is_taken_off() {
    let curve = Curve::Edwards25519;
    let parameters = curve.parameters();
    let order_8 = small_order();
    let times = |scalar: u8| parameters.mul(&order_8, &scalar.into());
    let summed = |addend: Affine, digit: i8| {
        circuit(curve, |ctx, equations| {
            let chip = ctx.chips.foreign();
            let table = AssignedTable::constant(chip, curve, &addend.expect("a point"));
            walked(chip, equations, &[Term::new(table, vec![digit])]);
        })
    };
    for scalar in [1, 2, 3, 5, 6, 7] {
        assert_eq!(parameters.mul(&times(scalar), &8u8.into()), None);
        for digit in [1, -3] {
            summed(times(scalar), digit).assert_satisfied();
            let large = parameters.add(&times(scalar), &parameters.generator());
            assert!(!summed(large, digit).is_satisfied());
        }
    }
}

/// A point of order 8.
fn small_order() -> Affine {
    let curve = Curve::Edwards25519;
    let parameters = curve.parameters();
    let points = (0u8..).filter_map(|x| {
        let x = BigUint::from(x);
        let y = parameters.y_of(&x)?;
        Some(parameters.mul(&Some((x, y)), curve.n()))
    });
    let is_of_order_8 = |point: &Affine| parameters.mul(point, &4u8.into()).is_some();
    points.into_iter().find(is_of_order_8).expect("every other point has such a part")
}

/// The end is compared behind the doublings of the cofactor, each of which is constrained: of a sum that is
/// false by one of them, that one refuses it.
#[test]
fn the_end_is_the_multiple_of_the_start() {
    let curve = Curve::Edwards25519;
    let parameters = curve.parameters();
    let start = offset(curve);
    assert_eq!(
        parameters.mul(&Some(start.clone()), curve.n()),
        None,
        "in the group of the generator"
    );
    let times = |scalar: &BigUint| parameters.mul(&Some(start.clone()), scalar);
    // S + D with 8·(S + D) = 8·S only for D of small order; here D = -2·S.
    let minus_two = times(&(curve.n() - 2u8)).expect("not the identity");
    let test = circuit(curve, |ctx, equations| {
        let chip = ctx.chips.foreign();
        let table = AssignedTable::constant(chip, curve, &minus_two);
        walked(chip, equations, &[Term::new(table, vec![1])]);
    });
    assert_eq!(test.false_relations(), Some(1));
}
