//! BLS12-381 by `blst`, through its safe interface: scheme and encodings of draft-irtf-cfrg-bls-signature,
//! ciphersuites `…_NUL_` and `…_POP_`, points compressed as ZCash does.

use std::sync::OnceLock;

use blst::{blst_fp12, blst_scalar, min_pk, min_sig, MultiPoint, BLST_ERROR};
use ff::PrimeField;
use halo2curves::bls12_381::Fr;
use num_bigint::BigUint;
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::{
    endomorphism,
    message_group::MessageGroup,
    multiples::multiples,
    scheme::{BlsError, Ciphersuite, Sign, TaggedSuite},
    tags,
};
use crate::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    field::to_big_endian,
    hash::to_curve::Tag,
};

/// Bits of the coefficients of a batch.
const BATCH_BITS: usize = 128;
/// Bits of half a scalar.
const HALF_BITS: usize = 128;
/// The fewest points per thread.
const CHUNK: usize = 128;

/// Signatures in G1, of 48 bytes, and public keys in G2: the faster aggregation. The basic scheme: `…_NUL_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSigBasicBls12381;

/// Public keys in G1, of 48 bytes, and signatures in G2. The basic scheme: `…_NUL_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinPkBasicBls12381;

/// The same under the tag of signers who prove possession of their keys, as in Ethereum: `BLS_SIG_…_POP_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinPkPopBls12381;

/// Their proofs of possession: signatures on the encoding of one's own key, under a tag for nothing else (section 3.3
/// of the draft): `BLS_POP_…_POP_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinPkProofBls12381;

/// Signatures in G1 under the tag of signers who prove possession of their keys in G2: `BLS_SIG_…_POP_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSigPopBls12381;

/// Their proofs of possession: `BLS_POP_…_POP_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSigProofBls12381;

/// Σ zᵢ Pᵢ over slices of little-endian scalars of `bits` bits, on all threads; `sum` adds partial sums.
fn combine<A: Sync, P: Send>(
    points: &[A],
    scalars: &[u8],
    bits: usize,
    sum: impl Fn(&[P]) -> A,
) -> A
where
    [A]: MultiPoint<Output = P>,
{
    assert!(!points.is_empty(), "a sum of one point at least");
    assert_eq!(scalars.len(), points.len() * bits.div_ceil(8), "a scalar a point");
    let chunk = points.len().div_ceil(rayon::current_num_threads()).max(CHUNK);
    let parts: Vec<P> = points
        .par_chunks(chunk)
        .zip(scalars.par_chunks(chunk * bits.div_ceil(8)))
        .map(|(points, scalars)| points.mult(scalars, bits))
        .collect();
    sum(&parts)
}

fn full(scalars: &[Fr]) -> Vec<u8> {
    scalars.iter().flat_map(|scalar| scalar.to_repr()).collect()
}

fn short(scalars: &[u128]) -> Vec<u8> {
    scalars.iter().flat_map(|scalar| scalar.to_le_bytes()).collect()
}

fn fault(error: BLST_ERROR) -> BlsError {
    match error {
        BLST_ERROR::BLST_POINT_NOT_IN_GROUP => BlsError::NotInSubgroup,
        BLST_ERROR::BLST_PK_IS_INFINITY => BlsError::Identity,
        _ => BlsError::NotOnCurve,
    }
}

/// e(P₁, Q₁) e(P₂, Q₂); a pair with a point at infinity counts as 1 and is left out.
fn pairings<P: Copy + Default + PartialEq, Q: Copy + Default + PartialEq>(
    pairs: [(P, Q); 2],
    miller: impl Fn(&Q, &P) -> blst_fp12,
) -> blst_fp12 {
    let finite = pairs.iter().filter(|(p, q)| *p != P::default() && *q != Q::default());
    let product = finite.fold(blst_fp12::default(), |product, (p, q)| product * miller(q, p));
    product.final_exp()
}

