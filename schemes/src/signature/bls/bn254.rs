//! BN254 by halo2curves: signatures in G1, public keys in G2, coordinates in the order of EIP-197; and the other way round for
//! messages that are points of G2.
//!
//! Other messages are hashed to G1 as in RFC 9380, with the map of Shallue and van de Woestijne (section
//! 6.6.1) and SHA-256: the suite `BN254G1_XMD:SHA-256_SVDW_RO_` of gnark-crypto and others.

use std::iter;

use ff::{Field, PrimeField};
use halo2curves::{
    bn256::{multi_miller_loop, Fq, Fq2, Fr, G1Affine, G2Affine, G2Prepared, Gt, G1, G2},
    group::{Curve, Group},
    msm::msm_best,
    pairing::MillerLoopResult,
    CurveAffine,
};
use num_bigint::BigUint;

use super::{
    message_group::MessageGroup,
    multiples::multiples,
    scheme::{BlsError, Ciphersuite, Sign},
    tags,
};
#[cfg(any(test, feature = "bls"))]
use super::{
    scheme::{Keccak, Search, TaggedSuite},
    signed::SignedPoint,
};
#[cfg(any(test, feature = "bls"))]
use crate::hash::to_curve::{bn254::find_point, Expander, Stages};
use crate::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    field::{from_big_endian, to_big_endian, ExtensionField},
    hash::to_curve::{hash_to_curve, Bn254G1, Tag},
};

/// Bytes of a coordinate over the prime field.
const COORDINATE: usize = 32;

/// BN254 with signatures of 64 bytes in G1. The basic scheme: `…_NUL_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSigBasicBn254;

/// The same under the tag of signers who prove possession of their keys: `BLS_SIG_…_POP_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSigPopBn254;

/// Their proofs of possession: signatures on the encoding of one's own key, under a tag for nothing else: `BLS_POP_…_POP_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSigProofBn254;

/// BN254 with keys of 64 bytes in G1 and signatures of 128 bytes in G2. A message is a point of G2 already.
#[cfg(any(test, feature = "bls"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinPkBn254;

