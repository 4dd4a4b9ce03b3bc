//! BN254 by halo2curves: signatures in G1, public keys in G2, coordinates in the order of EIP-197; and the other way round for
//! messages that are points of G2.
//!
//! Other messages are hashed to G1 as in RFC 9380, with the map of Shallue and van de Woestijne (section
//! 6.6.1) and SHA-256: the suite `BN254G1_XMD:SHA-256_SVDW_RO_` of gnark-crypto and others.

use std::{fmt::Debug, iter};

use ff::{Field, PrimeField};
use halo2curves::{
    bn256::{multi_miller_loop, Fq, Fq2, Fr, G1Affine, G2Affine, G2Prepared, Gt, G1, G2},
    group::{Curve, Group},
    msm::msm_best,
    pairing::MillerLoopResult,
    CurveAffine,
};

use super::{
    error::BlsError,
    message_group::MessageGroup,
    multiples::multiples,
    raw::Coordinates,
    scheme::{Groups, Sign, Suite},
    tags,
};
use crate::{
    curve::{
        aggregate::Coefficients,
        pairing::{BasePoint, PairingCurve, TwistPoint},
    },
    hash::to_curve::{hash_to_curve, Bn254G1, Tag},
};

/// Bytes of a coordinate over the prime field.
const COORDINATE: usize = 32;

/// BN254 with signatures of 64 bytes in G1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bn254;

/// The same under the tag of signers who prove possession of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenBn254;

/// Their proofs of possession: signatures on the encoding of one's own key, under a tag for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bn254Possession;

/// A use of signatures in G1.
pub trait Tagged: Copy + Debug + Eq + Send + Sync + 'static {
    /// [`Suite::NAME`].
    const NAME: &'static str;
    /// [`Suite::TAG`].
    const TAG: &'static [u8];
}

impl Tagged for Bn254 {
    const NAME: &'static str = "bn254";
    const TAG: &'static [u8] = tags::BN254_G1;
}

impl Tagged for ProvenBn254 {
    const NAME: &'static str = "bn254-pop";
    const TAG: &'static [u8] = tags::BN254_G1_PROVEN;
}

impl Tagged for Bn254Possession {
    const NAME: &'static str = "bn254-possession";
    const TAG: &'static [u8] = tags::BN254_G1_POSSESSION;
}

impl<T: Tagged> Coordinates for T {
    type RawKey = TwistPoint;
    type RawPoint = BasePoint;
    const CURVE: PairingCurve = PairingCurve::Bn254;
    const GROUP: MessageGroup = MessageGroup::new(PairingCurve::Bn254, 1);

    fn key_coordinates(key: &G2Affine) -> TwistPoint {
        twist_point(key)
    }

    fn point_coordinates(point: &G1Affine) -> BasePoint {
        base_point(point)
    }

    fn decode_coordinates(bytes: &[u8]) -> Result<G1Affine, BlsError> {
        decode_first(bytes)
    }
}

impl<T: Tagged> Groups for T {
    type Scalar = Fr;
    type Key = G2Affine;
    type Point = G1Affine;
    const KEY_BYTES: usize = 4 * COORDINATE;
    const SIGNATURE_BYTES: usize = 2 * COORDINATE;

    fn public_key(secret: &Fr) -> G2Affine {
        multiple(&G2Affine::generator(), secret)
    }

    fn sum_of_keys(keys: &[G2Affine]) -> Option<G2Affine> {
        sum(keys)
    }

    fn combine(points: &[G1Affine], scalars: &[Fr]) -> Option<G1Affine> {
        combine(points, scalars)
    }

    fn is_multiple(key: &G2Affine, point: &G1Affine, signature: &G1Affine) -> bool {
        pairings([(*signature, -G2Affine::generator()), (*point, *key)]) == Gt::identity()
    }

    fn encode_key(key: &G2Affine) -> Vec<u8> {
        encode_second(key)
    }

    fn decode_key(bytes: &[u8]) -> Result<G2Affine, BlsError> {
        decode_second(bytes)
    }

    fn encode_signature(signature: &G1Affine) -> Vec<u8> {
        encode_first(signature)
    }

    fn decode_signature(bytes: &[u8]) -> Result<G1Affine, BlsError> {
        decode_first(bytes)
    }
}

impl<T: Tagged> Suite for T {
    const NAME: &'static str = <T as Tagged>::NAME;
    const TAG: &'static [u8] = <T as Tagged>::TAG;
    type Target = Gt;

    fn message_point(message: &[u8]) -> G1Affine {
        let tag = Tag::new(<T as Tagged>::TAG).expect("a tag of less than 256 bytes");
        hash_to_curve::<Bn254G1>(message, &tag)
    }

    fn sign(secret: &Fr, message: &[u8]) -> G1Affine {
        multiple(&Self::message_point(message), secret)
    }

    fn verify(key: &G2Affine, message: &[u8], signature: &G1Affine) -> bool {
        Self::is_multiple(key, &Self::message_point(message), signature)
    }

    fn cancel(keys: &[G2Affine], scalars: &[Fr]) -> bool {
        assert!(!keys.is_empty() && keys.len() == scalars.len(), "a scalar a key");
        msm_best(scalars, keys).is_identity().into()
    }

    fn discrepancy(
        message: &[u8],
        signatures: &[G1Affine],
        keys: &[G2Affine],
        scalars: &[u128],
        sign: Sign,
    ) -> Gt {
        assert!(!keys.is_empty() && keys.len() == scalars.len(), "a scalar a key");
        assert_eq!(signatures.len(), scalars.len(), "a scalar a signature");
        let scalars: Vec<Fr> = scalars.iter().map(|&scalar| Fr::from_u128(scalar)).collect();
        let (signature, key) = (msm_best(&scalars, signatures), msm_best(&scalars, keys));
        // `Minus` inverts both pairings by negating their first arguments.
        let (signature, hash) = match sign {
            Sign::Plus => (signature, Self::message_point(message)),
            Sign::Minus => (-signature, -Self::message_point(message)),
        };
        pairings([(signature.to_affine(), -G2Affine::generator()), (hash, key.to_affine())])
    }

