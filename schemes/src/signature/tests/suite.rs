//! One suite for every scheme over Baby Jubjub: what must verify and what must not.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_core::{CryptoRng, RngCore};

use crate::curve::edwards::{torsion_point, AffinePoint, Point, PointError, Scalar, SubgroupPoint};
use crate::signature::{
    signature_from_parts, RawSignature, Signature, SignatureError, SignatureScheme,
};

/// A generator that returns one byte for ever.
pub(crate) struct BrokenRng(pub(crate) u8);

impl RngCore for BrokenRng {
    fn next_u32(&mut self) -> u32 {
        u32::from_le_bytes([self.0; 4])
    }

    fn next_u64(&mut self) -> u64 {
        u64::from_le_bytes([self.0; 8])
    }

    fn fill_bytes(&mut self, dest: &mut [u8]) {
        dest.fill(self.0);
    }

    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), rand_core::Error> {
        dest.fill(self.0);
        Ok(())
    }
}

impl CryptoRng for BrokenRng {}

pub(crate) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

pub(crate) fn run<S>()
where
    S: SignatureScheme<Message = Fr, PublicKey = SubgroupPoint, Signature = Signature>,
{
    accepts::<S>();
    refuses_other_messages_and_keys::<S>();
    refuses_every_flipped_bit::<S>();
    refuses_bad_responses::<S>();
    refuses_bad_points::<S>();
}

fn sample<S>(seed: u64) -> (SubgroupPoint, Fr, Signature)
where
    S: SignatureScheme<Message = Fr, PublicKey = SubgroupPoint, Signature = Signature>,
{
    let mut rng = rng(seed);
    let secret_key = S::keygen(&mut rng);
    let message = Fr::random(&mut rng);
    let signature = S::sign(&secret_key, &message, &mut rng);
    (S::public_key(&secret_key), message, signature)
}

fn accepts<S>()
where
    S: SignatureScheme<Message = Fr, PublicKey = SubgroupPoint, Signature = Signature>,
{
    for seed in 0..8 {
        let (key, message, signature) = sample::<S>(seed);
        assert_eq!(S::verify(&key, &message, &signature), Ok(()));
        let bytes = S::encode_signature(&signature);
        assert_eq!(S::decode_signature(&bytes), Ok(signature));
        assert_eq!(S::decode_public_key(&S::encode_public_key(&key)), Ok(key));
        assert_eq!(Signature::try_from(RawSignature::from(signature)), Ok(signature));
    }
    for message in [Fr::ZERO, Fr::ONE, -Fr::ONE] {
        let secret_key = S::secret_key_from_seed(&[7; 32]).unwrap();
        let signature = S::sign(&secret_key, &message, &mut rng(1));
        assert_eq!(S::verify(&S::public_key(&secret_key), &message, &signature), Ok(()));
    }
}

fn refuses_other_messages_and_keys<S>()
where
    S: SignatureScheme<Message = Fr, PublicKey = SubgroupPoint, Signature = Signature>,
{
    let (key, message, signature) = sample::<S>(1);
    let (other_key, other_message, other) = sample::<S>(2);
    let refused = Err(SignatureError::Equation);
    assert_eq!(S::verify(&other_key, &message, &signature), refused);
    assert_eq!(S::verify(&key, &other_message, &signature), refused);
    assert_eq!(S::verify(&key, &(message + Fr::ONE), &signature), refused);
    assert_eq!(S::verify(&key, &message, &other), refused);
    let negated = SubgroupPoint::from_affine(-key.to_affine()).unwrap();
    assert_eq!(S::verify(&negated, &message, &signature), refused);
    let swapped = Signature::new(other.r(), signature.s());
    assert_eq!(S::verify(&key, &message, &swapped), refused);
}