/// The two ways round differ only in the names of types, for which blst has no trait.
macro_rules! suite {
    (
        $suite:ident, $blst:ident, $name:literal, $tag:expr, $tags:expr,
        key: $key:ident, $key_bytes:literal,
        signature: $point:ident, $projective:ident, $affines:ident, $point_bytes:literal,
        pair: $pair:expr,
        combine: $combine:expr,
        coordinates: $raw_key:ident = $key_coordinates:ident, $key_numbers:ident;
                     $raw_point:ident = $point_coordinates:ident, $point_numbers:ident; $parts:literal
    ) => {
        impl $suite {
            fn secret(scalar: &Fr) -> $blst::SecretKey {
                let bytes = Zeroizing::new(to_big_endian(scalar));
                let secret = $blst::SecretKey::from_bytes(bytes.as_slice());
                secret.expect("a scalar other than zero is a secret key")
            }

            /// The generator of the keys, or its negative.
            fn generator(sign: Sign) -> blst::$key {
                static BOTH: OnceLock<[blst::$key; 2]> = OnceLock::new();
                let of = |sign: Sign| Self::public_key(&sign.scalar());
                let [plus, minus] = BOTH.get_or_init(|| [of(Sign::Plus), of(Sign::Minus)]);
                match sign {
                    Sign::Plus => *plus,
                    Sign::Minus => *minus,
                }
            }

            fn key_sum(keys: &[blst::$key], scalars: &[u8], bits: usize) -> blst::$key {
                combine(keys, scalars, bits, |parts| {
                    let mut sum = $blst::AggregatePublicKey::from(parts[0]);
                    for part in &parts[1..] {
                        sum.add_aggregate(&$blst::AggregatePublicKey::from(*part));
                    }
                    sum.to_public_key().into()
                })
            }

            fn sum(points: &[blst::$point], scalars: &[u8], bits: usize) -> blst::$point {
                combine(points, scalars, bits, |parts| {
                    let mut sum = $blst::AggregateSignature::from(blst::$projective::default());
                    for part in parts {
                        sum.add_aggregate(&$blst::AggregateSignature::from(*part));
                    }
                    sum.to_signature().into()
                })
            }
        }

        impl TaggedSuite for $suite {
            fn hashed_with(message: &[u8], tag: &Tag) -> Self::Point {
                Self::sign_tagged(&Sign::Plus.scalar(), message, tag)
            }

            fn sign_tagged(secret: &Fr, message: &[u8], tag: &Tag) -> Self::Point {
                Self::secret(secret).sign(message, tag.bytes(), &[]).into()
            }
        }

        impl Ciphersuite for $suite {
            type Scalar = Fr;
            type Key = blst::$key;
            type Point = blst::$point;
            type Signed = [u8];
            type Target = blst_fp12;
            type RawKey = $raw_key;
            type RawPoint = $raw_point;
            const NAME: &'static str = $name;
            const TAG: &'static [u8] = $tag;
            const TAGS: &'static [&'static [u8]] = $tags;
            const CURVE: PairingCurve = PairingCurve::Bls12381;
            const GROUP: MessageGroup = MessageGroup::new(PairingCurve::Bls12381, $parts);
            const KEY_BYTES: usize = $key_bytes;
            const SIGNATURE_BYTES: usize = $point_bytes;

            fn public_key(secret: &Fr) -> Self::Key {
                Self::secret(secret).sk_to_pk().into()
            }

            fn sum_of_keys(keys: &[Self::Key]) -> Option<Self::Key> {
                let keys: Vec<_> = keys.iter().map(|key| $blst::PublicKey::from(*key)).collect();
                let keys: Vec<_> = keys.iter().collect();
                let sum = $blst::AggregatePublicKey::aggregate(&keys, false);
                let sum = sum.expect("there is a key").to_public_key().into();
                (sum != Self::Key::default()).then_some(sum)
            }

            fn combine(points: &[Self::Point], scalars: &[Fr]) -> Option<Self::Point> {
                let sum = $combine(points, scalars);
                (sum != Self::Point::default()).then_some(sum)
            }

            fn is_multiple(key: &Self::Key, point: &Self::Point, signature: &Self::Point) -> bool {
                let pair = $pair;
                let generator = Self::generator(Sign::Minus);
                let pairs = [pair(*signature, generator), pair(*point, *key)];
                pairings(pairs, blst_fp12::miller_loop) == blst_fp12::default()
            }

            fn encode_key(key: &Self::Key) -> Vec<u8> {
                $blst::PublicKey::from(*key).to_bytes().to_vec()
            }

            fn decode_key(bytes: &[u8]) -> Result<Self::Key, BlsError> {
                BlsError::check_length(bytes, Self::KEY_BYTES)?;
                Ok($blst::PublicKey::key_validate(bytes).map_err(fault)?.into())
            }

            fn encode_signature(signature: &Self::Point) -> Vec<u8> {
                $blst::Signature::from(*signature).to_bytes().to_vec()
            }

            fn decode_signature(bytes: &[u8]) -> Result<Self::Point, BlsError> {
                BlsError::check_length(bytes, Self::SIGNATURE_BYTES)?;
                Ok($blst::Signature::sig_validate(bytes, true).map_err(fault)?.into())
            }

            fn message_point(message: &[u8]) -> Self::Point {
                Self::sign(&Sign::Plus.scalar(), message)
            }

            fn tagged_point(message: &[u8], tag: &[u8]) -> Option<Self::Point> {
                Some(Self::secret(&Sign::Plus.scalar()).sign(message, tag, &[]).into())
            }

            fn sign(secret: &Fr, message: &[u8]) -> Self::Point {
                Self::secret(secret).sign(message, Self::TAG, &[]).into()
            }

            fn verify(key: &Self::Key, message: &[u8], signature: &Self::Point) -> bool {
                let key = $blst::PublicKey::from(*key);
                let signature = $blst::Signature::from(*signature);
                let verdict = signature.verify(false, message, Self::TAG, &[], &key, false);
                verdict == BLST_ERROR::BLST_SUCCESS
            }

            fn cancel(keys: &[Self::Key], scalars: &[Fr]) -> bool {
                let sum = Self::key_sum(keys, &full(scalars), Fr::NUM_BITS as usize);
                sum == Self::Key::default()
            }

            fn discrepancy(
                message: &[u8],
                signatures: &[Self::Point],
                keys: &[Self::Key],
                scalars: &[u128],
                sign: Sign,
            ) -> blst_fp12 {
                let scalars = short(scalars);
                let key = Self::key_sum(keys, &scalars, BATCH_BITS);
                let signature = Self::sum(signatures, &scalars, BATCH_BITS);
                let pair = $pair;
                let generator = Self::generator(sign.other());
                // The hash of the message, or its negative: the signature of the secret 1 or −1.
                let hash = Self::sign(&sign.scalar(), message);
                let pairs = [pair(signature, generator), pair(hash, key)];
                pairings(pairs, blst_fp12::miller_loop)
            }

            fn verify_each(
                signed: &[(Self::Key, &[u8], Self::Point)],
                coefficients: &[u128],
            ) -> bool {
                assert!(
                    !signed.is_empty() && signed.len() == coefficients.len(),
                    "a scalar a signature"
                );
                let keys: Vec<_> =
                    signed.iter().map(|(key, ..)| $blst::PublicKey::from(*key)).collect();
                let messages: Vec<&[u8]> = signed.iter().map(|(_, message, _)| *message).collect();
                let signatures: Vec<_> =
                    signed.iter().map(|(.., point)| $blst::Signature::from(*point)).collect();
                let scalar = |coefficient: &u128| {
                    let mut scalar = blst_scalar::default();
                    scalar.b[..BATCH_BITS / 8].copy_from_slice(&coefficient.to_le_bytes());
                    scalar
                };
                let scalars: Vec<_> = coefficients.iter().map(scalar).collect();
                let verdict = $blst::Signature::verify_multiple_aggregate_signatures(
                    &messages,
                    Self::TAG,
                    &keys.iter().collect::<Vec<_>>(),
                    false,
                    &signatures.iter().collect::<Vec<_>>(),
                    false,
                    &scalars,
                    BATCH_BITS,
                );
                verdict == BLST_ERROR::BLST_SUCCESS
            }

            fn product(a: &blst_fp12, b: &blst_fp12) -> blst_fp12 {
                *a * *b
            }

            fn one() -> blst_fp12 {
                blst_fp12::default()
            }

            fn multiples(message: &[u8], scalars: &[Fr]) -> Vec<Self::Point> {
                let zero = blst::$projective::default();
                let mut base = $blst::AggregateSignature::from(zero);
                base.add_aggregate(&$blst::AggregateSignature::from_signature(
                    &Self::message_point(message).into(),
                ));
                let scalars: Vec<[u8; 32]> = scalars.iter().map(PrimeField::to_repr).collect();
                let add = |a: &blst::$projective, b: &blst::$projective| {
                    let mut sum = $blst::AggregateSignature::from(*a);
                    sum.add_aggregate(&$blst::AggregateSignature::from(*b));
                    sum.into()
                };
                let points = multiples(base.into(), zero, &scalars, add);
                if points.is_empty() {
                    vec![]
                } else {
                    blst::$affines::from(&points).as_slice().to_vec()
                }
            }

            fn key_coordinates(key: &blst::$key) -> $raw_key {
                $key_coordinates(&$blst::PublicKey::from(*key).serialize())
            }

            fn point_coordinates(point: &blst::$point) -> $raw_point {
                $point_coordinates(&$blst::Signature::from(*point).serialize())
            }

            fn key_numbers(key: &$raw_key) -> &[BigUint] {
                key.$key_numbers()
            }

            fn point_numbers(point: &$raw_point) -> &[BigUint] {
                point.$point_numbers()
            }

            fn decode_coordinates(bytes: &[u8]) -> Result<blst::$point, BlsError> {
                BlsError::check_length(bytes, Self::GROUP.bytes())?;
                Ok($blst::Signature::sig_validate(bytes, true).map_err(fault)?.into())
            }
        }
    };
}