    fn verify_each(signed: &[(G2Affine, Vec<u8>, G1Affine)], coefficients: &[u128]) -> bool {
        assert!(!signed.is_empty() && signed.len() == coefficients.len(), "a scalar a signature");
        let scalars: Vec<Fr> = coefficients.iter().map(|&scalar| Fr::from_u128(scalar)).collect();
        let signatures: Vec<_> = signed.iter().map(|(.., signature)| *signature).collect();
        let hashes = signed.iter().zip(&scalars).map(|((key, message, _), scalar)| {
            ((Self::message_point(message) * scalar).to_affine(), G2Prepared::from(*key))
        });
        let sum = msm_best(&scalars, &signatures).to_affine();
        let all = iter::once((sum, G2Prepared::from(-G2Affine::generator()))).chain(hashes);
        let all: Vec<_> = all.collect();
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

    fn multiples(message: &[u8], scalars: &[Fr]) -> Vec<G1Affine> {
        let base = Self::message_point(message).into();
        let scalars: Vec<[u8; 32]> = scalars.iter().map(PrimeField::to_repr).collect();
        let points = multiples(base, G1::identity(), &scalars, |a, b| *a + *b);
        let mut affine = vec![G1Affine::default(); points.len()];
        G1::batch_normalize(&points, &mut affine);
        affine
    }
}

/// s P for a secret other than zero.
pub(super) fn multiple<C: CurveAffine<ScalarExt = Fr>>(point: &C, secret: &Fr) -> C {
    assert!(!bool::from(secret.is_zero()), "a secret key is not zero");
    (*point * *secret).to_affine()
}

pub(super) fn sum<C: CurveAffine>(points: &[C]) -> Option<C> {
    assert!(!points.is_empty(), "there is a point");
    let sum = points.iter().fold(C::CurveExt::identity(), |sum, point| sum + *point);
    (!bool::from(sum.is_identity())).then(|| sum.to_affine())
}

pub(super) fn combine<C: CurveAffine<ScalarExt = Fr>>(points: &[C], scalars: &[Fr]) -> Option<C> {
    assert!(!points.is_empty() && points.len() == scalars.len(), "a scalar a point");
    let sum = msm_best(scalars, points);
    (!bool::from(sum.is_identity())).then(|| sum.to_affine())
}

pub(super) fn base_point(point: &G1Affine) -> BasePoint {
    [point.x, point.y].map(|coordinate| {
        let [number] = coordinate.coefficients();
        number
    })
}

pub(super) fn twist_point(point: &G2Affine) -> TwistPoint {
    [point.x, point.y].map(|coordinate| coordinate.coefficients())
}

pub(super) fn encode_first(point: &G1Affine) -> Vec<u8> {
    [point.x, point.y].iter().flat_map(big_endian).collect()
}

pub(super) fn decode_first(bytes: &[u8]) -> Result<G1Affine, BlsError> {
    let [x, y] = coordinates(bytes)?;
    if bool::from(x.is_zero() & y.is_zero()) {
        return Err(BlsError::Identity);
    }
    // The curve is of prime order.
    G1Affine::from_xy(x, y).into_option().ok_or(BlsError::NotOnCurve)
}

pub(super) fn encode_second(point: &G2Affine) -> Vec<u8> {
    // EIP-197 puts the imaginary part first.
    let Fq2 { c0: x_re, c1: x_im } = point.x;
    let Fq2 { c0: y_re, c1: y_im } = point.y;
    [x_im, x_re, y_im, y_re].iter().flat_map(big_endian).collect()
}

pub(super) fn decode_second(bytes: &[u8]) -> Result<G2Affine, BlsError> {
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

/// Whether `multiple` is to `point` what `key` is to the generator of G1: `e(key, point) = e(g, multiple)`.
#[cfg(any(test, feature = "bls"))]
pub(super) fn is_multiple(key: &G1Affine, (point, multiple): (&G2Affine, &G2Affine)) -> bool {
    pairings([(*key, *point), (-G1Affine::generator(), *multiple)]) == Gt::identity()
}

fn pairings(pairs: [(G1Affine, G2Affine); 2]) -> Gt {
    let [(p, q), (r, s)] = pairs;
    let (q, s) = (G2Prepared::from(q), G2Prepared::from(s));
    multi_miller_loop(&[(&p, &q), (&r, &s)]).final_exponentiation()
}

fn big_endian(coordinate: &Fq) -> [u8; COORDINATE] {
    let mut bytes = coordinate.to_repr();
    bytes.reverse();
    bytes
}

/// Coordinates, each of them below the modulus.
fn coordinates<const N: usize>(bytes: &[u8]) -> Result<[Fq; N], BlsError> {
    let (expected, found) = (N * COORDINATE, bytes.len());
    if found != expected {
        return Err(BlsError::Length { expected, found });
    }
    let mut coordinates = [Fq::ZERO; N];
    for (coordinate, bytes) in coordinates.iter_mut().zip(bytes.chunks_exact(COORDINATE)) {
        let mut little = [0; COORDINATE];
        little.copy_from_slice(bytes);
        little.reverse();
        *coordinate = Fq::from_repr(little).into_option().ok_or(BlsError::NotOnCurve)?;
    }
    Ok(coordinates)
}
