//! Keys that their owners chose with the digest in hand, so that a sum meets its addend. Their
//! signatures are good.

use num_bigint::BigInt;

use super::{
    super::{
        sum::{multiply, Scalars, Sum, Summand},
        ExceptionalCase,
    },
    *,
};
use crate::{
    curve::weierstrass::{offset, residue, Endomorphism, Meeting, ShortRatio, Term, Walk},
    signature::ecdsa::Batch,
};

type Affine = (BigUint, BigUint);

fn times(curve: Curve, scalar: &BigUint) -> Affine {
    let parameters = curve.parameters();
    parameters.mul(&parameters.generator(), &(scalar % &parameters.n)).expect("not the identity")
}

fn plus(curve: Curve, a: &Affine, b: &Affine) -> Affine {
    curve.parameters().add(&Some(a.clone()), &Some(b.clone())).expect("not the identity")
}

fn scaled(curve: Curve, point: &Affine, scalar: &BigUint) -> Affine {
    curve.parameters().mul(&Some(point.clone()), scalar).expect("not the identity")
}

fn inverse(curve: Curve, scalar: &BigUint) -> BigUint {
    scalar.modinv(curve.n()).expect("not zero")
}

/// The lower one of the two responses, with its nonce point.
fn low(curve: Curve, mut raw: Raw) -> Raw {
    let RawSignature { nonce: (_, y), s } = &mut raw.signature;
    if *s > curve.n() >> 1u8 {
        *s = curve.n() - &*s;
        *y = curve.p() - &*y;
    }
    raw
}

/// Two signatures with `S + P₁ + λ·P₁ = P₂` or, without an endomorphism, `S + P₁ = P₂`, where `S` is
/// the start of all sums: `R₂ = α·G + β·S`, `r = x(R₂)`, `s = r/β`, `b = (α·s - e)/r`,
/// `P₂ = S + b·G` and `P₁ = b/(1 + λ)·G`.
fn pair(curve: Curve, digest: &[u8; 32], seed: u32) -> [Raw; 2] {
    let n = curve.n();
    let e = BigUint::from_bytes_be(digest);
    let number = BigUint::from_bytes_be(&[0x5b; 31]);
    let [alpha, beta, k] = [1, 2, 3].map(|i| &number * (3 * seed + i) % n);
    let nonce = plus(curve, &times(curve, &alpha), &scaled(curve, offset(curve), &beta));
    let r = &nonce.0 % n;
    let s = &r * inverse(curve, &beta) % n;
    let b = (&alpha * &s + n - &e % n) * inverse(curve, &r) % n;
    let key = plus(curve, offset(curve), &times(curve, &b));
    let second = Raw { key, signature: RawSignature { nonce, s } };
    let lambda = Endomorphism::of(curve).map_or(BigUint::ZERO, |found| found.lambda.clone());
    let d = b * inverse(curve, &(lambda + 1u8)) % n;
    let nonce = times(curve, &k);
    let s = (e + &nonce.0 * &d) * inverse(curve, &k) % n;
    let first = Raw { key: times(curve, &d), signature: RawSignature { nonce, s } };
    [first, second].map(|raw| low(curve, raw))
}

const DIGEST: [u8; 32] = [9; 32];
/// The first pair over P-256 that meets the sum.
const P256: u32 = 13;

/// Where the sum of these signatures meets an addend by the digits that are taken first.
fn meeting(curve: Curve, items: &[Raw]) -> Option<Meeting> {
    let mut found = None;
    let layout = foreign(curve, 14, 13, 6);
    batch(layout, (curve, halves_of(&DIGEST)), items, |ctx, digest, keys, signatures| {
        let batch = Batch::open(ctx, (curve, Rule::LowS), digest, signatures);
        let coefficients = batch.coefficients(ctx, keys, &batch.ratios());
        let hints = batch.hints(&coefficients);
        let equations = (&CurveEquations::new(curve), &ScalarEquations::new(curve));
        let nonces: Vec<_> = signatures
            .iter()
            .map(|raw| AssignedNonce::new(ctx.chips, equations.0, &raw.nonce))
            .collect();
        let summands: Vec<_> = keys
            .iter()
            .zip(&nonces)
            .zip(coefficients.iter().zip(&hints.keys))
            .map(|((key, nonce), (coefficient, scalar))| {
                let scalar = scalar.clone();
                let (key, nonce) = (key.point(), nonce.point());
                Summand { key, nonce, coefficient, scalar }
            })
            .collect();
        let mut sum = Sum::new(ctx.chips.foreign(), equations.0, &summands);
        sum.put_all(equations.1, &summands, &hints.generator);
        found = Walk::new(curve, &sum.terms).err();
    });
    found
}

