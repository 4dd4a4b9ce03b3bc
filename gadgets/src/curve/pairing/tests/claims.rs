//! False witnesses of a product: roots, scaling factors, and what is written down of it.

use ff::PrimeField;
use halo2curves::{bls12_381, bn256};
use num_bigint::BigInt;
use num_integer::{ExtendedGcd, Integer};
use num_traits::{One, Signed};

use super::*;
use muster_schemes::curve::pairing::{
    parameters::Power,
    polynomial::{element, number, one, Polynomial, Tower},
    program::{program, Op, Plan, DEGREE},
    witness::{Maker, Witness},
};

/// Whether the circuit takes a witness for `pairs` that was changed.
fn takes(curve: PairingCurve, pairs: &[RawPair], change: impl FnOnce(&mut Witness)) -> bool {
    takes_by_plan(curve, pairs, |witness, _| change(witness))
}

fn takes_by_plan(
    curve: PairingCurve,
    pairs: &[RawPair],
    change: impl FnOnce(&mut Witness, &Plan),
) -> bool {
    let circuit = TestCircuit::new(pairing_layout(curve, 14, 13, 10), |ctx| {
        let equations = PairingEquations::new(curve);
        let arguments = Arguments::new(ctx.chips, &equations, pairs);
        let is_fixed: Vec<_> = pairs.iter().map(|pair| pair.is_fixed).collect();
        let plan = Plan::new(curve.parameters(), &is_fixed);
        let (mut witness, _) = Witness::regardless(curve, &plan, pairs);
        change(&mut witness, &plan);
        super::super::product::assert_claim(ctx, &equations, &arguments.all(), &plan, &witness);
    });
    circuit.is_satisfied()
}

#[test]
fn roots_and_products_are_bound() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let pairs = product(curve, 2, 3);
        assert!(takes(curve, &pairs, |_| ()));
        assert!(!takes(curve, &pairs, |witness| witness.inverse[5] += 1u8));
        assert!(!takes(curve, &pairs, |witness| witness.scale[2] += 1u8));
        assert!(!takes(curve, &pairs, |witness| witness.products[0][11] += 1u8));
        let last = |witness: &mut Witness| {
            witness.products.last_mut().expect("it is written down")[0] += 1u8;
        };
        assert!(!takes(curve, &pairs, last));
    }
    let pairs = product(PairingCurve::Bn254, 2, 3);
    assert!(!takes(PairingCurve::Bn254, &pairs, |witness| witness.root[0] += 1u8));
}

/// Zeros satisfy every product but the one that is 1; and 1 for all of them makes a product of lines.
#[test]
fn roots_that_are_no_roots() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let mut pairs = product(curve, 2, 3);
        pairs[1].q = twist_point(curve, 4);
        let zeros = |witness: &mut Witness| {
            let all = [&mut witness.root, &mut witness.inverse, &mut witness.scale];
            let all = all.into_iter().chain(&mut witness.products);
            all.for_each(|numbers| numbers.fill(BigUint::ZERO));
        };
        assert!(!takes(curve, &pairs, zeros));
        let ones = |witness: &mut Witness| {
            let all = [&mut witness.root, &mut witness.inverse, &mut witness.scale];
            let all = all.into_iter().chain(&mut witness.products);
            all.for_each(|numbers| {
                numbers.fill(BigUint::ZERO);
                numbers[0] = BigUint::one();
            });
        };
        assert!(!takes(curve, &pairs, ones));
    }
}

/// What a prover claims of root and scaling factor: coefficients.
struct Factors {
    root: Vec<BigUint>,
    inverse: Vec<BigUint>,
    scale: Vec<BigUint>,
}

