//! The scheme outside a circuit.

use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use super::OwnedKey;
use crate::signature::{
    bls::{bls12381::ProvenPublicKey, BlsError, SecretKey, Signature, Suite},
    description::{self, Description},
    Choices, MemberSignature, Rule, SignatureError, SignatureScheme,
};

/// The scheme `bls-bls12-381`, under a rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bls12381 {
    choices: Choices,
}

impl Bls12381 {
    /// The scheme with these choices.
    pub fn new(choices: Choices) -> Self {
        Self { choices }
    }

    /// The rule by which keys are accepted.
    pub fn rule(&self) -> Rule {
        self.choices.rule().unwrap_or(Self::RULES[0])
    }
}

/// A signature, or the sum of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlsSignature(pub(super) Signature<ProvenPublicKey>);

impl MemberSignature for BlsSignature {
    fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }
}

impl SignatureScheme for Bls12381 {
    const NAME: &'static str = "bls-bls12-381";
    const RULES: &'static [Rule] = &[Rule::ProvenKeys, Rule::TrustedKeys];
    type SecretKey = SecretKey<ProvenPublicKey>;
    type PublicKey = OwnedKey;
    type Message = [u8; 32];
    type Signature = BlsSignature;

    fn description() -> Description {
        let rule = |rule: &Rule| {
            let default = if *rule == Self::RULES[0] { ", the default" } else { "" };
            format!("{} (--rule {}{default})", rule.words(), rule.name())
        };
        let rules: Vec<_> = Self::RULES.iter().map(rule).collect();
        Description {
            curve: "BLS12-381, keys in G1 and signatures in G2",
            public_key:
                "144 bytes: the compressed point and, behind it, a proof of possession of 96 \
                         bytes (draft-irtf-cfrg-bls-signature, section 3.3); under the rule \
                         trusted-keys 48 bytes will do, the point alone"
                    .to_owned(),
            message: description::DIGEST,
            signature: "96 bytes by all signers together: the sum of their signatures, compressed"
                .to_owned(),
            equation: format!(
                "e(ΣA, H(m)) = e(g, σ), H with the tag {}",
                String::from_utf8_lossy(ProvenPublicKey::TAG)
            ),
            key_rules: "on the curve, in the subgroup, not the identity",
            signature_rules: format!(
                "on the curve, in the subgroup, not the identity; {}",
                rules.join(" or ")
            ),
            elsewhere: "count if the 32 bytes are the same: Ethereum's validators sign with this \
                        tag, too"
                .to_owned(),
        }
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> Self::SecretKey {
        let mut seed = Zeroizing::new([0; 32]);
        rng.fill_bytes(seed.as_mut());
        SecretKey::from_seed(&seed)
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<Self::SecretKey, SignatureError> {
        Ok(SecretKey::from_seed(seed))
    }

    fn encode_secret_key(secret_key: &Self::SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &Self::SecretKey) -> OwnedKey {
        OwnedKey::of(secret_key)
    }

    fn sign(
        secret_key: &Self::SecretKey,
        message: &[u8; 32],
        _: &mut (impl RngCore + CryptoRng),
    ) -> BlsSignature {
        BlsSignature(secret_key.sign(message))
    }

    fn verify(
        public_key: &OwnedKey,
        message: &[u8; 32],
        signature: &BlsSignature,
    ) -> Result<(), SignatureError> {
        let holds = public_key.key().verify(message, &signature.0);
        holds.then_some(()).ok_or(SignatureError::Equation)
    }

    fn encode_public_key(public_key: &OwnedKey) -> Vec<u8> {
        public_key.to_bytes()
    }

    fn decode_public_key(bytes: &[u8]) -> Result<OwnedKey, SignatureError> {
        OwnedKey::from_bytes(bytes)
    }

    fn encode_signature(signature: &BlsSignature) -> Vec<u8> {
        signature.to_bytes()
    }

    fn decode_signature(bytes: &[u8]) -> Result<BlsSignature, SignatureError> {
        let signature = Signature::from_bytes(bytes).map_err(|error| match error {
            BlsError::Length { expected, found } => SignatureError::WrongLength { expected, found },
            error => SignatureError::BlsSignature(error),
        })?;
        Ok(BlsSignature(signature))
    }
}
