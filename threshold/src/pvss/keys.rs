//! A player's two keys, each with its proof of possession.
//!
//! Shares are encrypted under ek = dk·H. All players' ciphertexts share their randomness, so
//! a player that could choose ek as a function of others' keys would learn relations between
//! their shares: a Schnorr proof to base H, bound to both keys, shows that the player knows dk. The
//! signing key is a BLS key of draft-irtf-cfrg-bls-signature's min-pk suite, with the proof of that
//! draft (section 3.3).

use blst::{
    min_pk::{PublicKey, SecretKey, Signature},
    BLST_ERROR,
};
use ff::Field as _;
use group::{prime::PrimeCurveAffine, Curve};
use muster_schemes::signature::bls::tags;
use rand_core::CryptoRngCore;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{bases, challenge::Challenger, error::KeyKind, Error};
use crate::{
    bls::random,
    pairing_curve::{
        decode_g1, multiply_g1, scalar, scalar_bytes, Fr, G1Affine, PointFault, Secret, G1_BYTES,
    },
};

/// Bytes of a signature.
pub const SIGNATURE_BYTES: usize = 96;
const ENCRYPTION_TAG: &[u8] = b"MUSTER-PVSS-V1-POSSESSION";

/// A player's secrets.
#[derive(Clone)]
pub struct SecretKeys {
    pub(super) decryption: Secret<Fr>,
    signing: SecretKey,
}

/// A player's keys as it publishes them: unchecked bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBundle {
    /// ek = dk·H, compressed.
    pub encryption_key: [u8; G1_BYTES],
    /// The nonce and the answer of the proof that the player knows dk.
    pub encryption_proof: [u8; G1_BYTES + 32],
    /// The key that dealings are signed with, compressed.
    pub signing_key: [u8; G1_BYTES],
    /// The signing key's signature on itself.
    pub signing_proof: [u8; SIGNATURE_BYTES],
}

/// Keys whose proofs of possession verified.
#[derive(Clone, Copy, Debug)]
pub struct PlayerKeys {
    pub(crate) encryption: G1Affine,
    pub(crate) signing: PublicKey,
    pub(crate) bytes: [[u8; G1_BYTES]; 2],
}

impl SecretKeys {
    /// Fresh keys.
    pub fn generate(rng: &mut impl CryptoRngCore) -> Self {
        loop {
            let decryption = Secret::new(random(rng));
            let mut seed = Zeroizing::new([0; 32]);
            rng.fill_bytes(seed.as_mut());
            if let Ok(signing) = SecretKey::key_gen(seed.as_ref(), &[]) {
                return Self { decryption, signing };
            }
        }
    }

    /// From the decryption key, 32 bytes, little-endian, and the signing key, big-endian as in its
    /// standard.
    ///
    /// # Errors
    ///
    /// [`Error::BadSecret`].
    pub fn from_bytes(decryption: [u8; 32], signing: [u8; 32]) -> Result<Self, Error> {
        let decryption = Zeroizing::new(decryption);
        let decryption = Secret::new(scalar(&decryption).ok_or(Error::BadSecret)?);
        if bool::from(decryption.is_zero()) {
            return Err(Error::BadSecret);
        }
        let signing = SecretKey::from_bytes(&signing).map_err(|_| Error::BadSecret)?;
        Ok(Self { decryption, signing })
    }

    /// Both keys as [`Self::from_bytes`] takes them.
    pub fn to_bytes(&self) -> (Zeroizing<[u8; 32]>, Zeroizing<[u8; 32]>) {
        (Zeroizing::new(scalar_bytes(&self.decryption)), Zeroizing::new(self.signing.to_bytes()))
    }

    pub(crate) fn encryption_key(&self) -> G1Affine {
        multiply_g1(&bases::h().into(), &self.decryption).to_affine()
    }

    pub(crate) fn signing_key(&self) -> [u8; G1_BYTES] {
        self.signing.sk_to_pk().to_bytes()
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.signing.sign(message, tags::ETHEREUM, &[]).to_bytes()
    }

