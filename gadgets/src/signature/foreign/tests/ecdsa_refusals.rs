//! ECDSA: what a prover may try instead of a signature.

use num_traits::One;

use super::*;
use muster_gates::Forged;
use muster_schemes::curve::weierstrass::to_bytes;

const CURVES: [Curve; 2] = [Curve::Secp256k1, Curve::P256];

type Affine = (BigUint, BigUint);

fn times(curve: Curve, scalar: &BigUint) -> Affine {
    let parameters = curve.parameters();
    parameters.mul(&parameters.generator(), &(scalar % &parameters.n)).expect("not the identity")
}

fn negated(curve: Curve, (x, y): &Affine) -> Affine {
    (x.clone(), curve.p() - y)
}

fn inverse(curve: Curve, scalar: &BigUint) -> BigUint {
    scalar.modinv(curve.n()).expect("not zero")
}

/// A signature by the secret `d` with the nonce `k`; `s` may be high.
fn made(curve: Curve, [d, k]: [&BigUint; 2], digest: &[u8; 32]) -> Raw {
    let (key, nonce) = (times(curve, d), times(curve, k));
    let e = BigUint::from_bytes_be(digest);
    let s = (e + &nonce.0 * d) * inverse(curve, k) % curve.n();
    Raw { key, signature: RawSignature { nonce, s } }
}

/// The same with the lower `s`.
fn low(curve: Curve, raw: Raw) -> Raw {
    let s = &raw.signature.s;
    if s <= &(curve.n() >> 1u8) {
        return raw;
    }
    other(curve, &raw)
}

/// `(r, n - s)`, whose nonce point is the opposite one.
fn other(curve: Curve, Raw { key, signature }: &Raw) -> Raw {
    let nonce = negated(curve, &signature.nonce);
    let s = (curve.n() - &signature.s) % curve.n();
    Raw { key: key.clone(), signature: RawSignature { nonce, s } }
}

fn secrets() -> [BigUint; 4] {
    let digit = |seed: u8| BigUint::from_bytes_be(&[seed; 31]);
    [3, 5, 7, 11].map(digit)
}

fn accepted(curve: Curve, rule: Rule, digest: &[u8; 32], items: &[Raw]) -> bool {
    ecdsa_circuit(curve, rule, digest, items).is_satisfied()
}

/// A signature and a digest for a chosen `s`.
fn with_s(curve: Curve, s: &BigUint) -> (Raw, [u8; 32]) {
    let [d, k, ..] = secrets();
    let nonce = times(curve, &k);
    let n = curve.n();
    let e = (s * &k + n * n - &nonce.0 * &d % n) % n;
    let raw = Raw { key: times(curve, &d), signature: RawSignature { nonce, s: s.clone() } };
    (raw, to_bytes(&e))
}

#[test]
fn responses_out_of_range() {
    for curve in CURVES {
        let n = curve.n();
        for rule in [Rule::LowS, Rule::AnyS] {
            let (raw, digest) = with_s(curve, &BigUint::from(77u8));
            assert!(accepted(curve, rule, &digest, std::slice::from_ref(&raw)), "{curve}");
            // The same response modulo the order, and those that are none.
            for s in [n + 77u8, BigUint::ZERO, n.clone(), n + 1u8] {
                let mut wrong = raw.clone();
                wrong.signature.s = s;
                assert!(!accepted(curve, rule, &digest, &[wrong]), "{curve}");
            }
        }
        // The bound of low responses, and the next one.
        let half = n >> 1u8;
        for (s, low) in [(half.clone(), true), (half + 1u8, false)] {
            let (raw, digest) = with_s(curve, &s);
            assert_eq!(accepted(curve, Rule::LowS, &digest, &[raw]), low, "{curve}");
        }
        let (raw, digest) = with_s(curve, &(n - 1u8));
        assert!(accepted(curve, Rule::AnyS, &digest, &[raw]), "{curve}");
    }
}

/// `(r, n - s)` needs the opposite nonce point, and is refused where `s` must be low.
#[test]
fn the_other_response() {
    let [d, k, ..] = secrets();
    let digest = [9; 32];
    for curve in CURVES {
        let good = low(curve, made(curve, [&d, &k], &digest));
        let high = other(curve, &good);
        assert!(accepted(curve, Rule::AnyS, &digest, std::slice::from_ref(&high)), "{curve}");
        assert!(!accepted(curve, Rule::LowS, &digest, std::slice::from_ref(&high)), "{curve}");
        let mut mixed = [good.clone(), high.clone()];
        (mixed[0].signature.s, mixed[1].signature.s) =
            (high.signature.s.clone(), good.signature.s.clone());
        for raw in mixed {
            assert!(!accepted(curve, Rule::AnyS, &digest, &[raw]), "{curve}");
        }
    }
}

