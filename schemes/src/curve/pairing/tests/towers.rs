//! `Fp²` and `Fp¹²` beside those of halo2curves.

use num_bigint::RandBigInt;

use super::{
    super::{
        polynomial::{combine, element, multiply, one, Polynomial, Tower},
        program::{Plan, DEGREE},
        witness::Maker,
    },
    *,
};
use crate::field::ExtensionField;

/// The fields of a curve by halo2curves.
pub(super) trait Fields {
    const CURVE: PairingCurve;
    type Fq: PrimeField;
    type Fq2: ExtensionField;
    type Fq12: Field;

    /// `Σ aᵢ·wⁱ`.
    fn joined(parts: [Self::Fq2; 6]) -> Self::Fq12;

    /// The power by `p`.
    fn frobenius(a: Self::Fq12) -> Self::Fq12;
}

macro_rules! fields {
    ($name:ident, $module:ident, $frobenius:expr) => {
        pub(super) struct $name;

        impl Fields for $name {
            const CURVE: PairingCurve = PairingCurve::$name;
            type Fq = $module::Fq;
            type Fq2 = $module::Fq2;
            type Fq12 = $module::Fq12;

            fn joined([a0, a1, a2, a3, a4, a5]: [$module::Fq2; 6]) -> $module::Fq12 {
                let [even, odd] = [[a0, a2, a4], [a1, a3, a5]];
                let [c0, c1] = [even, odd].map(|[c0, c1, c2]| $module::Fq6 { c0, c1, c2 });
                $module::Fq12 { c0, c1 }
            }

            fn frobenius(a: $module::Fq12) -> $module::Fq12 {
                $frobenius(a)
            }
        }
    };
}

fields!(Bn254, bn256, |mut a: bn256::Fq12| {
    a.frobenius_map(1);
    a
});
fields!(Bls12381, bls12_381, |a: bls12_381::Fq12| a.frobenius_map());

fn of_parts<C: Fields>(pair: &Pair) -> C::Fq2 {
    C::Fq2::of_integers(pair)
}

/// The value of a polynomial at the `w` of halo2curves: two of degree 11 are one element exactly if these are equal.
pub(super) fn value<C: Fields>(polynomial: &[C::Fq]) -> C::Fq12 {
    let part = |numbers: [BigUint; 2]| of_parts::<C>(&numbers);
    let single = |place: usize, a: C::Fq2| {
        let mut parts = [C::Fq2::ZERO; 6];
        parts[place] = a;
        C::joined(parts)
    };
    let w = single(1, C::Fq2::ONE);
    polynomial.iter().rev().fold(C::Fq12::ZERO, |value, coefficient| {
        value * w + single(0, part([number(coefficient), BigUint::ZERO]))
    })
}

/// An element of `Fp¹²` by its six parts: the polynomial, and halo2curves' element.
fn both<C: Fields>(parts: &[Pair; 6]) -> (Polynomial<C::Fq>, C::Fq12) {
    let mut polynomial = vec![C::Fq::ZERO; DEGREE];
    for (i, part) in parts.iter().enumerate() {
        let lifted = C::CURVE.parameters().lifted(part);
        [polynomial[i], polynomial[i + 6]] = lifted.each_ref().map(element);
    }
    (polynomial, C::joined(parts.each_ref().map(of_parts::<C>)))
}

fn drawn(p: &BigUint, rng: &mut ChaCha20Rng) -> Pair {
    [(); 2].map(|()| rng.gen_biguint_below(p))
}

