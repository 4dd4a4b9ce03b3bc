//! False signatures whose sum holds all the same, by scalars that are not theirs: each lie is refused
//! by one relation alone.

use num_bigint::BigInt;

use super::*;
use crate::{
    curve::weierstrass::residue,
    signature::{
        bip340,
        ecdsa::{Batch, Hints},
    },
};
use muster_schemes::{
    curve::weierstrass::to_bytes,
    signature::bip340::{challenge, PublicKey},
};

type Affine = (BigUint, BigUint);

fn times(curve: Curve, scalar: &BigUint) -> Affine {
    let parameters = curve.parameters();
    parameters.mul(&parameters.generator(), scalar).expect("not the identity")
}

fn inverse(curve: Curve, scalar: &BigUint) -> BigUint {
    scalar.modinv(curve.n()).expect("not zero")
}

/// `a - b` modulo the order.
fn less(curve: Curve, a: &BigUint, b: &BigUint) -> BigUint {
    (a + curve.n() - b % curve.n()) % curve.n()
}

/// `-a`
fn minus(curve: Curve, a: &BigUint) -> BigUint {
    less(curve, &BigUint::ZERO, a)
}

/// A signature with what its nonce point is: `R = u·G + v·A`.
struct Claim {
    raw: Raw,
    u: BigUint,
    v: BigUint,
}

/// The scalars by which the sum holds: of each key, and of the generator.
fn scalars(curve: Curve, claims: &[Claim], coefficients: &[Coefficient]) -> [Vec<BigUint>; 2] {
    let parts: [fn(&Claim) -> &BigUint; 2] = [|claim| &claim.v, |claim| &claim.u];
    parts.map(|part| {
        let pairs = coefficients.iter().zip(claims);
        let product = |(z, claim): (&Coefficient, &Claim)| {
            residue(&(-z.value() * BigInt::from(part(claim).clone())), curve.n())
        };
        pairs.map(product).collect()
    })
}

/// What is said of a signature that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Another `w`, with everything that follows from it.
    Weight,
    /// Another `w·r`.
    Product,
    /// Other digits of the key.
    Key,
    /// Another sum of the `w`.
    Sum,
    /// Another `e·Σ w`.
    Total,
    /// Other digits of the generator.
    Generator,
}

/// A response that is none.
const RESPONSE: u8 = 77;

fn ecdsa_claim(curve: Curve, seed: u8, e: &BigUint, lie: Option<Lie>) -> Claim {
    let [d, k] = [seed, seed + 1].map(|seed| BigUint::from_bytes_be(&[seed; 31]));
    let (n, key, nonce) = (curve.n(), times(curve, &d), times(curve, &k));
    let r = &nonce.0;
    let good = (e + r * &d) * inverse(curve, &k) % n;
    let parts = |s: &BigUint| [e, r].map(|number| number * inverse(curve, s) % n);
    let wrong = BigUint::from(RESPONSE);
    let (s, [u, v]) = match lie {
        None => (good.clone(), parts(&good)),
        // The parts are those of the response that is left out.
        Some(Lie::Weight) => (wrong, parts(&good)),
        Some(Lie::Product | Lie::Key) => {
            let [u, _] = parts(&wrong);
            let v = less(curve, &k, &u) * inverse(curve, &d) % n;
            (wrong, [u, v])
        }
        Some(Lie::Sum | Lie::Total | Lie::Generator) => {
            let [_, v] = parts(&wrong);
            (wrong, [less(curve, &k, &(&v * &d)), v])
        }
    };
    Claim { raw: Raw { key, signature: RawSignature { nonce, s } }, u, v }
}

/// The signature that may be false.
struct Suspect<'a> {
    /// The digest as a number.
    e: &'a BigUint,
    /// The nonce point's first coordinate.
    r: &'a BigUint,
    /// Where it is among the signatures.
    place: usize,
}