/// The two ways round differ in which group is which.
macro_rules! suite {
    (
        $suite:ident, $name:literal, $tag:expr,
        signed: $signed:ty, $message_point:expr, $tags:expr, $tagged_point:expr,
        key: $key:ident, $key_parts:literal, $encode_key:ident, $decode_key:ident,
        signature: $point:ident, $projective:ident, $parts:literal, $encode:ident, $decode:ident,
        pair: $pair:expr,
        coordinates: $raw_key:ident = $key_coordinates:ident, $key_numbers:ident;
                     $raw_point:ident = $point_coordinates:ident, $point_numbers:ident
    ) => {
        impl Ciphersuite for $suite {
            type Scalar = Fr;
            type Key = $key;
            type Point = $point;
            type Signed = $signed;
            type Target = Gt;
            type RawKey = $raw_key;
            type RawPoint = $raw_point;
            const NAME: &'static str = $name;
            const TAG: &'static [u8] = $tag;
            const TAGS: &'static [&'static [u8]] = $tags;
            const CURVE: PairingCurve = PairingCurve::Bn254;
            const GROUP: MessageGroup = MessageGroup::new(PairingCurve::Bn254, $parts);
            const KEY_BYTES: usize = 2 * $key_parts * COORDINATE;
            const SIGNATURE_BYTES: usize = 2 * $parts * COORDINATE;

            fn public_key(secret: &Fr) -> $key {
                multiple(&$key::generator(), secret)
            }

            fn message_point(message: &$signed) -> $point {
                $message_point(message)
            }

            fn tagged_point(message: &$signed, tag: &[u8]) -> Option<$point> {
                $tagged_point(message, tag)
            }

            fn sign(secret: &Fr, message: &$signed) -> $point {
                multiple(&Self::message_point(message), secret)
            }

            fn verify(key: &$key, message: &$signed, signature: &$point) -> bool {
                Self::is_multiple(key, &Self::message_point(message), signature)
            }

            fn is_multiple(key: &$key, point: &$point, signature: &$point) -> bool {
                let pair = $pair;
                pairings([pair(*signature, -$key::generator()), pair(*point, *key)])
                    == Gt::identity()
            }

            fn sum_of_keys(keys: &[$key]) -> Option<$key> {
                sum(keys)
            }

            fn cancel(keys: &[$key], scalars: &[Fr]) -> bool {
                assert!(!keys.is_empty() && keys.len() == scalars.len(), "a scalar a key");
                msm_best(scalars, keys).is_identity().into()
            }

            fn combine(points: &[$point], scalars: &[Fr]) -> Option<$point> {
                combine(points, scalars)
            }

            fn discrepancy(
                message: &$signed,
                signatures: &[$point],
                keys: &[$key],
                scalars: &[u128],
                sign: Sign,
            ) -> Gt {
                assert!(!keys.is_empty() && keys.len() == scalars.len(), "a scalar a key");
                assert_eq!(signatures.len(), scalars.len(), "a scalar a signature");
                let scalars: Vec<Fr> =
                    scalars.iter().map(|&scalar| Fr::from_u128(scalar)).collect();
                let (signature, key) = (msm_best(&scalars, signatures), msm_best(&scalars, keys));
                // `Minus` inverts both pairings by negating one argument of each.
                let (signature, hash) = match sign {
                    Sign::Plus => (signature, Self::message_point(message)),
                    Sign::Minus => (-signature, -Self::message_point(message)),
                };
                let pair = $pair;
                pairings([
                    pair(signature.to_affine(), -$key::generator()),
                    pair(hash, key.to_affine()),
                ])
            }

            fn verify_each(signed: &[($key, &$signed, $point)], coefficients: &[u128]) -> bool {
                assert!(
                    !signed.is_empty() && signed.len() == coefficients.len(),
                    "a scalar a signature"
                );
                let scalars: Vec<Fr> =
                    coefficients.iter().map(|&scalar| Fr::from_u128(scalar)).collect();
                let signatures: Vec<_> = signed.iter().map(|(.., signature)| *signature).collect();
                let pair = $pair;
                let hashes = signed.iter().zip(&scalars).map(|((key, message, _), scalar)| {
                    pair((Self::message_point(message) * scalar).to_affine(), *key)
                });
                let sum = msm_best(&scalars, &signatures).to_affine();
                let all = iter::once(pair(sum, -$key::generator())).chain(hashes);
                let all: Vec<_> = all.map(|(p, q)| (p, G2Prepared::from(q))).collect();
                let pairs: Vec<_> = all.iter().map(|(p, q)| (p, q)).collect();
                multi_miller_loop(&pairs).final_exponentiation() == Gt::identity()
            }

            fn product(a: &Gt, b: &Gt) -> Gt {
                // halo2curves writes the group additively.
                a + b
            }

            fn one() -> Gt {
                Gt::identity()
            }

            fn multiples(message: &$signed, scalars: &[Fr]) -> Vec<$point> {
                let base = Self::message_point(message).into();
                let scalars: Vec<[u8; 32]> = scalars.iter().map(PrimeField::to_repr).collect();
                let points = multiples(base, $projective::identity(), &scalars, |a, b| *a + *b);
                let mut affine = vec![$point::default(); points.len()];
                $projective::batch_normalize(&points, &mut affine);
                affine
            }

            fn encode_key(key: &$key) -> Vec<u8> {
                $encode_key(key)
            }

            fn decode_key(bytes: &[u8]) -> Result<$key, BlsError> {
                $decode_key(bytes)
            }

            fn encode_signature(signature: &$point) -> Vec<u8> {
                $encode(signature)
            }

            fn decode_signature(bytes: &[u8]) -> Result<$point, BlsError> {
                $decode(bytes)
            }

            fn key_coordinates(key: &$key) -> $raw_key {
                $key_coordinates(key)
            }

            fn point_coordinates(point: &$point) -> $raw_point {
                $point_coordinates(point)
            }

            fn key_numbers(key: &$raw_key) -> &[BigUint] {
                key.$key_numbers()
            }

            fn point_numbers(point: &$raw_point) -> &[BigUint] {
                point.$point_numbers()
            }
        }
    };
}

macro_rules! min_sig {
    ($suite:ident, $name:literal, $tag:expr) => {
        suite!(
            $suite, $name, $tag,
            signed: [u8], |message| hashed(message, Self::TAG),
                tags::ALL_BN254_G1, |message, tag| Some(hashed(message, tag)),
            key: G2Affine, 2, encode_second, decode_second,
            signature: G1Affine, G1, 1, encode_first, decode_first,
            pair: |point, key| (point, key),
            coordinates: TwistPoint = twist_point, as_flattened;
                         BasePoint = base_point, as_slice
        );

        #[cfg(any(test, feature = "bls"))]
        impl TaggedSuite for $suite {
            const SEARCH: Option<Search<G1Affine>> = Some(find_point);
            const KECCAK: Option<Keccak<G1Affine>> = Some(keccak_point);

            fn hashed_with(message: &[u8], tag: &Tag) -> G1Affine {
                hash_to_curve::<Bn254G1>(message, tag)
            }

            fn sign_tagged(secret: &Fr, message: &[u8], tag: &Tag) -> G1Affine {
                multiple(&Self::hashed_with(message, tag), secret)
            }
        }
    };
}

