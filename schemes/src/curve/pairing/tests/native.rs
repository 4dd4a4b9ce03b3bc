//! Witnesses of products, and the facts of number theory that the circuit relies on.

use num_bigint::{BigInt, RandBigInt};
use num_integer::Integer;
use num_traits::One;

use super::{
    super::{
        extension::Extension,
        parameters::Power,
        program::{program, Op, Plan, MOST_DEGREE},
        walk::{kinds, Kind},
        witness::Witness,
    },
    *,
};

#[test]
fn products_that_are_1_have_a_witness() {
    let mut rng = rng(1);
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let plan = Plan::new(parameters, &[true, false]);
        let [a, b] = [small(&mut rng), small(&mut rng)];
        let pairs = product(curve, a, b);
        let (witness, is_one) = Witness::regardless(curve, &plan, &pairs);
        assert!(is_one);
        let rho = rng.gen_biguint(190);
        let quotient = witness.quotient(&rho, plan.quotient_coefficients());
        assert_eq!(quotient.len(), plan.quotient_coefficients());
        assert_ne!(quotient[quotient.len() - 1], BigUint::ZERO);
        let mut wrong = pairs.clone();
        wrong[0].p = point(curve, a * b + 1, false);
        assert!(!Witness::regardless(curve, &plan, &wrong).1);
    }
}

/// `e(P, Q)·e(-P, Q)` with a point `Q` outside the subgroup, of which there are no pairings.
#[test]
fn products_of_points_outside_the_subgroup_are_not_1() {
    for curve in PairingCurve::ALL {
        let of = |q: &TwistPoint| {
            let pairs = [false, true].map(|is_negative| {
                let p = point(curve, 3, is_negative);
                RawPair { p, q: q.clone(), is_fixed: false }
            });
            let plan = Plan::new(curve.parameters(), &[false, false]);
            Witness::regardless(curve, &plan, &pairs).1
        };
        assert!(of(&twist_point(curve, 3)) && !of(&outside(curve)), "{curve}");
    }
}

/// The chance of a false proof is stated for plans like these.
#[test]
fn plans_are_short() {
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let doublings = kinds(parameters).iter().filter(|kind| **kind == Kind::Double).count();
        for is_fixed in [[false; 2], [true, false], [true; 2]] {
            let plan = Plan::new(parameters, &is_fixed);
            let written = plan.is_written.iter().filter(|is_written| **is_written).count();
            assert!(plan.degree < MOST_DEGREE && written < doublings);
        }
    }
}

#[test]
fn points_outside_the_subgroup_are_told() {
    let mut rng = rng(2);
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        for factor in [1, 2, 3, small(&mut rng)] {
            assert!(is_in_subgroup(parameters, &twist_point(curve, factor)));
        }
        let outside = outside(curve);
        assert!(is_on_twist(parameters, &outside));
        assert!(!is_in_subgroup(parameters, &outside));
    }
}

/// A component of a small order besides one in the subgroup: what is left of it once the latter is gone tells.
#[test]
fn points_with_a_torsion_component_are_told() {
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let torsion = with_twist_torsion(curve, &twist_point(curve, 3));
        assert!(is_on_twist(parameters, &torsion) && !is_in_subgroup(parameters, &torsion));
        let r = &parameters.r;
        assert!(!is_identity(parameters, &torsion, r));
        assert!(!is_identity(parameters, &torsion, &smallest_torsion(curve).into()));
        assert!(is_identity(parameters, &torsion, &(r * smallest_torsion(curve))));
        let [plus, minus] = [false, true].map(|is_negative| point(curve, 3, is_negative));
        assert!(!product_is_one(curve, &[(&plus, &torsion), (&minus, &torsion)]), "{curve}");
    }
}

/// Products of other points are not 1, nor are those of points outside their groups or of numbers that are not reduced.
#[test]
fn products_are_told() {
    for curve in PairingCurve::ALL {
        let is_one = |pairs: &[RawPair]| {
            let pairs: Vec<_> = pairs.iter().map(|pair| (&pair.p, &pair.q)).collect();
            product_is_one(curve, &pairs)
        };
        let pairs = product(curve, 5, 7);
        assert!(is_one(&pairs));
        let with = |change: &dyn Fn(&mut RawPair)| {
            let mut pairs = pairs.clone();
            change(&mut pairs[0]);
            is_one(&pairs)
        };
        let p = &curve.parameters().p;
        assert!(!with(&|pair| pair.p = point(curve, 6, false)));
        assert!(!with(&|pair| pair.p[1] += 1u8));
        assert!(!with(&|pair| pair.p[0] += p));
        assert!(!with(&|pair| pair.q = outside(curve)));
        assert!(!with(&|pair| pair.q[1][1] += 1u8));
        assert!(!with(&|pair| pair.q[0][0] += p));
    }
    let curve = PairingCurve::Bls12381;
    let [one, other] = product(curve, 5, 7);
    let torsion = with_torsion(&one.p);
    assert!(!product_is_one(curve, &[(&torsion, &one.q), (&other.p, &other.q)]));
}

/// The power of `g` that a program comes to: `λ`. Scaling is what it ends with.
#[test]
fn programs_make_powers_of_the_inverse() {
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let ops = program(parameters, 2);
        assert_eq!(ops.last(), Some(&Op::Scale));
        let mut exponent = BigInt::one();
        for op in &ops {
            match op {
                Op::Square => exponent *= 2,
                Op::Factor(power) => exponent += sign(*power),
                Op::Tail(power, i) => exponent += sign(*power) * power_of(&parameters.p, *i),
                Op::Line { .. } | Op::Scale => {}
            }
        }
        assert_eq!(exponent, parameters.lambda.clone().into(), "{curve}");
    }
}

