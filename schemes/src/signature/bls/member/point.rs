//! Keys in G1 of BN254, and messages that are points of G2.

use ff::PrimeField;
use halo2curves::bn256::{Fr, G2Affine};

use super::suite::{bn254_secret, Possession, Words};
use crate::signature::{
    bls::{
        bn254::MinPkBn254, Ciphersuite, MinSigProofBn254, PublicKey, SecretKey, Signature,
        SignedPoint,
    },
    KeyFormat, PointHash,
};

/// A proof of possession of `s·g` in G1: `s·g` in G2, which has the same secret by `e(s·g, g) = e(g, s·g)`, and its
/// signature in G1 on the encoding of the key.
impl Possession for MinPkBn254 {
    const SCHEME: &'static str = "bls-bn254";
    const NAME_DOMAIN: &'static str = "muster.key.bn254-g1.v1";
    const LEAF: KeyFormat = KeyFormat::new(3, "muster.leaf.bn254-g1.v1");
    const PROOF_BYTES: usize = MinSigProofBn254::KEY_BYTES + MinSigProofBn254::SIGNATURE_BYTES;
    type Message = SignedPoint<Self>;
    type Proof = (PublicKey<MinSigProofBn254>, Signature<MinSigProofBn254>);

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
        let prover = SecretKey::<MinSigProofBn254>::from_scalar(&secret.scalar());
        let prover = prover.expect("it is the scalar of a secret");
        (prover.public_key(), prover.sign(&key))
    }

    fn read_proof(bytes: &[u8]) -> Option<Self::Proof> {
        let (prover, proof) = bytes.split_at_checked(MinSigProofBn254::KEY_BYTES)?;
        let prover = PublicKey::<MinSigProofBn254>::from_bytes(prover).ok()?;
        Some((prover, Signature::from_bytes(proof).ok()?))
    }

    fn are_proofs(owned: &[(PublicKey<Self>, Self::Proof)], coefficients: &[u128]) -> bool {
        let scalars: Vec<_> = coefficients.iter().map(|&scalar| Fr::from_u128(scalar)).collect();
        let keys: Vec<_> = owned.iter().map(|(key, _)| key.0).collect();
        let provers: Vec<_> = owned.iter().map(|(_, (prover, _))| prover.0).collect();
        let key = MinSigProofBn254::combine(&keys, &scalars);
        let prover = Self::combine(&provers, &scalars);
        // A sum that is the identity is as unlikely as one that hides what is wrong.
        let is_same = key
            .zip(prover)
            .is_some_and(|(key, prover)| Self::is_multiple(&key, &G2Affine::generator(), &prover));
        let keys: Vec<_> = owned.iter().map(|(key, _)| key.to_bytes()).collect();
        let signed =
            owned.iter().zip(&keys).map(|((_, (prover, proof)), key)| (*prover, &key[..], *proof));
        is_same && PublicKey::verify_each(signed, coefficients)
    }

    fn proof_to_bytes((prover, proof): &Self::Proof) -> Vec<u8> {
        [prover.to_bytes(), proof.to_bytes()].concat()
    }
}