/// The circuit of these signatures, and whether there is a witness.
fn verified(curve: Curve, items: &[Raw]) -> (TestCircuit, Result<(), ExceptionalCase>) {
    let mut verdict = Ok(());
    let (layout, digest) = (foreign(curve, 14, 13, 6), (curve, halves_of(&DIGEST)));
    let test = batch(layout, digest, items, |ctx, digest, keys, signatures| {
        let rule = (curve, Rule::LowS);
        verdict = ecdsa::assert_verify_all(ctx, rule, digest, keys, signatures);
    });
    (test, verdict)
}

/// The prover goes another way: about a quarter of the pairs meet the sum by the digits that come first.
#[test]
fn keys_that_meet_the_sum_over_secp256k1() {
    let curve = Curve::Secp256k1;
    let mut met = 0;
    for items in (0..12).map(|seed| pair(curve, &DIGEST, seed)) {
        let Some(Meeting { window, .. }) = meeting(curve, &items) else { continue };
        assert_eq!(window, 0);
        met += 1;
        let (test, verdict) = verified(curve, &items);
        assert_eq!(verdict, Ok(()));
        test.assert_satisfied();
    }
    assert!(met > 0);
}

/// Over P-256 a scalar has one sequence of digits: the signatures are named. About one pair in a hundred
/// meets the sum, and the first one that does is not far.
#[test]
fn keys_that_meet_the_sum_over_p256() {
    let curve = Curve::P256;
    let meets = |seed: &u32| meeting(curve, &pair(curve, &DIGEST, *seed)).is_some();
    let seed = (P256..P256 + 1000).find(meets).expect("about one in a hundred");
    assert_eq!(seed, P256);
    let (test, verdict) = verified(curve, &pair(curve, &DIGEST, seed));
    assert_eq!(verdict, Err(ExceptionalCase { signatures: vec![0, 1] }));
    assert!(!test.is_satisfied());
}

/// A digit as a residue of the order.
fn digit(curve: Curve, digit: i8) -> BigUint {
    residue(&digit.into(), curve.n())
}

/// The sum `S` and `digit·point` for each of these.
fn from_start(curve: Curve, addends: &[(BigUint, &Affine)]) -> Affine {
    let start = offset(curve).clone();
    addends.iter().fold(start, |sum, (by, point)| plus(curve, &sum, &scaled(curve, point, by)))
}

/// `count` keys, each from the second on what is summed up before it, by the digits that the prover
/// takes; and the scalars of all keys.
fn row_of_meetings(curve: Curve, count: u8) -> Vec<(Affine, BigUint)> {
    let scalars = ScalarEquations::new(curve);
    let lambda = Endomorphism::of(curve).map_or(BigUint::ZERO, |found| found.lambda.clone());
    let mut sum = offset(curve).clone();
    let mut keys = vec![];
    for i in 0..count {
        let scalar = BigUint::from_bytes_be(&[41 + 3 * i; 32]) % curve.n();
        let first = scalars.digits(&scalar);
        let top = |digits: &[Vec<i8>]| digits.iter().map(|part| part[0]).collect::<Vec<_>>();
        let key = match i {
            0 => times(curve, &BigUint::from(9u8)),
            _ => scaled(curve, &sum, &inverse(curve, &digit(curve, first[0][0]))),
        };
        // Another digit of the same magnitude meets the sum, too.
        let meets = |digits: &Vec<Vec<i8>>| i > 0 && digits[0][0].abs() == first[0][0].abs();
        let mut taken = [first.clone()].into_iter().chain(scalars.other_digits(scalar.clone()));
        let taken = taken.find(|digits| !meets(digits)).unwrap_or(first);
        for (by, part) in top(&taken).into_iter().zip([BigUint::from(1u8), lambda.clone()]) {
            let by = digit(curve, by) * part;
            sum = plus(curve, &sum, &scaled(curve, &key, &(by % curve.n())));
        }
        keys.push((key, scalar));
    }
    keys
}

