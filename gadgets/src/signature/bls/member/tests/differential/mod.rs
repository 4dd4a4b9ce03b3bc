//! Aggregates and keys of BLS12-381 beside blst, and beside plain arithmetic on their coordinates.

mod aggregates;
mod keys;

use blst::BLST_ERROR;
use ff::{Field, PrimeField};
use halo2curves::bls12_381::{Fq, Fq2};

use super::*;
use crate::curve::pairing::samples::{with_torsion, with_twist_torsion};
use muster_schemes::{
    curve::pairing::{is_in_group, is_in_subgroup, BasePoint, TwistPoint},
    field::ExtensionField,
    signature::bls::{RawSigned, Signature},
};

/// Bytes of a number modulo the prime.
const PART: usize = 48;
/// Flags of an encoding: it is compressed, it is the identity, `y` is the larger of two.
const FLAGS: [u8; 3] = [0x80, 0x40, 0x20];

/// What other code says of a suite's bytes.
trait Peer: CiphersuiteChip<Signed = [u8], Message = HashedMessage<Self>> {
    /// The sum of blst's signatures by these secrets.
    fn signed(secrets: &[SecretKey<Self>], message: &[u8], tag: &[u8]) -> Vec<u8>;

    /// `FastAggregateVerify` of blst (section 3.3.4 of the draft).
    fn verifies(keys: &[Vec<u8>], message: &[u8], signature: &[u8]) -> Result<(), BLST_ERROR>;

    /// The equation over coordinates, by halo2curves.
    fn holds(keys: &[Vec<u8>], message: &[u8], signature: &[u8]) -> bool;

    /// `KeyValidate` of blst (section 2.5), with the key's bytes when it is not compressed.
    fn validated(bytes: &[u8]) -> Result<Vec<u8>, BLST_ERROR>;

    /// The compressed bytes of a point, wherever it is.
    fn compressed(point: &[u8]) -> Vec<u8>;

    /// The point on the curve that bytes stand for, by plain arithmetic.
    fn read(bytes: &[u8]) -> Option<Self::RawKey>;

    fn is_in_group(point: &Self::RawKey) -> bool;

    /// With a component of a small order.
    fn with_torsion(point: &Self::RawKey) -> Self::RawKey;
}

macro_rules! peer {
    (
        $suite:ident, $blst:ident, $raw_key:ident, $raw_point:ident,
        $read:ident, $is_in_group:expr, $with_torsion:expr
    ) => {
        impl Peer for $suite {
            fn signed(secrets: &[SecretKey<Self>], message: &[u8], tag: &[u8]) -> Vec<u8> {
                let sign = |secret: &SecretKey<Self>| {
                    let secret = blst::$blst::SecretKey::from_bytes(&*secret.to_bytes());
                    secret.expect("a secret").sign(message, tag, &[])
                };
                let signatures: Vec<_> = secrets.iter().map(sign).collect();
                let signatures: Vec<_> = signatures.iter().collect();
                let sum = blst::$blst::AggregateSignature::aggregate(&signatures, true);
                sum.expect("there is one").to_signature().to_bytes().to_vec()
            }

            fn verifies(
                keys: &[Vec<u8>],
                message: &[u8],
                signature: &[u8],
            ) -> Result<(), BLST_ERROR> {
                let keys = keys.iter().map(|key| blst::$blst::PublicKey::key_validate(key));
                let keys = keys.collect::<Result<Vec<_>, _>>()?;
                let keys: Vec<_> = keys.iter().collect();
                let signature = blst::$blst::Signature::from_bytes(signature)?;
                match signature.fast_aggregate_verify(true, message, Self::TAG, &keys) {
                    BLST_ERROR::BLST_SUCCESS => Ok(()),
                    error => Err(error),
                }
            }

            fn holds(keys: &[Vec<u8>], message: &[u8], signature: &[u8]) -> bool {
                let keys = keys
                    .iter()
                    .map(|key| muster_schemes::signature::bls::PublicKey::from_bytes(key));
                let keys = keys.collect::<Result<Vec<_>, _>>().expect("keys");
                let sum = muster_schemes::signature::bls::PublicKey::<Self>::sum(&keys);
                let signature = Signature::<Self>::from_bytes(signature);
                sum.zip(signature.ok()).is_some_and(|(key, signature)| {
                    let raw = RawSigned::<$raw_key, $raw_point>::of(&key, message, &signature);
                    raw.verify(PairingCurve::Bls12381).is_ok()
                })
            }

            fn validated(bytes: &[u8]) -> Result<Vec<u8>, BLST_ERROR> {
                blst::$blst::PublicKey::key_validate(bytes).map(|key| key.serialize().to_vec())
            }

            fn compressed(point: &[u8]) -> Vec<u8> {
                let point = blst::$blst::PublicKey::deserialize(point);
                point.expect("a point of the curve").to_bytes().to_vec()
            }

            fn read(bytes: &[u8]) -> Option<$raw_key> {
                $read(bytes)
            }

            fn is_in_group(point: &$raw_key) -> bool {
                $is_in_group(point)
            }

            fn with_torsion(point: &$raw_key) -> $raw_key {
                $with_torsion(point)
            }
        }
    };
}

