//! BN254 by halo2curves: signatures in G1, public keys in G2, coordinates in the order of EIP-197.
//!
//! Messages are hashed to G1 as in RFC 9380, with the map of Shallue and van de Woestijne (section
//! 6.6.1) and SHA-256: the suite `BN254G1_XMD:SHA-256_SVDW_RO_` of gnark-crypto and others.

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
    multiples::multiples,
    raw::Coordinates,
    scheme::{Sign, Suite},
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

impl Bn254 {
    /// The hash of a message to the curve.
    fn hash(message: &[u8]) -> G1Affine {
        let tag = Tag::new(Self::TAG).expect("a tag of less than 256 bytes");
        hash_to_curve::<Bn254G1>(message, &tag)
    }
}

impl Coordinates for Bn254 {
    type RawKey = TwistPoint;
    type RawPoint = BasePoint;
    const CURVE: PairingCurve = PairingCurve::Bn254;

    fn key_coordinates(key: &G2Affine) -> TwistPoint {
        [key.x, key.y].map(|coordinate| coordinate.coefficients())
    }

    fn point_coordinates(point: &G1Affine) -> BasePoint {
        [point.x, point.y].map(|coordinate| {
            let [number] = coordinate.coefficients();
            number
        })
    }

    fn message_point(message: &[u8]) -> G1Affine {
        Self::hash(message)
    }
}

impl Suite for Bn254 {
    const NAME: &'static str = "bn254";
    const TAG: &'static [u8] = tags::BN254_G1;
    type Scalar = Fr;
    type Key = G2Affine;
    type Point = G1Affine;
    type Target = Gt;

    fn public_key(secret: &Fr) -> G2Affine {
        assert!(!bool::from(secret.is_zero()), "a secret key is not zero");
        (G2Affine::generator() * secret).to_affine()
    }

    fn sign(secret: &Fr, message: &[u8]) -> G1Affine {
        assert!(!bool::from(secret.is_zero()), "a secret key is not zero");
        (Self::hash(message) * secret).to_affine()
    }

    fn verify(key: &G2Affine, message: &[u8], signature: &G1Affine) -> bool {
        let hash = Self::hash(message);
        pairings([(*signature, -G2Affine::generator()), (hash, *key)]) == Self::one()
    }

    fn combine(points: &[G1Affine], scalars: &[Fr]) -> Option<G1Affine> {
        assert!(!points.is_empty() && points.len() == scalars.len(), "a scalar a point");
        let sum = msm_best(scalars, points);
        (!bool::from(sum.is_identity())).then(|| sum.to_affine())
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
        // Of both first factors the inverse.
        let (signature, hash) = match sign {
            Sign::Plus => (signature, Self::hash(message)),
            Sign::Minus => (-signature, -Self::hash(message)),
        };
        pairings([(signature.to_affine(), -G2Affine::generator()), (hash, key.to_affine())])
    }

    fn product(a: &Gt, b: &Gt) -> Gt {
        // The group is written additively there.
        a + b
    }

    fn one() -> Gt {
        Gt::identity()
    }

    fn multiples(message: &[u8], scalars: &[Fr]) -> Vec<G1Affine> {
        let base = Self::hash(message).into();
        let scalars: Vec<[u8; 32]> = scalars.iter().map(PrimeField::to_repr).collect();
        let points = multiples(base, G1::identity(), &scalars, |a, b| *a + *b);
        let mut affine = vec![G1Affine::default(); points.len()];
        G1::batch_normalize(&points, &mut affine);
        affine
    }

    fn encode_key(key: &G2Affine) -> Vec<u8> {
        // EIP-197 puts the imaginary part first.
        let Fq2 { c0: x_re, c1: x_im } = key.x;
        let Fq2 { c0: y_re, c1: y_im } = key.y;
        [x_im, x_re, y_im, y_re].iter().flat_map(big_endian).collect()
    }

    fn decode_key(bytes: &[u8]) -> Result<G2Affine, BlsError> {
        let [x_im, x_re, y_im, y_re] = coordinates(bytes)?;
        let (x, y) = (Fq2 { c0: x_re, c1: x_im }, Fq2 { c0: y_re, c1: y_im });
        if bool::from(x.is_zero() & y.is_zero()) {
            return Err(BlsError::Identity);
        }
        let point = G2Affine::from_xy(x, y).into_option().ok_or(BlsError::NotOnCurve)?;
        // The order times the point, by one less and one more: scalars are below the order.
        if G2::from(point) * -Fr::ONE != -G2::from(point) {
            return Err(BlsError::NotInSubgroup);
        }
        Ok(point)
    }

    fn encode_signature(signature: &G1Affine) -> Vec<u8> {
        [signature.x, signature.y].iter().flat_map(big_endian).collect()
    }

    fn decode_signature(bytes: &[u8]) -> Result<G1Affine, BlsError> {
        let [x, y] = coordinates(bytes)?;
        if bool::from(x.is_zero() & y.is_zero()) {
            return Err(BlsError::Identity);
        }
        // The curve is of prime order.
        G1Affine::from_xy(x, y).into_option().ok_or(BlsError::NotOnCurve)
    }
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