macro_rules! min_sig {
    ($suite:ident, $name:literal, $tag:expr) => {
        suite!(
            $suite, min_sig, $name, $tag, tags::ALL_BLS12381_G1,
            key: blst_p2_affine, 96,
            signature: blst_p1_affine, blst_p1, p1_affines, 48,
            pair: |signature, key| (signature, key),
            combine: |points: &[_], scalars: &[Fr]| {
                let (points, scalars) = endomorphism::split(points, scalars);
                $suite::sum(&points, &scalars, HALF_BITS)
            },
            coordinates: TwistPoint = twist_point, as_flattened;
                         BasePoint = base_point, as_slice; 1
        );
    };
}

macro_rules! min_pk {
    ($suite:ident, $name:literal, $tag:expr) => {
        suite!(
            $suite, min_pk, $name, $tag, tags::ALL_BLS12381_G2,
            key: blst_p1_affine, 48,
            signature: blst_p2_affine, blst_p2, p2_affines, 96,
            pair: |signature, key| (key, signature),
            combine: |points: &[_], scalars: &[Fr]| $suite::sum(points, &full(scalars), Fr::NUM_BITS as usize),
            coordinates: BasePoint = base_point, as_slice;
                         TwistPoint = twist_point, as_flattened; 2
        );
    };
}