/// Elements of `Fp¹²` by their parts: 0, single coefficients of 1 and `p - 1`, all that `p - 1`, and random ones.
fn elements<C: Fields>(rng: &mut ChaCha20Rng) -> Vec<(Polynomial<C::Fq>, C::Fq12)> {
    let p = &C::CURVE.parameters().p;
    let mut elements = vec![<[Pair; 6]>::default()];
    for (place, part) in (0..6).flat_map(|place| [(place, 0), (place, 1)]) {
        for coefficient in [1u8.into(), p - 1u8] {
            let mut single = <[Pair; 6]>::default();
            single[place][part] = coefficient;
            elements.push(single);
        }
    }
    elements.push([(); 6].map(|()| [p - 1u8, p - 1u8]));
    elements.extend([(); 3].map(|()| [(); 6].map(|()| drawn(p, rng))));
    elements.iter().map(both::<C>).collect()
}

#[test]
fn the_quadratic_extension() {
    extends::<Bn254>();
    extends::<Bls12381>();
}

fn extends<C: Fields>() {
    let (rng, p) = (&mut muster_testing::rng(), &C::CURVE.parameters().p);
    let field = Extension(p);
    let theirs = of_parts::<C>;
    let parts = [0u8.into(), 1u8.into(), 2u8.into(), p >> 1u8, p - 1u8];
    let mut pairs: Vec<Pair> =
        parts.iter().flat_map(|re| parts.each_ref().map(|im| [re.clone(), im.clone()])).collect();
    pairs.extend([(); 4].map(|()| drawn(p, rng)));
    let mut exponents = [0u8, 1, 2, 3].map(BigUint::from).to_vec();
    exponents.extend([p.clone(), (p - 3u8) >> 2u8, p.pow(2) - 1u8, rng.gen_biguint(300)]);
    for a in &pairs {
        let other = theirs(a);
        // Numbers of our elements are reduced, as those of theirs are.
        let same = |ours: Pair, other: C::Fq2| assert_eq!(ours, other.coefficients(), "{a:?}");
        same(field.negate(a), -other);
        same(field.conjugate(a), other.pow_vartime(p.to_u64_digits()));
        same(field.invert(a), Option::from(other.invert()).unwrap_or(C::Fq2::ZERO));
        for factor in [0, 1, 3, u64::MAX] {
            let scalar = theirs(&[factor.into(), BigUint::ZERO]);
            same(field.scale(a, factor), other * scalar);
        }
        for exponent in &exponents {
            same(field.pow(a, exponent), other.pow_vartime(exponent.to_u64_digits()));
        }
        for b in &pairs {
            same(field.add(a, b), other + theirs(b));
            same(field.sub(a, b), other - theirs(b));
            same(field.mul(a, b), other * theirs(b));
        }
    }
}

#[test]
fn products_in_the_tower() {
    multiplies::<Bn254>();
    multiplies::<Bls12381>();
}

fn multiplies<C: Fields>() {
    let tower = Tower::<C::Fq>::new(C::CURVE.parameters());
    let elements = elements::<C>(&mut muster_testing::rng());
    assert_eq!(value::<C>(&one::<C::Fq>()), C::Fq12::ONE);
    for (a, other) in &elements {
        assert_eq!(value::<C>(a), *other, "{a:?}");
        for (b, another) in &elements {
            let product = tower.mul(a, b);
            assert_eq!(product.len(), DEGREE);
            assert_eq!(value::<C>(&product), *other * another, "{a:?} {b:?}");
        }
    }
}

#[test]
fn powers_in_the_tower() {
    exponentiates::<Bn254>();
    exponentiates::<Bls12381>();
}

fn exponentiates<C: Fields>() {
    let (rng, p) = (&mut muster_testing::rng(), &C::CURVE.parameters().p);
    let tower = Tower::<C::Fq>::new(C::CURVE.parameters());
    // Below, at and above a digit of four bits.
    let mut exponents = [0u16, 1, 2, 15, 16, 17, 255, 256].map(BigUint::from).to_vec();
    exponents.extend([p.clone(), p.pow(2) - 1u8, rng.gen_biguint(801)]);
    for (a, other) in elements::<C>(rng) {
        for exponent in &exponents {
            let power = tower.pow(&a, exponent);
            assert_eq!(power.len(), DEGREE);
            let expected = other.pow_vartime(exponent.to_u64_digits());
            assert_eq!(value::<C>(&power), expected, "{a:?} {exponent}");
        }
    }
}