    /// The public keys, with proofs that their owner knows the secret ones.
    pub fn publish(&self, rng: &mut impl CryptoRngCore) -> KeyBundle {
        let encryption_key = self.encryption_key().to_compressed();
        let signing_key = self.signing_key();
        let nonce = Secret::new(Fr::random(rng));
        let commitment = multiply_g1(&bases::h().into(), &nonce).to_affine().to_compressed();
        let challenge = challenge(&encryption_key, &signing_key, &commitment);
        let response = Secret::new(*nonce + challenge * *self.decryption);
        let mut encryption_proof = [0; G1_BYTES + 32];
        encryption_proof[..G1_BYTES].copy_from_slice(&commitment);
        encryption_proof[G1_BYTES..].copy_from_slice(&scalar_bytes(&response));
        let signing_proof =
            self.signing.sign(&signing_key, tags::BLS12381_G2_POSSESSION, &[]).to_bytes();
        KeyBundle { encryption_key, encryption_proof, signing_key, signing_proof }
    }
}

impl std::fmt::Debug for SecretKeys {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SecretKeys").finish_non_exhaustive()
    }
}

fn challenge(encryption: &[u8], signing: &[u8], commitment: &[u8]) -> Fr {
    let mut challenger = Challenger::new(&Sha256::digest(ENCRYPTION_TAG).into());
    challenger.absorb("encryption key", encryption);
    challenger.absorb("signing key", signing);
    challenger.absorb("nonce", commitment);
    challenger.scalar("challenge")
}

impl KeyBundle {
    /// Checks the keys and both proofs; the errors name `player`.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] or [`Error::Possession`].
    pub fn verify(&self, player: usize) -> Result<PlayerKeys, Error> {
        let kind = KeyKind::Encryption;
        let key = |kind| move |fault| Error::Key { player, kind, fault };
        let possession = |kind| Error::Possession { player, kind };
        let encryption = decode_g1(&self.encryption_key).map_err(key(kind))?;
        if bool::from(encryption.is_identity()) {
            return Err(key(kind)(PointFault::Identity));
        }
        let proof = self.encryption_proof.split_first_chunk();
        let (nonce, response) = proof.ok_or_else(|| possession(kind))?;
        let point = decode_g1(nonce).map_err(|_| possession(kind))?;
        let response = response.try_into().ok().and_then(scalar);
        let response = response.ok_or_else(|| possession(kind))?;
        let challenge = challenge(&self.encryption_key, &self.signing_key, nonce);
        let left = multiply_g1(&bases::h().into(), &response);
        if left != multiply_g1(&encryption.into(), &challenge) + point {
            return Err(possession(kind));
        }
        let kind = KeyKind::Signing;
        let signing = PublicKey::key_validate(&self.signing_key).map_err(|fault| {
            key(kind)(match fault {
                BLST_ERROR::BLST_POINT_NOT_IN_GROUP => PointFault::NotInSubgroup,
                BLST_ERROR::BLST_PK_IS_INFINITY => PointFault::Identity,
                _ => PointFault::NotOnCurve,
            })
        })?;
        let tag = tags::BLS12381_G2_POSSESSION;
        if !has_signed(&signing, &self.signing_key, tag, &self.signing_proof) {
            return Err(possession(kind));
        }
        Ok(PlayerKeys { encryption, signing, bytes: [self.encryption_key, self.signing_key] })
    }
}

impl PlayerKeys {
    /// Whether `signature` is this player's signature of `message`.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        has_signed(&self.signing, message, tags::ETHEREUM, signature)
    }
}

/// Whether a signature is that of a valid key. It must be in its group, and not the identity.
fn has_signed(key: &PublicKey, message: &[u8], tag: &[u8], signature: &[u8]) -> bool {
    Signature::sig_validate(signature, true).is_ok_and(|signature| {
        let verdict = signature.verify(false, message, tag, &[], key, false);
        verdict == BLST_ERROR::BLST_SUCCESS
    })
}
