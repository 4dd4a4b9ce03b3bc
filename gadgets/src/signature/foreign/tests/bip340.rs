//! BIP-340: what a prover may try instead of a signature, and its own vectors.

use super::*;
use crate::signature::bip340::{self, vectors::VECTORS};
use muster_schemes::{
    curve::weierstrass::to_bytes,
    signature::bip340::{challenge, PublicKey},
};

const CURVE: Curve = Curve::Secp256k1;
type Affine = (BigUint, BigUint);

fn circuit(digest: &[u8; 32], items: &[Raw]) -> TestCircuit {
    let layout = Layout { sha256: Some(SHA256_GATE), ..foreign(CURVE, 14, 13, 6) };
    let digest = (CURVE, halves_of(digest));
    batch(layout, digest, items, |ctx, digest, keys, signatures| {
        // The mock prover cannot tell of a failure whose gate reaches above the first row.
        crate::hash::sha256::digest(ctx, &muster_schemes::hash::sha256::Midstate::START, &[]);
        let _ = bip340::assert_verify_all(ctx, digest, keys, signatures);
    })
}

fn negated((x, y): &Affine) -> Affine {
    (x.clone(), CURVE.p() - y)
}

/// A scalar whose point has an even or an odd second coordinate, from `start` on, and the point.
fn scalar(start: u64, odd: bool) -> (BigUint, Affine) {
    let parameters = CURVE.parameters();
    let point = |scalar: &BigUint| parameters.mul(&parameters.generator(), scalar).expect("one");
    let scalars = (start..).map(BigUint::from).map(|scalar| (scalar.clone(), point(&scalar)));
    scalars.into_iter().find(|(_, (_, y))| y.bit(0) == odd).expect("one in two")
}

/// `s = k + e·d` for a nonce and a key as they come, and whether the key is used with a minus.
fn made((d, key): &(BigUint, Affine), (k, nonce): &(BigUint, Affine), digest: &[u8; 32]) -> Raw {
    let even = PublicKey::from_bytes(&to_bytes(&key.0)).expect("a point");
    let e = challenge(&to_bytes(&nonce.0), &even, digest);
    let s = (k + e * d) % CURVE.n();
    Raw { key: key.clone(), signature: RawSignature { nonce: nonce.clone(), s } }
}

#[test]
fn signatures_are_accepted_and_others_refused() {
    let digest = [9; 32];
    let (key, nonce) = (scalar(1000, false), scalar(2000, false));
    let good = made(&key, &nonce, &digest);
    assert!(circuit(&digest, std::slice::from_ref(&good)).is_satisfied());
    assert!(!circuit(&[8; 32], std::slice::from_ref(&good)).is_satisfied());
    let refused = |change: &dyn Fn(&mut Raw)| {
        let mut wrong = good.clone();
        change(&mut wrong);
        assert!(!circuit(&digest, &[wrong]).is_satisfied());
    };
    refused(&|raw| raw.signature.s += 1u8);
    refused(&|raw| raw.signature.s = CURVE.n() - &raw.signature.s);
    refused(&|raw| raw.signature.nonce = negated(&raw.signature.nonce));
    refused(&|raw| raw.signature.nonce = scalar(3000, false).1);
    refused(&|raw| raw.key = negated(&raw.key));
    refused(&|raw| raw.key = scalar(3000, false).1);
    refused(&|raw| raw.key.1 += 2u8);
}

/// The equation holds with an odd second coordinate of the key or of the nonce point.
#[test]
fn second_coordinates_are_even() {
    let digest = [9; 32];
    for (key_is_odd, nonce_is_odd) in [(true, false), (false, true), (true, true)] {
        let raw = made(&scalar(1000, key_is_odd), &scalar(2000, nonce_is_odd), &digest);
        // `e` is that of the even key, and `A` the odd one: R = s·G - e·A.
        assert_eq!(raw.key.1.bit(0), key_is_odd);
        assert!(!circuit(&digest, &[raw]).is_satisfied(), "{key_is_odd} {nonce_is_odd}");
    }
}

