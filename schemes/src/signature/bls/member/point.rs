//! Keys in G1 of BN254, and messages that are points of G2.

use ff::PrimeField;
use halo2curves::bn256::{Fr, G1Affine, G2Affine};

use super::suite::{bn254_secret, MemberSuite, Named, Words};
use crate::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    signature::{
        bls::{
            bn254, message_group::MessageGroup, BlsError, Bn254Possession, Coordinates, Groups,
            PublicKey, SecretKey, Signature, SignedPoint,
        },
        KeyFormat, PointHash,
    },
};

/// BN254 with keys of 64 bytes in G1 and signatures of 128 bytes in G2. A message is a point of G2 already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bn254PublicKey;

impl Groups for Bn254PublicKey {
    type Scalar = Fr;
    type Key = G1Affine;
    type Point = G2Affine;
    const KEY_BYTES: usize = Bn254Possession::SIGNATURE_BYTES;
    const SIGNATURE_BYTES: usize = Bn254Possession::KEY_BYTES;

    fn public_key(secret: &Fr) -> G1Affine {
        bn254::multiple(&G1Affine::generator(), secret)
    }

    fn sum_of_keys(keys: &[G1Affine]) -> Option<G1Affine> {
        bn254::sum(keys)
    }

    fn combine(points: &[G2Affine], scalars: &[Fr]) -> Option<G2Affine> {
        bn254::combine(points, scalars)
    }

    fn is_multiple(key: &G1Affine, point: &G2Affine, signature: &G2Affine) -> bool {
        bn254::is_multiple(key, (point, signature))
    }

    fn encode_key(key: &G1Affine) -> Vec<u8> {
        bn254::encode_first(key)
    }

    fn decode_key(bytes: &[u8]) -> Result<G1Affine, BlsError> {
        bn254::decode_first(bytes)
    }

    fn encode_signature(signature: &G2Affine) -> Vec<u8> {
        bn254::encode_second(signature)
    }

    fn decode_signature(bytes: &[u8]) -> Result<G2Affine, BlsError> {
        bn254::decode_second(bytes)
    }
}

impl Coordinates for Bn254PublicKey {
    type RawKey = BasePoint;
    type RawPoint = TwistPoint;
    const CURVE: PairingCurve = PairingCurve::Bn254;
    const GROUP: MessageGroup = MessageGroup::new(PairingCurve::Bn254, 2);

    fn key_coordinates(key: &G1Affine) -> BasePoint {
        bn254::base_point(key)
    }

    fn point_coordinates(point: &G2Affine) -> TwistPoint {
        bn254::twist_point(point)
    }

    fn decode_coordinates(bytes: &[u8]) -> Result<G2Affine, BlsError> {
        bn254::decode_second(bytes)
    }
}

impl Named for Bn254PublicKey {
    const SCHEME: &'static str = "bls-bn254";
    const NAME_DOMAIN: &'static str = "muster.key.bn254-g1.v1";
    const LEAF: KeyFormat = KeyFormat::new(3, "muster.leaf.bn254-g1.v1");

    fn words() -> Words {
        Words {
            curve: "BN254, keys in G1 and signatures in G2",
            key: "the point, both coordinates",
            proof: "the key of the same secret in G2, in the order of EIP-197, and a signature of \
                    64 bytes by it in G1 on the bytes of the key, with a tag for nothing else",
            message: "128 bytes: a point m of G2, in the subgroup and not the identity, with \
                      coordinates in the order of EIP-197. No standard hashes to G2 of BN254: signers \
                      and whoever verifies hash the message to it themselves, by a hash of which \
                      nobody knows logarithms, and compare the point",
            signature: "the sum of their signatures, with coordinates in the order of EIP-197",
            equation: "e(ΣA, m) = e(g, σ)".to_owned(),
            elsewhere: "count if the point is the same: a signature has no tag but that of the hash \
                        to the point",
        }
    }

    fn secret_of_seed(seed: &[u8; 32]) -> Fr {
        bn254_secret(seed)
    }
}

/// A proof of possession of `s·g` in G1: `s·g` in G2, which has the same secret by `e(s·g, g) = e(g, s·g)`, and its
/// signature in G1 on the encoding of the key.
impl MemberSuite for Bn254PublicKey {
    const PROOF_BYTES: usize = Bn254Possession::KEY_BYTES + Bn254Possession::SIGNATURE_BYTES;
    type Message = SignedPoint<Self>;
    type Proof = (PublicKey<Bn254Possession>, Signature<Bn254Possession>);

    fn signed_point(message: &SignedPoint<Self>, _: PointHash) -> SignedPoint<Self> {
        *message
    }

    fn sign_message(
        secret: &SecretKey<Self>,
        message: &SignedPoint<Self>,
        _: PointHash,
    ) -> Signature<Self> {
        message.signed_by(secret)
    }

    fn prove(secret: &SecretKey<Self>) -> Self::Proof {
        let key = secret.public_key().to_bytes();
        let prover = SecretKey::<Bn254Possession>::from_scalar(&secret.scalar());
        let prover = prover.expect("it is the scalar of a secret");
        (prover.public_key(), prover.sign(&key))
    }

    fn read_proof(bytes: &[u8]) -> Option<Self::Proof> {
        let (prover, proof) = bytes.split_at_checked(Bn254Possession::KEY_BYTES)?;
        let prover = PublicKey::<Bn254Possession>::from_bytes(prover).ok()?;
        Some((prover, Signature::from_bytes(proof).ok()?))
    }

    fn are_proofs(owned: &[(PublicKey<Self>, Self::Proof)], coefficients: &[u128]) -> bool {
        let scalars: Vec<_> = coefficients.iter().map(|&scalar| Fr::from_u128(scalar)).collect();
        let keys: Vec<_> = owned.iter().map(|(key, _)| key.0).collect();
        let provers: Vec<_> = owned.iter().map(|(_, (prover, _))| prover.0).collect();
        let (key, prover) = (bn254::combine(&keys, &scalars), bn254::combine(&provers, &scalars));
        // A sum that is the identity is as unlikely as one that hides what is wrong.
        let is_same = key.zip(prover).is_some_and(|(key, prover)| {
            bn254::is_multiple(&key, (&G2Affine::generator(), &prover))
        });
        let signed = owned.iter().map(|(key, (prover, proof))| (*prover, key.to_bytes(), *proof));
        is_same && PublicKey::verify_each(signed, coefficients)
    }

    fn proof_to_bytes((prover, proof): &Self::Proof) -> Vec<u8> {
        [prover.to_bytes(), proof.to_bytes()].concat()
    }
}