/// What a prover finds for these keys and scalars, which meet in the first window, by coefficients that do not
/// matter here: how many terms have other digits. Scalars stay what they are.
fn settled(curve: Curve, keys: &[(Affine, BigUint)]) -> Result<usize, ExceptionalCase> {
    let mut found = Ok(0);
    TestCircuit::new(foreign(curve, 15, 13, 6), |ctx| {
        let equations = (&CurveEquations::new(curve), &ScalarEquations::new(curve));
        let nonce = AssignedNonce::new(ctx.chips, equations.0, &times(curve, &77u8.into()));
        let points: Vec<_> =
            keys.iter().map(|(key, _)| AssignedKey::new(ctx, equations.0, key)).collect();
        let z = Coefficient::Squeezed(ctx.load_witness(Fr::from(1234)));
        let summands: Vec<_> = points
            .iter()
            .zip(keys)
            .map(|(point, (_, scalar))| Summand {
                key: point.point(),
                nonce: nonce.point(),
                coefficient: &z,
                scalar: scalar.clone(),
            })
            .collect();
        let mut sum = Sum::new(ctx.chips.foreign(), equations.0, &summands);
        let generator = BigUint::from(99u8);
        sum.put_all(equations.1, &summands, &generator);
        let first = sum.terms.clone();
        assert_eq!(Walk::new(curve, &first).err().map(|met| met.window), Some(0));
        found = sum.settle((curve, equations.1), &summands, &generator).map(|_| {
            let changed = |(a, b): (&Term, &Term)| a.digits != b.digits;
            first.iter().zip(&sum.terms).filter(|pair| changed(*pair)).count()
        });
        let value = |term: &Term| term.digits.iter().fold(BigInt::ZERO, |sum, d| (sum << 4) + *d);
        let lambda = Endomorphism::of(curve).map_or(BigUint::ZERO, |found| found.lambda.clone());
        let mut terms = sum.terms.iter();
        for (_, scalar) in keys {
            let parts = equations.1.digits(scalar).len();
            let parts: Vec<_> = terms.by_ref().take(parts).map(value).collect();
            let whole = parts
                .iter()
                .rev()
                .fold(BigInt::ZERO, |sum, part| sum * BigInt::from(lambda.clone()) + part);
            assert_eq!(residue(&whole, curve.n()), *scalar);
            terms.next();
        }
    });
    found
}

/// One meeting behind the other, each made for the digits that were taken because of the one before.
#[test]
fn meetings_in_a_row() {
    let curve = Curve::Secp256k1;
    for count in [2, 3, 6] {
        // Two halves of each key but the first.
        let changed = Ok(2 * usize::from(count - 1));
        assert_eq!(settled(curve, &row_of_meetings(curve, count)), changed);
    }
    let curve = Curve::P256;
    let none = Err(ExceptionalCase { signatures: vec![0, 1] });
    assert_eq!(settled(curve, &row_of_meetings(curve, 2)), none);
}

struct Single {
    key: [BigUint; 1],
    generator: BigUint,
}

impl Scalars for Single {
    fn of_keys(&self) -> &[BigUint] {
        &self.key
    }

    fn of_generator(&self) -> &BigUint {
        &self.generator
    }
}

/// A nonce point that is `S + d·A` for the highest digit `d` of its key, divided by its own: another
/// factor of the same ratio is taken.
#[test]
fn a_single_signature_that_meets_the_sum() {
    for curve in [Curve::Secp256k1, Curve::P256] {
        let ratio = curve.n() / 3u8;
        let short = ShortRatio::new(curve, &ratio);
        let key = times(curve, &5u8.into());
        let lambda = Endomorphism::of(curve).map(|found| found.lambda.clone());
        let parts = [BigUint::from(1u8)].into_iter().chain(lambda);
        let tops: Vec<_> = short.product_digits().iter().map(|part| part[0]).collect();
        let addends: Vec<_> =
            parts.zip(&tops).map(|(part, d)| (digit(curve, *d) * part % curve.n(), &key)).collect();
        let sum = from_start(curve, &addends);
        let own = digit(curve, short.factor_digits()[0][0]);
        let nonce = scaled(curve, &sum, &inverse(curve, &own));
        for alone in [true, false] {
            TestCircuit::new(foreign(curve, 14, 13, 6), |ctx| {
                let equations = (&CurveEquations::new(curve), &ScalarEquations::new(curve));
                let keys = [AssignedKey::new(ctx, equations.0, &key)];
                let nonce = AssignedNonce::new(ctx.chips, equations.0, &nonce);
                let scalars =
                    |_: &[Coefficient]| Single { key: [ratio.clone()], generator: 9u8.into() };
                let choices = choices(vec![Coefficient::Chosen(short.clone())], scalars);
                let choices = choices.take(if alone { 1 } else { usize::MAX });
                let found =
                    multiply(ctx, equations, (&[keys[0].point()], &[nonce.point()]), choices);
                let met = ExceptionalCase { signatures: vec![0] };
                assert_eq!(found.verdict, if alone { Err(met) } else { Ok(()) }, "{curve}");
            });
        }
    }
}