/// The value of a polynomial at an element of the prime field.
fn at<F: Field>(x: F, polynomial: &[F]) -> F {
    polynomial.iter().rev().fold(F::ZERO, |value, coefficient| value * x + coefficient)
}

/// A rest is the value at `w`; with the quotient it makes the polynomial, by its value at a random element.
#[test]
fn quotients_and_rests() {
    divides::<Bn254>(9);
    divides::<Bls12381>(1);
}

fn divides<C: Fields>(a: u64) {
    let rng = &mut muster_testing::rng();
    let tower = Tower::<C::Fq>::new(C::CURVE.parameters());
    let x = C::Fq::random(&mut *rng);
    let modulus = (x.pow([6]) - C::Fq::from(a)).square() + C::Fq::ONE;
    for length in [0, 1, DEGREE - 1, DEGREE, DEGREE + 1, 2 * DEGREE - 1, 2 * DEGREE, 64, 300] {
        let random: Vec<_> = (0..length).map(|_| C::Fq::random(&mut *rng)).collect();
        let mut top = vec![C::Fq::ZERO; length];
        top.last_mut().into_iter().for_each(|last| *last = -C::Fq::ONE);
        for polynomial in [random, top, vec![-C::Fq::ONE; length]] {
            let (quotient, rest) = tower.divide(polynomial.clone());
            assert_eq!(rest.len(), DEGREE);
            assert_eq!(quotient.len(), length.saturating_sub(DEGREE));
            assert_eq!(value::<C>(&rest), value::<C>(&polynomial), "{length}");
            let sum = at(x, &quotient) * modulus + at(x, &rest);
            assert_eq!(sum, at(x, &polynomial), "{length}");
        }
    }
}

/// Products that are not reduced, and sums of polynomials of any two degrees.
#[test]
fn products_and_sums_of_polynomials() {
    computes::<Bn254>();
    computes::<Bls12381>();
}

fn computes<C: Fields>() {
    let rng = &mut muster_testing::rng();
    let [x, factor] = [(); 2].map(|()| C::Fq::random(&mut *rng));
    let lengths = [1, 2, DEGREE, DEGREE + 1, 40];
    for (n, m) in lengths.into_iter().flat_map(|n| lengths.map(|m| (n, m))) {
        let [a, b] = [n, m].map(|length| {
            let drawn = (0..length).map(|_| C::Fq::random(&mut *rng));
            drawn.collect::<Vec<_>>()
        });
        let product = multiply(&a, &b);
        assert_eq!(product.len(), n + m - 1);
        assert_eq!(at(x, &product), at(x, &a) * at(x, &b));
        let sum = combine(&a, factor, &b);
        assert_eq!((sum.len(), at(x, &sum)), (n.max(m), at(x, &a) * factor + at(x, &b)));
    }
}

/// Those that a witness is made with, beside halo2curves' own and plain powers.
#[test]
fn powers_by_the_prime() {
    maps::<Bn254>();
    maps::<Bls12381>();
}

fn maps<C: Fields>() {
    let parameters = C::CURVE.parameters();
    let tower = Tower::<C::Fq>::new(parameters);
    let plan = Plan::new(parameters, &[]);
    let maker = Maker::<C::Fq>::new(C::CURVE, &plan, &[]);
    let elements = elements::<C>(&mut muster_testing::rng());
    for (a, other) in &elements {
        let mut expected = *other;
        for power in 1..=3 {
            expected = C::frobenius(expected);
            assert_eq!(value::<C>(&maker.frobenius(a, power)), expected, "{a:?} {power}");
        }
    }
    let (drawn, _) = &elements[elements.len() - 1];
    for power in 1..=3u32 {
        let plain = tower.pow(drawn, &parameters.p.pow(power));
        assert_eq!(maker.frobenius(drawn, power as usize), plain, "{power}");
    }
}