/// Claims these, with all that follows from them: products, and a quotient of identities with them. Gives the identities that do
/// not hold, by their places from the last.
fn claim<F: PrimeField>(
    witness: &mut Witness,
    (curve, plan, pairs): (PairingCurve, &Plan, &[RawPair]),
    factors: Factors,
) -> Vec<usize> {
    let maker = Maker::<F>::new(curve, plan, pairs);
    let elements = |numbers: &[BigUint]| numbers.iter().map(element).collect::<Polynomial<F>>();
    let [root, inverse] = [&factors.root, &factors.inverse].map(|numbers| elements(numbers));
    let even = elements(&factors.scale).into_iter();
    let scale = even.flat_map(|coefficient| [coefficient, F::ZERO]).collect();
    let (products, identities) = maker.identities(&maker.lines(), [&root, &inverse, &scale]);
    let tower = Tower::<F>::new(curve.parameters());
    let holds = |identity: &Polynomial<F>| {
        let (_, rest) = tower.divide(identity.clone());
        rest.iter().all(|part| bool::from(part.is_zero()))
    };
    let places = identities.iter().rev().enumerate();
    let broken = places.filter(|(_, identity)| !holds(identity)).map(|(place, _)| place).collect();
    let numbers = |polynomial: &Polynomial<F>| polynomial.iter().map(number).collect();
    let Factors { root, inverse, scale } = factors;
    (witness.root, witness.inverse, witness.scale) = (root, inverse, scale);
    witness.products = products.iter().map(numbers).collect();
    witness.identities = identities.iter().map(numbers).collect();
    witness.is_one = false;
    broken
}

/// Which identities do not hold for factors made of the honest ones, and whether the circuit takes them.
fn with_factors(
    curve: PairingCurve,
    pairs: &[RawPair],
    change: impl FnOnce(&mut Factors),
) -> (Vec<usize>, bool) {
    let mut broken = vec![];
    let is_taken = takes_by_plan(curve, pairs, |witness, plan| {
        let (root, inverse) = (witness.root.clone(), witness.inverse.clone());
        let mut factors = Factors { root, inverse, scale: witness.scale.clone() };
        change(&mut factors);
        let product = (curve, plan, pairs);
        broken = match curve {
            PairingCurve::Bn254 => claim::<bn256::Fq>(witness, product, factors),
            PairingCurve::Bls12381 => claim::<bls12_381::Fq>(witness, product, factors),
        };
    });
    (broken, is_taken)
}

/// A ninth root of unity in `Fp`, none of whose powers before the ninth is 1.
fn ninth_root(p: &BigUint) -> BigUint {
    let roots = (2u8..).map(|x| BigUint::from(x).modpow(&((p - 1u8) / 9u8), p));
    let mut roots = roots.filter(|root| !root.modpow(&3u8.into(), p).is_one());
    roots.next().expect("two thirds of them are")
}

/// Multiplies root, inverse and scaling factor by elements of `Fp`.
fn scaled<'a>(p: &'a BigUint, by: [&'a BigUint; 3]) -> impl FnOnce(&mut Factors) + 'a {
    move |factors| {
        let all = [&mut factors.root, &mut factors.inverse, &mut factors.scale];
        for (numbers, by) in all.into_iter().zip(by) {
            numbers.iter_mut().for_each(|number| *number = &*number * by % p);
        }
    }
}

/// `λ` is odd, and a multiple of 3 and not of 9. So a root times a cube root of unity is another root of the same, and one times
/// -1 or a ninth root of unity is a root of something else, unless the scaling factor makes up for it. All of these are claimed
/// with products that are right for them: nothing but the last identity, that the whole is 1, refuses the false ones.
#[test]
fn roots_times_roots_of_unity() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let pairs = product(curve, 2, 3);
        let parameters = curve.parameters();
        let (p, lambda) = (&parameters.p, &parameters.lambda);
        assert!(lambda.is_odd() && lambda.is_multiple_of(&3u8.into()));
        let minus = p - 1u8;
        let ninth = ninth_root(p);
        let power = |exponent: BigUint| ninth.modpow(&exponent, p);
        let (cube, of_ninth) = (power(3u8.into()), power(lambda % 9u8));
        let (of_cube, inverse) = (power(6u8.into()), power(8u8.into()));
        let same = &BigUint::one();
        assert_ne!(of_ninth, *same);
        let verdict = |by| with_factors(curve, &pairs, scaled(p, by));
        for by in [[&cube, &of_cube, same], [&minus, &minus, &minus], [&ninth, &inverse, &of_ninth]]
        {
            assert_eq!(verdict(by), (vec![], true), "{curve} {by:?}");
        }
        for by in [
            [&minus, &minus, same],
            [same, same, &minus],
            [&ninth, &inverse, same],
            [same, same, &cube],
        ] {
            assert_eq!(verdict(by), (vec![0], false), "{curve} {by:?}");
        }
    }
}

