//! Members who chose their keys with the digest in hand, so that the sum of all signatures meets a point on its way
//! (`signature/foreign` in muster-gadgets). Their signatures are good.

use muster_gadgets::curve::weierstrass::{offset, Endomorphism};
use num_bigint::BigUint;

use super::*;

type Affine = (BigUint, BigUint);

fn scaled(curve: Curve, point: &Affine, scalar: &BigUint) -> Affine {
    curve.parameters().mul(&Some(point.clone()), scalar).expect("not the identity")
}

fn plus(curve: Curve, a: Affine, b: Affine) -> Affine {
    curve.parameters().add(&Some(a), &Some(b)).expect("not the identity")
}

/// A key with a signature of [`DIGEST`], s low.
fn member(
    (scheme, keys): (Scheme, KeyKind),
    (key, nonce): (&Affine, &Affine),
    s: &BigUint,
) -> (PublicKey, Signature) {
    let curve = curve_of(scheme);
    let key =
        Point::from_coordinates(curve, &to_bytes(&key.0), &to_bytes(&key.1)).expect("a point");
    let r = to_bytes(&(&nonce.0 % curve.n()));
    let signature = ecdsa::Signature::new(curve, &r, &to_bytes(s)).expect("well formed");
    let signature = if signature.is_high() { signature.negate() } else { signature };
    match keys {
        KeyKind::Coordinates => (key.into(), signature.into()),
        KeyKind::Address => {
            let ids = (27..=30).filter_map(|v| ecdsa::RecoveryId::from_byte(v).ok());
            let mut ids = ids.filter(|id| {
                EcdsaSecp256k1::recover(&DIGEST, &signature, *id).is_ok_and(|found| found == key)
            });
            (key.address().into(), (signature, ids.next().expect("one of four")).into())
        }
    }
}

/// `S + P₁ + λ·P₁ = P₂` for the start `S`, without an endomorphism `S + P₁ = P₂`.
fn pair(kind: (Scheme, KeyKind), seed: u32) -> [(PublicKey, Signature); 2] {
    let curve = curve_of(kind.0);
    let (n, generator) = (curve.n(), curve.parameters().generator.clone());
    let inverse = |number: &BigUint| number.modinv(n).expect("not zero");
    let e = BigUint::from_bytes_be(&DIGEST);
    let number = BigUint::from_bytes_be(&[0x5b; 31]);
    let [alpha, beta, k] = [1, 2, 3].map(|i| &number * (3 * seed + i) % n);
    let start = offset(curve).clone();
    let nonce = plus(curve, scaled(curve, &generator, &alpha), scaled(curve, &start, &beta));
    let r = &nonce.0 % n;
    let s = &r * inverse(&beta) % n;
    let b = (&alpha * &s + n - &e % n) * inverse(&r) % n;
    let key = plus(curve, start, scaled(curve, &generator, &b));
    let second = member(kind, (&key, &nonce), &s);
    let lambda = Endomorphism::of(curve).map_or(BigUint::ZERO, |found| found.lambda.clone());
    let d = b * inverse(&(lambda + 1u8)) % n;
    let (key, nonce) = (scaled(curve, &generator, &d), scaled(curve, &generator, &k));
    let s = (e + &nonce.0 * &d) * inverse(&k) % n;
    [member(kind, (&key, &nonce), &s), second]
}

/// The pair as members 1 and 2 of three, who sign.
fn meeting_case(kind: (Scheme, KeyKind), seed: u32, (slots, rule): (usize, Rule)) -> Case {
    let pair = pair(kind, seed);
    let keys = [signer(kind, 0, &DIGEST).0, pair[0].0.clone(), pair[1].0.clone()];
    let wanted = Request { rule: Some(rule), ..small(kind, 3, slots) };
    let shape = fit(&wanted);
    let committee = Committee::new(&keys.map(|key| (key, 1))).expect("distinct keys");
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: 2,
        message: DIGEST.into(),
        signers: None,
    };
    let list = pair.iter().zip(1..).map(|((_, signature), member)| (member, signature.clone()));
    let case =
        Case { shape, statement, committee, signatures: Signatures::Independent(list.collect()) };
    assert_eq!(case.verdict(), Ok(()), "the signatures are good");
    case
}

impl Case {
    /// Whether there is no witness of the inputs as they come.
    fn meets(&self) -> bool {
        fill_foreign(&self.shape, &self.foreign()).1.is_err()
    }

    fn is_proven(&self) -> bool {
        let circuit = self.circuit().expect("there is a witness");
        is_satisfied(&circuit, &self.shape, self.statement.public_inputs())
    }
}

/// Pairs whose sum meets a point by the digits that are taken first.
const MEETINGS: [(KeyKind, u32); 4] = [
    (KeyKind::Coordinates, 5),
    (KeyKind::Coordinates, 6),
    (KeyKind::Address, 8),
    (KeyKind::Address, 9),
];
/// The same over P-256, of two slots and of three.
const P256: u32 = 78;
const UNUSED: u32 = 197;

#[test]
fn pairs_over_secp256k1_are_proven() {
    for (keys, seed) in MEETINGS {
        let case = meeting_case((Scheme::EcdsaSecp256k1, keys), seed, (2, Rule::LowS));
        assert!(case.is_proven(), "{keys:?} {seed}");
    }
}

/// The first pair over P-256 for so many slots whose sum meets a point; about one in a hundred does.
fn first_meeting(slots: usize, expected: u32) -> Case {
    let kind = (Scheme::EcdsaP256, KeyKind::Coordinates);
    let case = |seed| meeting_case(kind, seed, (slots, Rule::LowS));
    let seed = (expected..expected + 1000).find(|seed| case(*seed).meets());
    assert_eq!(seed, Some(expected), "{slots} slots");
    case(expected)
}

/// Scalars over P-256 have one sequence of digits: other coefficients help where there are any, and
/// where there are none the signers are named.
#[test]
fn pairs_over_p256_are_proven_or_named() {
    let mut case = first_meeting(2, P256);
    let none = Error::NoWitness { members: vec![1, 2] };
    assert_eq!(case.circuit().err(), Some(none.clone()));
    assert!(none.to_string().contains("members 1, 2"), "{none}");
    case.shape.rule = Some(Rule::AnyS);
    assert!(case.meets() && case.is_proven());
}

/// The padding signer is another where the sum meets a point.
#[test]
fn unused_slots_are_signed_by_others() {
    let mut case = first_meeting(3, UNUSED);
    assert!(case.is_proven());
    let kind = (Scheme::EcdsaP256, KeyKind::Coordinates);
    let whole_set = Some(Mode::WholeSet);
    case.shape = fit(&Request { mode: whole_set, rule: Some(Rule::LowS), ..small(kind, 3, 3) });
    assert!(case.meets() && case.is_proven());
}
