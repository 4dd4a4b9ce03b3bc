//! The scheme `ed25519`.

use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use super::{native, PublicKey, SecretKey, Signature, SIGNATURE_LENGTH};
use crate::signature::{
    cometbft::TIMED_SIGNATURE, Choices, Description, MessageForm, Rule, SignatureError,
    SignatureScheme, SignedBytes,
};

/// The scheme `ed25519`, under a rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ed25519 {
    choices: Choices,
}

impl Ed25519 {
    /// The rule of [`SignatureScheme::verify`].
    pub const RULE: Rule = Self::RULES[0];

    /// The scheme with these choices.
    pub fn new(choices: Choices) -> Self {
        Self { choices }
    }

    /// The choices.
    pub fn choices(&self) -> Choices {
        self.choices
    }

    /// Which part of a message is public.
    pub fn form(&self) -> MessageForm {
        self.choices.form().unwrap_or(Self::FORM)
    }

    /// The rule by which keys and signatures are accepted.
    pub fn rule(&self) -> Rule {
        self.choices.rule().unwrap_or(Self::RULE)
    }
}

impl SignatureScheme for Ed25519 {
    const NAME: &'static str = "ed25519";
    const RULES: &'static [Rule] = &[Rule::Zip215, Rule::Rfc8032, Rule::Strict];
    /// Fits into one block of SHA-512 with R and A before it, which is enough for NEAR's approvals of 41
    /// bytes.
    const FORM: MessageForm = MessageForm::Sha256 { most: 47 };
    type SecretKey = SecretKey;
    type PublicKey = PublicKey;
    type Message = SignedBytes;
    type Signature = Signature;

    fn description() -> Description {
        let rule = |rule: &Rule| {
            let default = if *rule == Self::RULE { ", the default" } else { "" };
            let users = users(*rule).map(|users| format!("; {users}")).unwrap_or_default();
            format!("{} (--rule {}{default}{users})", rule.words(), rule.name())
        };
        let rules: Vec<_> = Self::RULES.iter().map(rule).collect();
        Description {
            curve: "Edwards25519 (RFC 8032)",
            public_key: "32 bytes (RFC 8032): little-endian y, the lowest bit of x on top"
                .to_owned(),
            message: "bytes whose SHA-256 is public (--message-form sha256:N, at most N of them, N at most 16,384), \
                      bytes that are public themselves (bytes:N, N at most 64), or a precommit \
                      of CometBFT with a time of each signer's own (cometbft-precommit)",
            signature: format!(
                "{SIGNATURE_LENGTH} bytes per signer: R, then s, little-endian (RFC 8032); of a precommit \
                 {TIMED_SIGNATURE} bytes that end with seconds and nanoseconds, big-endian"
            ),
            equation: "s·B = R + k·A, k = SHA-512 of R, A, m (RFC 8032)".to_owned(),
            key_rules: "on the curve, not of small order; otherwise as A under the rule",
            signature_rules: format!(
                "R on the curve; s below the group order l; {}",
                rules.join(" or ")
            ),
            elsewhere: "count if the bytes are the same: they are signed as they are. Sign \
                        messages with a prefix of your own"
                .to_owned(),
        }
    }

    /// Whatever is signed is hashed with R and A, so a proof may be of messages of any length up to a bound.
    fn takes(form: &MessageForm) -> bool {
        !form.is_public() && !form.is_point()
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        let mut seed = Zeroizing::new([0; 32]);
        rng.fill_bytes(seed.as_mut());
        SecretKey::from_seed(&seed)
    }

    /// The seed is that of RFC 8032: every seed is a key.
    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        Ok(SecretKey::from_seed(seed))
    }

    fn encode_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &SecretKey) -> PublicKey {
        secret_key.public_key()
    }

    fn sign(
        secret_key: &SecretKey,
        message: &SignedBytes,
        _: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        native::sign(secret_key, message.bytes())
    }

    fn verify(
        public_key: &PublicKey,
        message: &SignedBytes,
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        native::verify(Self::RULE, public_key, message.bytes(), signature)
    }

    fn encode_public_key(public_key: &PublicKey) -> Vec<u8> {
        public_key.to_bytes().to_vec()
    }

    fn decode_public_key(bytes: &[u8]) -> Result<PublicKey, SignatureError> {
        PublicKey::from_bytes(bytes)
    }

    fn decode_signature(bytes: &[u8]) -> Result<Signature, SignatureError> {
        Signature::from_bytes(bytes)
    }
}

/// Who verifies by the rule; sources in the README.
fn users(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::Zip215 => Some("CometBFT from 0.38, Zcash, Sui"),
        Rule::Strict => Some("Aptos, Cardano, NEAR, Solana until SIMD-0376"),
        Rule::Rfc8032 | Rule::LowS | Rule::AnyS | Rule::ProvenKeys | Rule::TrustedKeys => None,
    }
}