/// One of them 0 and the others as they should be, with products that are right for it.
#[test]
fn no_factor_is_0() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let pairs = product(curve, 2, 3);
        let verdict = |change: &dyn Fn(&mut Factors)| with_factors(curve, &pairs, change);
        let scale = verdict(&|factors| factors.scale.fill(BigUint::ZERO));
        assert_eq!(scale, (vec![0], false), "{curve}");
        let (broken, is_taken) = verdict(&|factors| factors.inverse.fill(BigUint::ZERO));
        assert!(broken.contains(&0) && !is_taken, "{curve}");
        // Where the loop does not use the root nobody claims one.
        let (broken, is_taken) = verdict(&|factors| factors.root.fill(BigUint::ZERO));
        let is_used = curve == PairingCurve::Bn254;
        assert_eq!((broken.contains(&0), is_taken), (is_used, !is_used), "{curve}");
    }
}

/// For a product that is not 1: factors by which the last identity holds, with an inverse that is none of the root.
fn unrelated<F: PrimeField>(curve: PairingCurve, plan: &Plan, pairs: &[RawPair]) -> Factors {
    let parameters = curve.parameters();
    let tower = Tower::<F>::new(parameters);
    let maker = Maker::<F>::new(curve, plan, pairs);
    let f = maker.loop_product(&maker.lines());
    let order = parameters.p.pow(DEGREE as u32) - 1u8;
    let h = &order / &parameters.r;
    assert_ne!(tower.pow(&f, &h), one());
    // What the last identity makes of the inverse and of the root, as exponents.
    let mut exponents = [BigInt::one(), BigInt::ZERO];
    for op in program(parameters, pairs.len()) {
        let (power, exponent) = match op {
            Op::Square => {
                exponents.iter_mut().for_each(|exponent| *exponent *= 2);
                continue;
            }
            Op::Factor(power) => (power, BigInt::one()),
            Op::Tail(power, i) => (power, parameters.p.pow(i as u32).into()),
            Op::Line { .. } | Op::Scale => continue,
        };
        exponents[usize::from(power == Power::Root)] += exponent;
    }
    let ExtendedGcd { gcd, x, y } = exponents[0].extended_gcd(&exponents[1]);
    assert!(gcd.is_positive());
    // Both are multiples of 3: f·s has an order that is none. The order of s divides 27, so it is in `Fp⁶`.
    let rest = &order / 27u8;
    let cubes = BigUint::from(27u8);
    let inverse_of_rest = rest.modinv(&cubes).expect("the order has three factors of 3");
    let scale = tower.pow(&f, &(&rest * (cubes - inverse_of_rest)));
    let made_up = tower.mul(&f, &scale);
    let inverse_of_gcd = gcd.magnitude().modinv(&rest).expect("they share nothing else");
    let power = |cofactor: BigInt| {
        let exponent =
            (-cofactor * BigInt::from(inverse_of_gcd.clone())).mod_floor(&rest.clone().into());
        tower.pow(&made_up, exponent.magnitude())
    };
    let numbers = |polynomial: Polynomial<F>| polynomial.iter().map(number).collect();
    assert!(scale.iter().skip(1).step_by(2).all(|odd| bool::from(odd.is_zero())));
    let scale = scale.into_iter().step_by(2).collect();
    Factors { root: numbers(power(y)), inverse: numbers(power(x)), scale: numbers(scale) }
}

/// On BN254 a root that is not the inverse of its inverse would prove any product to be 1.
#[test]
fn roots_have_their_inverse() {
    let curve = PairingCurve::Bn254;
    let mut pairs = product(curve, 2, 3);
    pairs[1].q = twist_point(curve, 4);
    let is_fixed = pairs.each_ref().map(|pair| pair.is_fixed);
    let plan = Plan::new(curve.parameters(), &is_fixed);
    let false_proof = unrelated::<bn256::Fq>(curve, &plan, &pairs);
    let (broken, is_taken) = with_factors(curve, &pairs, |factors| *factors = false_proof);
    // The first identity of them all.
    let first = plan.is_written.iter().filter(|is_written| **is_written).count() + 1;
    assert_eq!((broken, is_taken), (vec![first], false));
}