/// A point with a small odd second coordinate, to which the prime is added: an even number.
#[test]
fn second_coordinates_are_canonical() {
    let p = CURVE.p();
    // The prime is 7 modulo 9: the power by (p + 2)/9 is a cube root of a cube.
    let root = |cube: &BigUint| cube.modpow(&((p + 2u8) / 9u8), p);
    let (x, y) = (1u8..)
        .step_by(2)
        .map(BigUint::from)
        .find_map(|y| {
            let x = root(&((&y * &y + p - CURVE.b()) % p));
            CURVE.parameters().contains(&Some((x.clone(), y.clone()))).then_some((x, y))
        })
        .expect("one in three");
    let equations = CurveEquations::new(CURVE);
    let build = |y: BigUint, checks: [bool; 2]| {
        let point = (x.clone(), y);
        TestCircuit::new(foreign(CURVE, 14, 13, 6), |ctx| {
            (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
            let nonce = AssignedNonce::new(ctx.chips, &equations, &point);
            if checks[0] {
                nonce.assert_even(ctx.chips, CURVE);
            }
            if checks[1] {
                AssignedKey::new(ctx, &equations, &point);
            }
            ctx.chips.foreign().enter_all();
        })
    };
    // ECDSA does not ask for the parity of R, and takes any residue.
    assert!(build(&y + p, [false, false]).is_satisfied());
    assert!(!build(&y + p, [true, false]).is_satisfied());
    assert!(!build(&y + p, [false, true]).is_satisfied());
    assert!(!build(y.clone(), [true, false]).is_satisfied());
    assert!(build(p - &y, [true, true]).is_satisfied());
}

/// Responses above the bound: no signature is known whose response is so small that the order can be added, so
/// nothing is asked of the equation here.
#[test]
fn responses_are_below_the_order() {
    let (key, nonce) = (scalar(1000, false).1, scalar(2000, false).1);
    let n = CURVE.n();
    let top = (BigUint::from(1u8) << 256) - 1u8;
    for (s, count) in [(n - 1u8, 0), (n.clone(), 1), (n + 77u8, 1), (top, 1)] {
        let layout = Layout { sha256: Some(SHA256_GATE), ..foreign(CURVE, 14, 13, 6) };
        let raw = Raw { key: key.clone(), signature: RawSignature { nonce: nonce.clone(), s } };
        let digest = (CURVE, halves_of(&[9; 32]));
        let test = batch(layout, digest, &[raw], |ctx, digest, keys, signatures| {
            // The mock prover cannot tell of a failure whose gate reaches above the first row.
            crate::hash::sha256::digest(ctx, &muster_schemes::hash::sha256::Midstate::START, &[]);
            bip340::Batch::open(ctx, digest, keys, signatures);
            ctx.chips.foreign().enter_all();
        });
        assert_eq!(test.false_relations(), Some(count));
    }
}

#[test]
fn signatures_that_cancel_each_other() {
    let digest = [9; 32];
    let mut items = [(1000, 2000), (3000, 4000)]
        .map(|(key, nonce)| made(&scalar(key, false), &scalar(nonce, false), &digest));
    assert!(circuit(&digest, &items).is_satisfied());
    items[0].signature.s += 1u8;
    items[1].signature.s -= 1u8;
    assert!(!circuit(&digest, &items).is_satisfied());
    // A signature for another's key.
    items[0].signature.s -= 1u8;
    items[1].signature.s += 1u8;
    items.swap(0, 1);
    assert!(circuit(&digest, &items).is_satisfied());
    let [first, second] = &mut items;
    std::mem::swap(&mut first.key, &mut second.key);
    assert!(!circuit(&digest, &items).is_satisfied());
}

/// A point of this coordinate, on the curve if there is one.
fn lifted(x: &str, odd: bool) -> Affine {
    let x = BigUint::parse_bytes(x.as_bytes(), 16).expect("hex");
    let y = Point::from_x(CURVE, &to_bytes(&(&x % CURVE.p())), odd).ok();
    let y = y.and_then(|point| point.to_affine()).map_or(BigUint::from(2u8), |(_, y)| y);
    (x, y)
}

#[test]
fn published_vectors() {
    for vector in &VECTORS {
        let digest: [u8; 32] = hex::decode(vector.message).unwrap().try_into().unwrap();
        let [r, s] = vector.signature;
        let s = BigUint::parse_bytes(s.as_bytes(), 16).expect("hex");
        // Number 6 is an odd nonce point; of the first vectors the others would be as odd.
        let odd = if vector.index == 6 { &[false, true][..] } else { &[false][..] };
        for odd in odd {
            let signature = RawSignature { nonce: lifted(r, *odd), s: s.clone() };
            let raw = Raw { key: lifted(vector.public_key, false), signature };
            let verdict = circuit(&digest, &[raw]).is_satisfied();
            assert_eq!(verdict, vector.valid, "{}", vector.index);
        }
    }
}