#[test]
fn other_keys_points_and_digests() {
    let [d, k, other, _] = secrets();
    let digest = [9; 32];
    for curve in CURVES {
        let good = low(curve, made(curve, [&d, &k], &digest));
        assert!(accepted(curve, Rule::LowS, &digest, std::slice::from_ref(&good)), "{curve}");
        assert!(!accepted(curve, Rule::LowS, &[8; 32], std::slice::from_ref(&good)), "{curve}");
        let refused = |change: &dyn Fn(&mut Raw)| {
            let mut wrong = good.clone();
            change(&mut wrong);
            assert!(!accepted(curve, Rule::LowS, &digest, &[wrong]), "{curve}");
        };
        refused(&|raw| raw.key = times(curve, &other));
        refused(&|raw| raw.key = negated(curve, &raw.key));
        refused(&|raw| raw.key.1 += 1u8);
        refused(&|raw| raw.key = (BigUint::ZERO, BigUint::ZERO));
        // Of x the curve has no point, and its twist has.
        let twist =
            (1u8..).map(BigUint::from).find(|x| Point::from_x(curve, &to_bytes(x), false).is_err());
        refused(&|raw| raw.key.0 = twist.clone().expect("one in two"));
        refused(&|raw| raw.signature.nonce = times(curve, &other));
        refused(&|raw| raw.signature.nonce.1 += 1u8);
        // r = 0: of a coordinate that is 0 or the order, on the curve or not.
        for x in [BigUint::ZERO, curve.n().clone()] {
            let point = Point::from_x(curve, &to_bytes(&x), false).ok();
            let point = point.and_then(|point| point.to_affine());
            refused(&|raw| {
                raw.signature.nonce = point.clone().unwrap_or((x.clone(), BigUint::one()))
            });
        }
    }
}

/// Digests count modulo the order, whatever their bits; their halves have 128.
#[test]
fn digests() {
    let [d, k, ..] = secrets();
    for curve in CURVES {
        for digest in [[0; 32], [0xff; 32]] {
            let good = low(curve, made(curve, [&d, &k], &digest));
            assert!(accepted(curve, Rule::LowS, &digest, &[good]), "{curve}");
        }
        let digest = std::array::from_fn(|i| 100 - i as u8);
        let good = [low(curve, made(curve, [&d, &k], &digest))];
        let [high, low] = halves_of(&digest);
        let base = crate::field::foreign::halves::power(128);
        let same = [high - Fr::one(), low + base];
        assert!(!ecdsa_halves(curve, Rule::LowS, same, &good).is_satisfied(), "{curve}");
        assert!(!ecdsa_halves(curve, Rule::LowS, [high + base, low], &good).is_satisfied());
        assert!(!ecdsa_halves(curve, Rule::LowS, [low, high], &good).is_satisfied());
    }
}

/// Coordinates that are not below the prime, of points that are signed by and are fine otherwise.
#[test]
fn coordinates_are_canonical() {
    let [_, u, v, _] = secrets();
    for curve in CURVES {
        let (n, p) = (curve.n(), curve.p());
        let mut small = (1u8..).map(BigUint::from).filter_map(|x| {
            let point = Point::from_x(curve, &to_bytes(&x), false).ok()?;
            point.to_affine()
        });
        let (first, second) = (small.next().expect("a point"), small.next().expect("a point"));
        // A key of unknown secret: R = u·G + v·A, s = r/v and e = u·s.
        let parameters = curve.parameters();
        let sum =
            parameters.add(&Some(times(curve, &u)), &parameters.mul(&Some(first.clone()), &v));
        let nonce = sum.expect("a point");
        let s = &nonce.0 * inverse(curve, &v) % n;
        let digest = to_bytes(&(&u * &s % n));
        let good = Raw { key: first, signature: RawSignature { nonce, s } };
        assert!(accepted(curve, Rule::AnyS, &digest, std::slice::from_ref(&good)), "{curve}");
        let mut wrong = good;
        wrong.key.0 += p;
        assert!(!accepted(curve, Rule::AnyS, &digest, &[wrong]), "{curve}");
        // A nonce of unknown logarithm: A = (s·R - e·G)/r.
        let (s, digest) = (BigUint::from(77u8), [9; 32]);
        let minus = (n * 2u8 - BigUint::from_bytes_be(&digest) % n) % n;
        let product = parameters.mul(&Some(second.clone()), &s);
        let sum = parameters.add(&product, &Some(times(curve, &minus)));
        let key_for = |r: &BigUint| parameters.mul(&sum, &inverse(curve, r)).expect("a point");
        let signature = RawSignature { nonce: second.clone(), s };
        let good = Raw { key: key_for(&second.0), signature };
        assert!(accepted(curve, Rule::LowS, &digest, std::slice::from_ref(&good)), "{curve}");
        let mut wrong = good;
        wrong.signature.nonce.0 += p;
        assert!(!accepted(curve, Rule::LowS, &digest, std::slice::from_ref(&wrong)), "{curve}");
        // The key for which the equation holds with this other r.
        wrong.key = key_for(&(&wrong.signature.nonce.0 % n));
        let test = ecdsa_circuit(curve, Rule::LowS, &digest, &[wrong]);
        assert_eq!(test.false_relations(), Some(1), "{curve}");
    }
}