/// What is bound of scalars that the sum is over, where the truth is another.
fn bound(
    curve: Curve,
    lie: Option<Lie>,
    Suspect { e, r, place }: Suspect<'_>,
    (truth, summed): (Hints, Hints),
) -> Hints {
    let n = curve.n();
    let mut bound = truth.clone();
    match lie {
        None => assert!(truth.keys == summed.keys && truth.generator == summed.generator),
        Some(Lie::Weight) => {
            bound.weights[place] = &summed.keys[place] * inverse(curve, r) % n;
            let mut sum = BigUint::ZERO;
            for (weight, total) in bound.weights.iter().zip(&mut bound.sums) {
                sum = (sum + weight) % n;
                total.clone_from(&sum);
            }
            (bound.keys, bound.generator) = (summed.keys, summed.generator);
        }
        Some(Lie::Product) => bound.keys = summed.keys,
        Some(Lie::Sum) => {
            let last = bound.sums.last_mut().expect("there are signatures");
            *last = &summed.generator * inverse(curve, e) % n;
            bound.generator = summed.generator;
        }
        Some(Lie::Total) => bound.generator = summed.generator,
        Some(Lie::Key) => assert_ne!(truth.keys, summed.keys),
        Some(Lie::Generator) => assert_ne!(truth.generator, summed.generator),
    }
    bound
}

/// `count` signatures, of which the one at `place` is false.
fn ecdsa_lie(curve: Curve, (count, place): (usize, usize), lie: Option<Lie>) -> TestCircuit {
    let digest = [9; 32];
    let e = BigUint::from_bytes_be(&digest);
    let claims: Vec<_> = (0..count)
        .map(|i| ecdsa_claim(curve, 3 + 2 * i as u8, &e, lie.filter(|_| i == place)))
        .collect();
    let items: Vec<_> = claims.iter().map(|claim| claim.raw.clone()).collect();
    let layout = foreign(curve, 14, 13, 6);
    batch(layout, (curve, halves_of(&digest)), &items, |ctx, digest, keys, signatures| {
        let batch = Batch::open(ctx, (curve, Rule::AnyS), digest, signatures);
        let ratios: Vec<_> = claims.iter().map(|claim| minus(curve, &claim.v)).collect();
        let coefficients = batch.coefficients(ctx, keys, &ratios);
        let truth = batch.hints(&coefficients);
        let [of_keys, of_generator] = scalars(curve, &claims, &coefficients);
        let generator = of_generator.iter().sum::<BigUint>() % curve.n();
        let summed = Hints { keys: of_keys, generator, ..truth.clone() };
        let choice = (coefficients, summed.clone());
        let Multiplied { multiples, .. } = batch.multiply(ctx, keys, [choice]);
        let r = &items[place].signature.nonce.0;
        let bound = bound(curve, lie, Suspect { e: &e, r, place }, (truth, summed));
        batch.bind(ctx.chips, &multiples, &bound);
    })
}

/// One signature, and two with a false one among them.
fn ecdsa_scalars_are_bound(curve: Curve, places: [(usize, usize); 2]) {
    for places in places {
        assert_eq!(ecdsa_lie(curve, places, None).false_relations(), Some(0));
        for lie in [Lie::Weight, Lie::Product, Lie::Key, Lie::Total, Lie::Generator] {
            let found = ecdsa_lie(curve, places, Some(lie)).false_relations();
            assert_eq!(found, Some(1), "{lie:?} {places:?}");
        }
    }
    // The sum of a single term is no relation.
    assert_eq!(ecdsa_lie(curve, (2, 1), Some(Lie::Sum)).false_relations(), Some(1));
}

#[test]
fn ecdsa_scalars_are_bound_over_secp256k1() {
    ecdsa_scalars_are_bound(Curve::Secp256k1, [(1, 0), (2, 0)]);
}

#[test]
fn ecdsa_scalars_are_bound_over_p256() {
    ecdsa_scalars_are_bound(Curve::P256, [(1, 0), (2, 1)]);
}

/// As [`Lie`]: `Sum` is a false step of `-Σ zᵢ·sᵢ`, at the false signature, and `Total` a sum that
/// does not start at 0.
fn bip340_claim(seed: u64, digest: &[u8; 32], lie: Option<Lie>) -> Claim {
    let (curve, n) = (Curve::Secp256k1, Curve::Secp256k1.n());
    let even = |start: u64| {
        let points = (start..).map(BigUint::from).map(|scalar| (times(curve, &scalar), scalar));
        points.into_iter().find(|((_, y), _)| !y.bit(0)).expect("one in two")
    };
    let ((key, d), (nonce, k)) = (even(seed), even(seed + 100));
    let even = PublicKey::from_bytes(&to_bytes(&key.0)).expect("a point");
    let e = challenge(&to_bytes(&nonce.0), &even, digest) % n;
    let good = (&k + &e * &d) % n;
    let (s, u, v) = match lie {
        None => (good.clone(), good, minus(curve, &e)),
        Some(Lie::Product | Lie::Key) => {
            let s = (&k + &d * RESPONSE) % n;
            (s.clone(), s, minus(curve, &RESPONSE.into()))
        }
        _ => (RESPONSE.into(), good, minus(curve, &e)),
    };
    Claim { raw: Raw { key, signature: RawSignature { nonce, s } }, u, v }
}

