//! Schnorr signatures over secp256k1 as in Bitcoin (BIP-340), on messages of 32 bytes.
//!
//! With the generator G of secp256k1, the secret key d and the public key A = d·G, whose y is even,
//! a signature of m is (x(R), s) with R = k·G, whose y is even too, s = k + e·d mod n, and e the
//! tagged SHA-256 of x(R), x(A) and m, modulo n. It verifies if s·G - e·A = R.

mod types;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod vectors;

use types::LENGTH;
pub use types::{Bip340, PublicKey, SecretKey, Signature};

use std::sync::OnceLock;

use k256::elliptic_curve::{consts::U64, generic_array::GenericArray};
use k256::Secp256k1;
use num_bigint::BigUint;
use rand_core::{CryptoRng, RngCore};
use sha2::{compress256, Digest, Sha256};
use zeroize::Zeroizing;

use crate::curve::weierstrass::Curve;
use crate::signature::ecdsa::{combine, scalar_of};
use crate::signature::{description, Description, SignatureError, SignatureScheme};

/// The tag of the challenge's hash.
pub const CHALLENGE_TAG: &str = "BIP0340/challenge";

/// The initial state of SHA-256 (FIPS 180-4, section 5.3.3).
const SHA256_INITIAL: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The challenge e = int(SHA-256(t ‖ t ‖ x(R) ‖ x(A) ‖ m)) modulo n, with t = SHA-256(tag).
pub fn challenge(r: &[u8; 32], public_key: &PublicKey, message: &[u8; 32]) -> BigUint {
    BigUint::from_bytes_be(&challenge_hash(r, public_key, message)) % Curve::Secp256k1.n()
}

/// The state of SHA-256 after the first block of a challenge, which is the same for all: the hash
/// of the tag, twice. Two blocks follow it: x(R) ‖ x(A), and m with the padding of 160 bytes.
pub fn challenge_midstate() -> [u32; 8] {
    static STATE: OnceLock<[u32; 8]> = OnceLock::new();
    *STATE.get_or_init(|| {
        let tag = Sha256::digest(CHALLENGE_TAG);
        let block = GenericArray::<u8, U64>::from_exact_iter(tag.into_iter().chain(tag));
        let mut state = SHA256_INITIAL;
        compress256(&mut state, &[block.expect("two hashes of 32 bytes")]);
        state
    })
}

fn challenge_hash(r: &[u8; 32], public_key: &PublicKey, message: &[u8; 32]) -> [u8; 32] {
    let tag = Sha256::digest(CHALLENGE_TAG);
    let hash = Sha256::new().chain_update(tag).chain_update(tag);
    let hash = hash.chain_update(r).chain_update(public_key.to_bytes()).chain_update(message);
    hash.finalize().into()
}

impl SignatureScheme for Bip340 {
    const NAME: &'static str = "schnorr-secp256k1";
    type SecretKey = SecretKey;
    type PublicKey = PublicKey;
    type Message = [u8; 32];
    type Signature = Signature;

    fn description() -> Description {
        Description {
            curve: description::curve(Curve::Secp256k1),
            public_key: "32 bytes (BIP-340): big-endian x of the point with an even y".to_owned(),
            message: description::DIGEST,
            signature: format!("{LENGTH} bytes per signer: x of R, then s, big-endian"),
            equation: format!(
                "s·G = R + e·A, e = SHA-256 of R.x, A.x, m under the tag {CHALLENGE_TAG}"
            ),
            key_rules: description::ON_CURVE,
            signature_rules: "R on the curve with an even y; s below the group order n".to_owned(),
            elsewhere: format!(
                "count if the 32 bytes are the same: everybody uses the tag {CHALLENGE_TAG}. Sign digests under a \
                 tag of your own"
            ),
        }
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        SecretKey::random(rng)
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        SecretKey::from_seed(seed)
    }

    fn encode_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &SecretKey) -> PublicKey {
        secret_key.public_key()
    }

    fn sign(
        secret_key: &SecretKey,
        message: &[u8; 32],
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        let mut auxiliary = Zeroizing::new([0; 32]);
        rng.fill_bytes(auxiliary.as_mut());
        secret_key.sign(message, &auxiliary)
    }

    fn verify(
        public_key: &PublicKey,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let s = scalar_of::<Secp256k1>(&signature.s());
        let e = challenge_hash(&signature.r(), public_key, message);
        let e = scalar_of::<Secp256k1>(&e);
        let nonce = combine::<Secp256k1>(&s, &public_key.point(), &-e);
        (nonce == Some(signature.nonce_point())).then_some(()).ok_or(SignatureError::Equation)
    }

    fn encode_public_key(public_key: &PublicKey) -> Vec<u8> {
        public_key.to_bytes().to_vec()
    }

    fn decode_public_key(bytes: &[u8]) -> Result<PublicKey, SignatureError> {
        PublicKey::from_bytes(bytes)
    }

    fn encode_signature(signature: &Signature) -> Vec<u8> {
        signature.to_bytes().to_vec()
    }

    fn decode_signature(bytes: &[u8]) -> Result<Signature, SignatureError> {
        Signature::from_bytes(bytes)
    }
}
