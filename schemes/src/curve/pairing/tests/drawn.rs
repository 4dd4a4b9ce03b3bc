//! Pairings of drawn points: the loop of the witness and its lines beside halo2curves' own.

use std::fmt::Debug;

use halo2curves::{group::prime::PrimeCurveAffine, pairing::Engine};

use super::{
    super::{
        polynomial::{one, Polynomial, Tower},
        program::{Plan, DEGREE},
        witness::{Maker, Witness},
    },
    towers::{value, Bls12381, Bn254, Fields},
    *,
};

/// A curve's pairing by halo2curves.
trait Pairing: Fields {
    type Engine: Engine<Gt: Debug>;
    /// Which power of `f^h` its final exponentiation makes, and whether the power is inverted.
    const POWER: (u8, bool);

    fn coordinates(p: &First<Self>, q: &Second<Self>) -> (BasePoint, TwistPoint);
}

type First<C> = <<C as Pairing>::Engine as Engine>::G1Affine;
type Second<C> = <<C as Pairing>::Engine as Engine>::G2Affine;

impl Pairing for Bn254 {
    type Engine = bn256::Bn256;
    const POWER: (u8, bool) = (1, false);

    fn coordinates(p: &First<Self>, q: &Second<Self>) -> (BasePoint, TwistPoint) {
        ([p.x, p.y].map(|x| number(&x)), [q.x, q.y].map(|x| x.coefficients()))
    }
}

/// The cube is quicker to make, and its loop is that of the negative parameter.
impl Pairing for Bls12381 {
    type Engine = bls12_381::Bls12;
    const POWER: (u8, bool) = (3, true);

    fn coordinates(p: &First<Self>, q: &Second<Self>) -> (BasePoint, TwistPoint) {
        ([p.x, p.y].map(|x| number(&x)), [q.x, q.y].map(|x| x.coefficients()))
    }
}

type Scalar<C> = <<C as Pairing>::Engine as Engine>::Fr;

type Scalars<C> = [Scalar<C>; 2];

/// The multiples of the generators by these scalars.
fn points<C: Pairing>([a, b]: Scalars<C>) -> (First<C>, Second<C>) {
    let (p, q) = (First::<C>::generator() * a, Second::<C>::generator() * b);
    (p.to_affine(), q.to_affine())
}

/// The same by their coordinates, every second point of the twist fixed.
fn pairs<C: Pairing>(scalars: &[Scalars<C>]) -> Vec<RawPair> {
    let pair = |(i, scalars): (usize, &Scalars<C>)| {
        let (p, q) = points::<C>(*scalars);
        let (p, q) = C::coordinates(&p, &q);
        RawPair { p, q, is_fixed: i % 2 == 0 }
    };
    scalars.iter().enumerate().map(pair).collect()
}

/// Scalars whose products add up to 0, so that the product of the pairings is 1.
fn balanced<C: Pairing>(count: usize, rng: &mut ChaCha20Rng) -> Vec<Scalars<C>> {
    let mut scalars: Vec<_> =
        (1..count).map(|_| [(); 2].map(|()| Scalar::<C>::random(&mut *rng))).collect();
    let sum: Scalar<C> = scalars.iter().map(|[a, b]| *a * b).sum();
    let b = Scalar::<C>::random(&mut *rng);
    scalars.push([-sum * b.invert().expect("not 0"), b]);
    scalars
}

/// The product of the pairings by the lines of a witness: `f^h`.
fn value_of<C: Pairing>(pairs: &[RawPair]) -> Polynomial<C::Fq> {
    let parameters = C::CURVE.parameters();
    let is_fixed: Vec<_> = pairs.iter().map(|pair| pair.is_fixed).collect();
    let plan = Plan::new(parameters, &is_fixed);
    let maker = Maker::<C::Fq>::new(C::CURVE, &plan, pairs);
    let f = maker.loop_product(&maker.lines());
    let h = (parameters.p.pow(DEGREE as u32) - 1u8) / &parameters.r;
    tower::<C>().pow(&f, &h)
}

fn tower<C: Pairing>() -> Tower<C::Fq> {
    Tower::new(C::CURVE.parameters())
}

#[test]
fn values_are_those_of_halo2curves() {
    agrees::<Bn254>();
    agrees::<Bls12381>();
}

fn agrees<C: Pairing>() {
    let (rng, r) = (&mut muster_testing::rng(), &C::CURVE.parameters().r);
    let (power, is_inverted) = C::POWER;
    let power = if is_inverted { r - power } else { power.into() };
    for count in 1..=2 {
        // One more is drawn, and that left out which brings it to 1.
        let mut scalars = balanced::<C>(count + 1, rng);
        scalars.pop();
        let theirs: <C::Engine as Engine>::Gt = scalars
            .iter()
            .map(|scalars| {
                let (p, q) = points::<C>(*scalars);
                C::Engine::pairing(&p, &q)
            })
            .sum();
        let ours = value_of::<C>(&pairs::<C>(&scalars));
        assert_ne!(ours, one(), "{scalars:?}");
        let ours = value::<C>(&tower::<C>().pow(&ours, &power));
        // Their elements show what they are made of in no other way.
        assert_eq!(format!("Gt({ours:?})"), format!("{theirs:?}"), "{scalars:?}");
    }
}

/// `e(aP, bQ) = e(P, Q)^(ab)`, which is 1 for no scalars but 0.
#[test]
fn values_are_bilinear() {
    is_bilinear::<Bn254>();
    is_bilinear::<Bls12381>();
}

fn is_bilinear<C: Pairing>() {
    let rng = &mut muster_testing::rng();
    let of = |scalars: Scalars<C>| value_of::<C>(&pairs::<C>(&[scalars]));
    let base = of([Scalar::<C>::ONE; 2]);
    let tower = tower::<C>();
    assert_ne!(base, one());
    assert_eq!(tower.pow(&base, &C::CURVE.parameters().r), one());
    let [a, b] = [(); 2].map(|()| Scalar::<C>::random(&mut *rng));
    let expected = tower.pow(&base, &number(&(a * b)));
    assert_ne!(expected, one());
    for scalars in [[a, b], [b, a], [a * b, Scalar::<C>::ONE], [Scalar::<C>::ONE, a * b]] {
        assert_eq!(of(scalars), expected, "{a:?} {b:?}");
    }
    assert_eq!(tower.mul(&of([-a, b]), &expected), one(), "{a:?} {b:?}");
}

/// Verdicts of the witness and of halo2curves, on products that are 1 and on some that differ from these in a scalar.
#[test]
fn verdicts_on_drawn_products() {
    judges::<Bn254>();
    judges::<Bls12381>();
}

fn judges<C: Pairing>() {
    let rng = &mut muster_testing::rng();
    for count in 2..=3 {
        let mut scalars = balanced::<C>(count, rng);
        assert_verdicts::<C>(&scalars, true);
        scalars[count - 1][count % 2] = Scalar::<C>::random(&mut *rng);
        assert_verdicts::<C>(&scalars, false);
    }
}

fn assert_verdicts<C: Pairing>(scalars: &[Scalars<C>], expected: bool) {
    let pairs = pairs::<C>(scalars);
    let is_fixed: Vec<_> = pairs.iter().map(|pair| pair.is_fixed).collect();
    let plan = Plan::new(C::CURVE.parameters(), &is_fixed);
    let ours = Witness::regardless(C::CURVE, &plan, &pairs).1;
    let pairs: Vec<_> = pairs.iter().map(|pair| (&pair.p, &pair.q)).collect();
    assert_eq!([ours, product_is_one(C::CURVE, &pairs)], [expected; 2], "{scalars:?}");
}