min_sig!(MinSigBasicBn254, "bn254", tags::BN254_G1);
min_sig!(MinSigPopBn254, "bn254-pop", tags::BN254_G1_PROVEN);
min_sig!(MinSigProofBn254, "bn254-possession", tags::BN254_G1_POSSESSION);
#[cfg(any(test, feature = "bls"))]
suite!(
    MinPkBn254, "bn254-min-pk", b"",
    signed: SignedPoint<Self>, |message: &SignedPoint<Self>| message.0, &[], |_, _| None,
    key: G1Affine, 1, encode_first, decode_first,
    signature: G2Affine, G2, 2, encode_second, decode_second,
    pair: |point, key| (key, point),
    coordinates: BasePoint = base_point, as_slice;
                 TwistPoint = twist_point, as_flattened
);

/// The hash of a message to G1.
fn hashed(message: &[u8], tag: &[u8]) -> G1Affine {
    let tag = Tag::new(tag).expect("a tag of less than 256 bytes");
    hash_to_curve::<Bn254G1>(message, &tag)
}

/// The same with Keccak-256 in place of SHA-256, as drand's network for the EVM hashes.
#[cfg(any(test, feature = "bls"))]
fn keccak_point(message: &[u8], tag: &Tag) -> G1Affine {
    Stages::<Bn254G1>::expanded(Expander::Keccak256, message, tag).point
}

/// s P for a secret other than zero.
fn multiple<C: CurveAffine<ScalarExt = Fr>>(point: &C, secret: &Fr) -> C {
    assert!(!bool::from(secret.is_zero()), "a secret key is not zero");
    (*point * *secret).to_affine()
}

fn sum<C: CurveAffine>(points: &[C]) -> Option<C> {
    assert!(!points.is_empty(), "there is a point");
    let sum = points.iter().fold(C::CurveExt::identity(), |sum, point| sum + *point);
    (!bool::from(sum.is_identity())).then(|| sum.to_affine())
}

fn combine<C: CurveAffine<ScalarExt = Fr>>(points: &[C], scalars: &[Fr]) -> Option<C> {
    assert!(!points.is_empty() && points.len() == scalars.len(), "a scalar a point");
    let sum = msm_best(scalars, points);
    (!bool::from(sum.is_identity())).then(|| sum.to_affine())
}

fn base_point(point: &G1Affine) -> BasePoint {
    [point.x, point.y].map(|coordinate| {
        let [number] = coordinate.coefficients();
        number
    })
}

fn twist_point(point: &G2Affine) -> TwistPoint {
    [point.x, point.y].map(|coordinate| coordinate.coefficients())
}

fn encode_first(point: &G1Affine) -> Vec<u8> {
    [point.x, point.y].iter().flat_map(to_big_endian).collect()
}

fn decode_first(bytes: &[u8]) -> Result<G1Affine, BlsError> {
    let [x, y] = coordinates(bytes)?;
    if bool::from(x.is_zero() & y.is_zero()) {
        return Err(BlsError::Identity);
    }
    // The curve is of prime order.
    G1Affine::from_xy(x, y).into_option().ok_or(BlsError::NotOnCurve)
}

fn encode_second(point: &G2Affine) -> Vec<u8> {
    // EIP-197 puts the imaginary part first.
    let Fq2 { c0: x_re, c1: x_im } = point.x;
    let Fq2 { c0: y_re, c1: y_im } = point.y;
    [x_im, x_re, y_im, y_re].iter().flat_map(to_big_endian).collect()
}

fn decode_second(bytes: &[u8]) -> Result<G2Affine, BlsError> {
    let point = on_twist(bytes)?;
    // The order times the point is 0: scalars are below the order, so order - 1 times it is its negative.
    if G2::from(point) * -Fr::ONE != -G2::from(point) {
        return Err(BlsError::NotInSubgroup);
    }
    Ok(point)
}

/// The point that bytes encode, which need not be in the subgroup.
pub(super) fn on_twist(bytes: &[u8]) -> Result<G2Affine, BlsError> {
    let [x_im, x_re, y_im, y_re] = coordinates(bytes)?;
    let (x, y) = (Fq2 { c0: x_re, c1: x_im }, Fq2 { c0: y_re, c1: y_im });
    if bool::from(x.is_zero() & y.is_zero()) {
        return Err(BlsError::Identity);
    }
    G2Affine::from_xy(x, y).into_option().ok_or(BlsError::NotOnCurve)
}

fn pairings(pairs: [(G1Affine, G2Affine); 2]) -> Gt {
    let [(p, q), (r, s)] = pairs;
    let (q, s) = (G2Prepared::from(q), G2Prepared::from(s));
    multi_miller_loop(&[(&p, &q), (&r, &s)]).final_exponentiation()
}

/// Coordinates, each of them below the modulus.
fn coordinates<const N: usize>(bytes: &[u8]) -> Result<[Fq; N], BlsError> {
    BlsError::check_length(bytes, N * COORDINATE)?;
    let mut coordinates = [Fq::ZERO; N];
    for (coordinate, bytes) in coordinates.iter_mut().zip(bytes.as_chunks().0) {
        *coordinate = from_big_endian(*bytes).ok_or(BlsError::NotOnCurve)?;
    }
    Ok(coordinates)
}