fn bip340_lie((count, place): (usize, usize), lie: Option<Lie>) -> TestCircuit {
    let (digest, curve) = ([9; 32], Curve::Secp256k1);
    let claims: Vec<_> = (0..count)
        .map(|i| bip340_claim(1000 * (1 + i as u64), &digest, lie.filter(|_| i == place)))
        .collect();
    let items: Vec<_> = claims.iter().map(|claim| claim.raw.clone()).collect();
    let layout = Layout { sha256: Some(SHA256_GATE), ..foreign(curve, 14, 13, 6) };
    batch(layout, (curve, halves_of(&digest)), &items, |ctx, digest, keys, signatures| {
        // The mock prover cannot tell of a failure whose gate reaches above the first row.
        crate::hash::sha256::digest(ctx, &muster_schemes::hash::sha256::Midstate::START, &[]);
        let batch = bip340::Batch::open(ctx, digest, keys, signatures);
        let ratios: Vec<_> = claims.iter().map(|claim| minus(curve, &claim.v)).collect();
        let coefficients = batch.coefficients(ctx, keys, &ratios);
        let mut bound = batch.hints(&coefficients);
        let [of_keys, of_generator] = scalars(curve, &claims, &coefficients);
        let mut summed = SchnorrHints { keys: of_keys, sums: vec![BigUint::ZERO] };
        for scalar in &of_generator {
            let sum = (&summed.sums[summed.sums.len() - 1] + scalar) % curve.n();
            summed.sums.push(sum);
        }
        // What the sum has too much for the response.
        let change = less(curve, &summed.sums[count], &bound.sums[count]);
        let choice = (coefficients, summed.clone());
        let Multiplied { multiples, .. } = batch.multiply(ctx, keys, [choice]);
        match lie {
            None => assert!(bound.keys == summed.keys && bound.sums == summed.sums),
            Some(Lie::Product) => bound.keys = summed.keys,
            Some(Lie::Key) => assert_ne!(bound.keys, summed.keys),
            Some(Lie::Sum) => bound.sums = summed.sums,
            Some(Lie::Total) => {
                let shift = |sum: &mut BigUint| *sum = (&*sum + &change) % curve.n();
                bound.sums.iter_mut().for_each(shift);
            }
            Some(Lie::Generator) => assert_ne!(bound.sums, summed.sums),
            Some(Lie::Weight) => unreachable!("there are no weights"),
        }
        batch.bind(ctx.chips, &multiples, &bound);
    })
}

#[test]
fn bip340_scalars_are_bound() {
    for places in [(1, 0), (2, 0)] {
        assert_eq!(bip340_lie(places, None).false_relations(), Some(0));
        for lie in [Lie::Product, Lie::Key, Lie::Sum, Lie::Total, Lie::Generator] {
            let found = bip340_lie(places, Some(lie)).false_relations();
            assert_eq!(found, Some(1), "{lie:?} {places:?}");
        }
    }
    // A false step behind a right one.
    assert_eq!(bip340_lie((2, 1), Some(Lie::Sum)).false_relations(), Some(1));
}

/// A nonce point whose first coordinate is 0 modulo the order, though it is on the curve.
#[test]
fn first_coordinates_of_ecdsa_are_not_0() {
    for (curve, x) in
        [(Curve::P256, BigUint::ZERO), (Curve::Secp256k1, Curve::Secp256k1.n().clone())]
    {
        let opened = |x: &BigUint| {
            let point = Point::from_x(curve, &to_bytes(x), false).ok();
            let nonce = point.and_then(|point| point.to_affine()).expect("on the curve");
            let signatures = [RawSignature { nonce, s: RESPONSE.into() }];
            TestCircuit::new(foreign(curve, 14, 13, 6), |ctx| {
                (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
                let digest = [5, 6].map(|half| ctx.load_witness(Fr::from(half)));
                Batch::open(ctx, (curve, Rule::AnyS), digest, &signatures);
                ctx.chips.foreign().enter_all();
            })
        };
        assert_eq!(opened(&x).false_relations(), Some(1), "{curve}");
        let next =
            (1u8..).map(|i| &x + i).find(|x| Point::from_x(curve, &to_bytes(x), false).is_ok());
        assert_eq!(opened(&next.expect("one in two")).false_relations(), Some(0), "{curve}");
    }
}