peer!(
    MinPkPopBls12381,
    min_pk,
    BasePoint,
    TwistPoint,
    read_first,
    |point: &_| is_in_group(PairingCurve::Bls12381, point),
    with_torsion
);
peer!(
    MinSigPopBls12381,
    min_sig,
    TwistPoint,
    BasePoint,
    read_second,
    |point: &_| is_in_subgroup(PairingCurve::Bls12381.parameters(), point),
    |point: &_| with_twist_torsion(PairingCurve::Bls12381, point)
);

fn padded(part: &BigUint) -> Vec<u8> {
    let bytes = part.to_bytes_be();
    [vec![0; PART - bytes.len()], bytes].concat()
}

/// The bytes of a point that is not compressed: imaginary parts come first.
fn bytes_of<S: Ciphersuite>(point: &S::RawKey) -> Vec<u8> {
    let numbers = S::key_numbers(point);
    let coordinates = numbers.chunks(numbers.len() / 2);
    coordinates.flat_map(|parts| parts.iter().rev().flat_map(padded)).collect()
}

/// The flags of an encoding and the parts of `x`, the imaginary one first; of any bytes.
fn taken_apart(bytes: &[u8]) -> (u8, Vec<BigUint>) {
    let mut bytes = bytes.to_vec();
    let mask = FLAGS.iter().sum::<u8>();
    let flags = bytes[0] & mask;
    bytes[0] &= !mask;
    (flags, bytes.chunks(PART).map(BigUint::from_bytes_be).collect())
}

/// Bytes with these flags and parts.
fn put_together(flags: u8, parts: &[BigUint]) -> Vec<u8> {
    let mut bytes: Vec<u8> = parts.iter().flat_map(padded).collect();
    bytes[0] |= flags;
    bytes
}

fn prime() -> &'static BigUint {
    let p = BigUint::from_bytes_le((-Fq::ONE).to_repr().as_ref()) + 1u8;
    assert_eq!(p, PairingCurve::Bls12381.parameters().p);
    &PairingCurve::Bls12381.parameters().p
}

fn element(number: &BigUint) -> Fq {
    let mut repr = <Fq as PrimeField>::Repr::default();
    let bytes = number.to_bytes_le();
    repr.as_mut()[..bytes.len()].copy_from_slice(&bytes);
    Fq::from_repr(repr).expect("it is reduced")
}

/// The parts of `x`, each below the prime, and whether `y` is the larger one, of bytes that are compressed and not the identity.
fn read_parts<const N: usize>(bytes: &[u8]) -> Option<([BigUint; N], bool)> {
    if bytes.len() != N * PART {
        return None;
    }
    let (flags, parts) = taken_apart(bytes);
    let is_larger = match flags {
        0x80 => false,
        0xa0 => true,
        _ => return None,
    };
    let parts: [BigUint; N] = parts.try_into().expect("as many as there are bytes for");
    parts.iter().all(|part| part < prime()).then_some((parts, is_larger))
}

fn read_first(bytes: &[u8]) -> Option<BasePoint> {
    let ([x], is_larger) = read_parts(bytes)?;
    let y = (element(&x).pow([3]) + Fq::from(4)).sqrt().into_option()?;
    let [y] = y.coefficients();
    let opposite = prime() - &y;
    let [smaller, larger] = if y < opposite { [y, opposite] } else { [opposite, y] };
    Some([x, if is_larger { larger } else { smaller }])
}

fn read_second(bytes: &[u8]) -> Option<TwistPoint> {
    let ([im, re], is_larger) = read_parts(bytes)?;
    let x = Fq2 { c0: element(&re), c1: element(&im) };
    let four = Fq::from(4);
    let y = (x.square() * x + Fq2 { c0: four, c1: four }).sqrt().into_option()?;
    // Imaginary parts count first.
    let both = [y, -y].map(|y| y.coefficients());
    let order = |[re, im]: &[BigUint; 2]| (im.clone(), re.clone());
    let larger = both.iter().max_by_key(|y| order(y)).expect("two");
    let smaller = both.iter().min_by_key(|y| order(y)).expect("two");
    Some([[re, im], if is_larger { larger } else { smaller }.clone()])
}