fn refuses_every_flipped_bit<S>()
where
    S: SignatureScheme<Message = Fr, PublicKey = SubgroupPoint, Signature = Signature>,
{
    let (key, message, signature) = sample::<S>(3);
    for bit in 0..512 {
        let mut bytes = S::encode_signature(&signature);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let verdict = S::decode_signature(&bytes).and_then(|s| S::verify(&key, &message, &s));
        assert!(verdict.is_err(), "bit {bit}");
    }
    for bit in 0..256 {
        let mut bytes = S::encode_public_key(&key);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let verdict =
            S::decode_public_key(&bytes).and_then(|k| S::verify(&k, &message, &signature));
        assert!(verdict.is_err(), "bit {bit}");
    }
}

fn refuses_bad_responses<S>()
where
    S: SignatureScheme<Message = Fr, PublicKey = SubgroupPoint, Signature = Signature>,
{
    let (key, message, signature) = sample::<S>(4);
    let order = BigUint::from_bytes_le(&(-Scalar::ONE).to_bytes()) + 1u8;
    let s = BigUint::from_bytes_le(&signature.s().to_bytes());
    for integer in
        [order.clone(), &s + &order, &s + &order * 2u8, (BigUint::from(1u8) << 256) - 1u8]
    {
        let mut bytes = integer.to_bytes_le();
        bytes.resize(32, 0);
        let mut encoded = signature.r().to_bytes().to_vec();
        encoded.extend(&bytes);
        assert_eq!(S::decode_signature(&encoded), Err(SignatureError::ScalarNotReduced));
        let (x, y) = (signature.r().x(), signature.r().y());
        let parts = signature_from_parts(x, y, &bytes.try_into().unwrap());
        assert_eq!(parts, Err(SignatureError::ScalarNotReduced));
    }
    for s in [Scalar::ZERO, Scalar::ONE, -signature.s(), signature.s() + Scalar::ONE] {
        let forged = Signature::new(signature.r(), s);
        assert_eq!(S::verify(&key, &message, &forged), Err(SignatureError::Equation));
    }
    for found in [0, 63, 65] {
        let expected = SignatureError::WrongLength { expected: 64, found };
        assert_eq!(S::decode_signature(&vec![1; found]), Err(expected));
    }
}

fn refuses_bad_points<S>()
where
    S: SignatureScheme<Message = Fr, PublicKey = SubgroupPoint, Signature = Signature>,
{
    let (key, _, signature) = sample::<S>(5);
    let torsion = Point::from(torsion_point());
    let mixed = |p: SubgroupPoint| (Point::from(p) + torsion).to_affine().to_bytes();
    let small = |n: usize| (0..n).map(|_| torsion).sum::<Point>().to_affine().to_bytes();
    let mut off_curve = Fr::ZERO;
    while AffinePoint::from_bytes(off_curve.to_repr().as_ref()).is_ok() {
        off_curve += Fr::ONE;
    }
    let mut bad = vec![
        (AffinePoint::identity().to_bytes(), PointError::Identity),
        (mixed(key), PointError::NotInSubgroup),
        (mixed(signature.r()), PointError::NotInSubgroup),
        (off_curve.to_repr(), PointError::OffCurve),
        ([0xff; 32], PointError::NonCanonical),
    ];
    bad.extend((1..8).map(|n| (small(n), PointError::NotInSubgroup)));
    for (bytes, error) in bad {
        assert_eq!(S::decode_public_key(&bytes), Err(SignatureError::PublicKey(error)));
        let mut encoded = bytes.to_vec();
        encoded.extend(signature.s().to_bytes());
        assert_eq!(S::decode_signature(&encoded), Err(SignatureError::Nonce(error)));
    }
    assert_eq!(
        S::decode_public_key(&[1; 31]),
        Err(SignatureError::PublicKey(PointError::WrongLength(31)))
    );
    assert_eq!(
        signature_from_parts(Fr::ONE, Fr::ONE, &[1; 32]),
        Err(SignatureError::Nonce(PointError::OffCurve))
    );
}