/// A digest in the public inputs that is another one in its high or in its low half, the witness being that of
/// a good signature: the half alone is in the way.
#[test]
fn each_half_of_a_digest_is_bound() {
    let [d, k, ..] = secrets();
    for curve in CURVES {
        let digest = [9; 32];
        let good = low(curve, made(curve, [&d, &k], &digest));
        let mut test = ecdsa_circuit(curve, Rule::LowS, &digest, &[good]);
        // The halves are the first cells of the vertical gate, which has the last column.
        let advice = test.advice();
        let column = advice.len() - 1;
        for (row, half) in halves_of(&digest).into_iter().enumerate() {
            assert_eq!(advice[column][row], half);
            let forged = Forged { column, row, value: half + Fr::one() };
            assert_eq!(test.failing(vec![forged]), ["copy"], "{curve}: half {row}");
        }
    }
}

/// A nonce point whose coordinate is not below the order.
#[test]
fn a_coordinate_above_the_order() {
    for curve in CURVES {
        let n = curve.n();
        let points = (1u16..).map(|r| {
            Point::from_x(curve, &to_bytes(&(n + r)), true).ok().and_then(|p| p.to_affine())
        });
        let nonce = points.flatten().next().expect("one in two");
        let r = &nonce.0 - n;
        let (parameters, s, digest) = (curve.parameters(), BigUint::from(77u8), [9; 32]);
        let minus = (n * 2u8 - BigUint::from_bytes_be(&digest) % n) % n;
        let sum =
            parameters.add(&parameters.mul(&Some(nonce.clone()), &s), &Some(times(curve, &minus)));
        let key = parameters.mul(&sum, &inverse(curve, &r)).expect("a point");
        let good = Raw { key, signature: RawSignature { nonce, s } };
        assert!(accepted(curve, Rule::LowS, &digest, &[good]), "{curve}");
    }
}

/// Two false signatures that make up for each other: their sum with all coefficients 1 holds.
#[test]
fn signatures_that_cancel_each_other() {
    let [d1, k1, d2, k2] = secrets();
    let digest = [9; 32];
    for curve in CURVES {
        let n = curve.n();
        let [mut first, mut second] =
            [[&d1, &k1], [&d2, &k2]].map(|secrets| made(curve, secrets, &digest));
        assert!(accepted(curve, Rule::AnyS, &digest, &[first.clone(), second.clone()]), "{curve}");
        // Σ (e + rᵢ·dᵢ)/sᵢ = k₁ + k₂, for another s₁.
        let e = BigUint::from_bytes_be(&digest);
        let top = |raw: &Raw, d: &BigUint| (&e + &raw.signature.nonce.0 * d) % n;
        first.signature.s = (&first.signature.s + 1u8) % n;
        let part = top(&first, &d1) * inverse(curve, &first.signature.s) % n;
        let rest = (&k1 + &k2 + n - part) % n;
        second.signature.s = top(&second, &d2) * inverse(curve, &rest) % n;
        let parts = [(&first, &d1), (&second, &d2)]
            .map(|(raw, d)| top(raw, d) * inverse(curve, &raw.signature.s));
        assert_eq!(parts.iter().sum::<BigUint>() % n, (&k1 + &k2) % n);
        assert!(!accepted(curve, Rule::AnyS, &digest, &[first, second]), "{curve}");
    }
}