min_sig!(MinSigBasicBls12381, "bls12-381-min-sig", tags::BLS12381_G1);
min_sig!(MinSigPopBls12381, "bls12-381-min-sig-pop", tags::BLS12381_G1_PROVEN);
min_sig!(MinSigProofBls12381, "bls12-381-min-sig-possession", tags::BLS12381_G1_POSSESSION);
min_pk!(MinPkBasicBls12381, "bls12-381-min-pk", tags::BLS12381_G2);
min_pk!(MinPkPopBls12381, "bls12-381-min-pk-pop", tags::ETHEREUM);
min_pk!(MinPkProofBls12381, "bls12-381-min-pk-possession", tags::BLS12381_G2_POSSESSION);

/// Coordinates over the prime field, from the encoding without compression (48 bytes each, big-endian).
fn base_point(bytes: &[u8]) -> BasePoint {
    let [x, y] = [&bytes[..48], &bytes[48..]];
    [x, y].map(BigUint::from_bytes_be)
}

/// Coordinates over its extension: in that encoding the imaginary part comes first.
fn twist_point(bytes: &[u8]) -> TwistPoint {
    let part = |i: usize| BigUint::from_bytes_be(&bytes[48 * i..48 * (i + 1)]);
    [[part(1), part(0)], [part(3), part(2)]]
}

/// The secret that `KeyGen` derives from a seed (section 2.3 of the draft), without further information.
pub(super) fn secret_of_seed(seed: &[u8; 32]) -> Fr {
    let secret = min_pk::SecretKey::key_gen(seed, &[]).expect("32 bytes are enough");
    let mut bytes = Zeroizing::new(secret.to_bytes());
    bytes.reverse();
    Fr::from_repr(*bytes).into_option().expect("it is below the order")
}