fn power_of(p: &BigUint, i: usize) -> BigInt {
    p.pow(i as u32).into()
}

/// What a factor counts as a power of `g`.
fn sign(power: Power) -> BigInt {
    match power {
        Power::Inverse => 1.into(),
        Power::Root => (-1).into(),
    }
}

/// `Σ cᵢ·ψⁱ` as `a + b·ψ`, by `ψ² = t·ψ - p`, and its norm, which takes every point that the sum takes to the identity there
/// too.
fn norm(parameters: &Parameters, coefficients: &[BigInt]) -> BigInt {
    let (p, t) = (BigInt::from(parameters.p.clone()), trace(parameters));
    let (mut sum, mut power) = ([BigInt::ZERO; 2], [BigInt::one(), BigInt::ZERO]);
    for coefficient in coefficients {
        sum = [0, 1].map(|i| &sum[i] + coefficient * &power[i]);
        power = [-&power[1] * &p, &power[0] + &power[1] * &t];
    }
    let [a, b] = sum;
    &a * &a + &a * &b * &t + &b * &b * &p
}

#[test]
fn the_order_of_the_twist() {
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let order = twist_order(parameters).to_biguint().expect("positive");
        assert!(order.is_multiple_of(&parameters.r) && !order.is_multiple_of(&parameters.r.pow(2)));
        // An odd order: no point has y = 0.
        assert!(order.bit(0));
        assert!(is_identity(parameters, &outside(curve), &order));
    }
}

/// Whether a multiple of a point is the identity, by plain arithmetic.
fn is_identity(parameters: &Parameters, point: &TwistPoint, factor: &BigUint) -> bool {
    let field = Extension(&parameters.p);
    let add = |a: &Option<TwistPoint>, b: &Option<TwistPoint>| {
        let (Some(a), Some(b)) = (a, b) else { return a.clone().or_else(|| b.clone()) };
        let slope = if a[0] != b[0] {
            field.mul(&field.sub(&a[1], &b[1]), &field.invert(&field.sub(&a[0], &b[0])))
        } else if a[1] == b[1] {
            let rise = field.scale(&field.mul(&a[0], &a[0]), 3);
            field.mul(&rise, &field.invert(&field.scale(&a[1], 2)))
        } else {
            return None;
        };
        let x = field.sub(&field.mul(&slope, &slope), &field.add(&a[0], &b[0]));
        let y = field.sub(&field.mul(&slope, &field.sub(&a[0], &x)), &a[1]);
        Some([x, y])
    };
    let mut sum = None;
    for bit in (0..factor.bits()).rev() {
        sum = add(&sum, &sum);
        if factor.bit(bit) {
            sum = add(&sum, &Some(point.clone()));
        }
    }
    sum.is_none()
}

/// No chord of the loop goes from a point to itself, whatever the order of the point of the twist that it starts from; and
/// where the loop ends tells the subgroup.
#[test]
fn loops_meet_no_point_twice() {
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let order = twist_order(parameters);
        let meets = |combination: &[BigInt]| norm(parameters, combination).gcd(&order);
        let mut sum = vec![BigInt::one()];
        let mut opposite = vec![];
        for kind in kinds(parameters) {
            let mut addend = vec![BigInt::ZERO; 4];
            match kind {
                Kind::Double => {
                    sum.iter_mut().for_each(|coefficient| *coefficient *= 2);
                    continue;
                }
                Kind::Add { is_negative } => addend[0] = if is_negative { -1 } else { 1 }.into(),
                Kind::AddImage { power, is_negative } => {
                    addend[power] = if is_negative { -1 } else { 1 }.into();
                }
            }
            sum.resize(4, BigInt::ZERO);
            let difference: Vec<_> = sum.iter().zip(&addend).map(|(a, b)| a - b).collect();
            assert!(meets(&difference).is_one(), "{curve}");
            sum = sum.iter().zip(&addend).map(|(a, b)| a + b).collect();
            opposite.push(meets(&sum));
        }
        // Points that are opposite have no chord at all; of order 13 there are some on BLS12-381.
        assert!(opposite.iter().all(|norm| norm.is_one() || *norm == 169.into()), "{curve}");
        sum.resize(4, BigInt::ZERO);
        sum[parameters.closing] += 1;
        assert_eq!(meets(&sum), BigInt::from(parameters.r.clone()), "{curve}");
    }
}

/// What a root and a scaling factor prove: `λ` is a multiple of `r`, and every element of `Fp⁶` is an `r`-th power. What they
/// prove it of is a pairing that is not 1 everywhere (Vercauteren, ePrint 2008/096, theorem 1).
#[test]
fn roots_prove_what_they_should() {
    for curve in PairingCurve::ALL {
        let Parameters { p, r, lambda, tail, .. } = curve.parameters();
        let (m, rest) = lambda.div_rem(r);
        assert!(rest == BigUint::ZERO && !m.is_multiple_of(r));
        let h = (p.pow(12) - 1u8) / r;
        assert!(h.is_multiple_of(&(p.pow(6) - 1u8)) && !h.is_multiple_of(r));
        // Lines that are scaled by w³: the order of that divides 2·(p² - 1).
        let order: BigUint = (p.pow(2) - 1u8) * 2u8;
        assert!(h.is_multiple_of(&order) && order.gcd(r).is_one());
        let derivative: BigInt =
            tail.iter().map(|(power, i)| sign(*power) * *i * power_of(p, *i - 1)).sum();
        let difference = BigInt::from(m * 12u8 * p.pow(11)) - BigInt::from(h) * derivative;
        assert!(!difference.is_multiple_of(&r.clone().into()), "{curve}");
    }
}
