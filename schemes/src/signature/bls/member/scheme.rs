//! The schemes outside a circuit.

use std::marker::PhantomData;

use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use super::{
    suite::{Possession, Words},
    OwnedKey,
};
use crate::signature::{
    bls::{BlsError, PublicKey, SecretKey, Signature},
    Choices, Description, MemberSignature, MessageForm, PointHash, PublicMessage, Rule,
    SignatureError, SignatureScheme, SignedMessage,
};

/// The scheme of a suite, under a rule.
#[derive(Clone, Copy, Debug)]
pub struct Bls<S> {
    choices: Choices,
    suite: PhantomData<S>,
}

impl<S: Possession> Bls<S> {
    /// The scheme with these choices.
    pub fn new(choices: Choices) -> Self {
        Self { choices, suite: PhantomData }
    }

    /// Which part of a message is public.
    pub fn form(&self) -> MessageForm {
        self.choices.form().unwrap_or(Self::FORM)
    }

    /// Which part of a message is public, and how its bytes are hashed to the point that is signed.
    pub fn choice(&self) -> (MessageForm, PointHash) {
        (self.form(), self.hash())
    }

    /// How bytes are hashed to the point that is signed.
    pub fn hash(&self) -> PointHash {
        self.choices.hash()
    }

    /// Whether the signature is one on the message by the key, with these choices.
    pub fn is_signed(
        &self,
        key: &PublicKey<S>,
        message: &S::Message,
        signature: &Signature<S>,
    ) -> bool {
        S::signed_point(message, self.hash()).is_signed(key, signature)
    }

    /// Why it is none: the equation does not hold or, if it does with another hash that the schemes have, which one
    /// that is.
    pub fn refusal(
        &self,
        key: &PublicKey<S>,
        message: &S::Message,
        signature: &Signature<S>,
    ) -> SignatureError {
        let other = S::other_hash(key, message, signature, self.hash());
        other.map_or(SignatureError::Equation, SignatureError::OtherHash)
    }

    /// The rule by which keys are accepted.
    pub fn rule(&self) -> Rule {
        self.choices.rule().unwrap_or(Self::RULES[0])
    }
}

/// One signature, or the sum of several.
impl<S: Possession> MemberSignature for Signature<S> {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }
}

impl<S: Possession> SignatureScheme for Bls<S> {
    const NAME: &'static str = S::SCHEME;
    const RULES: &'static [Rule] = &[Rule::ProvenKeys, Rule::TrustedKeys];
    /// Without a proof of possession, or followed by one.
    const KEY_LENGTHS: &'static [usize] = &[S::KEY_BYTES, OwnedKey::<S>::BYTES];
    type SecretKey = SecretKey<S>;
    type PublicKey = OwnedKey<S>;
    type Message = S::Message;
    type Signature = Signature<S>;

    fn description() -> Description {
        let rule = |rule: &Rule| {
            let default = if *rule == Self::RULES[0] { ", the default" } else { "" };
            format!("{} (--rule {}{default})", rule.words(), rule.name())
        };
        let rules: Vec<_> = Self::RULES.iter().map(rule).collect();
        let Words { curve, key, proof, message, signature, equation, elsewhere } = S::words();
        Description {
            curve,
            public_key: format!(
                "{} bytes: {key} and, behind it, a proof of possession of {} bytes ({proof}); under \
                 the rule trusted-keys {} bytes will do, the point alone",
                OwnedKey::<S>::BYTES,
                S::PROOF_BYTES,
                S::KEY_BYTES,
            ),
            message,
            signature: format!(
                "{} bytes by all signers together: {signature}",
                S::SIGNATURE_BYTES
            ),
            equation,
            key_rules: "on the curve, in the subgroup, not the identity",
            signature_rules: format!(
                "on the curve, in the subgroup, not the identity; {}",
                rules.join(" or ")
            ),
            elsewhere: elsewhere.to_owned(),
        }
    }

    fn takes(form: &MessageForm) -> bool {
        S::takes(form)
    }

    fn hashes(hash: PointHash, form: MessageForm) -> bool {
        S::hashes(hash, form)
    }

    fn public_message(form: &MessageForm) -> PublicMessage {
        if form.is_point() {
            PublicMessage::Point(S::GROUP)
        } else {
            S::Message::PUBLIC
        }
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> Self::SecretKey {
        let mut seed = Zeroizing::new([0; 32]);
        rng.fill_bytes(seed.as_mut());
        Self::secret_key_from_seed(&seed).expect("no known seed gives zero")
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<Self::SecretKey, SignatureError> {
        SecretKey::from_scalar(&S::secret_of_seed(seed)).map_err(|_| SignatureError::SecretKey)
    }

    fn encode_secret_key(secret_key: &Self::SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &Self::SecretKey) -> OwnedKey<S> {
        OwnedKey::of(secret_key)
    }

    /// With the default hash, whatever the choices of a value: these are for signatures by members of a set.
    fn sign(
        secret_key: &Self::SecretKey,
        message: &S::Message,
        _: &mut (impl RngCore + CryptoRng),
    ) -> Signature<S> {
        S::sign_message(secret_key, message, PointHash::default())
    }

    /// With the default hash, whatever the choices of a value.
    fn verify(
        public_key: &OwnedKey<S>,
        message: &S::Message,
        signature: &Signature<S>,
    ) -> Result<(), SignatureError> {
        let point = S::signed_point(message, PointHash::default());
        let holds = point.is_signed(public_key.key(), signature);
        holds.then_some(()).ok_or(SignatureError::Equation)
    }

    fn encode_public_key(public_key: &OwnedKey<S>) -> Vec<u8> {
        public_key.to_bytes()
    }

    fn decode_public_key(bytes: &[u8]) -> Result<OwnedKey<S>, SignatureError> {
        OwnedKey::from_bytes(bytes)
    }

    fn decode_public_keys(list: &[&[u8]]) -> Vec<Result<OwnedKey<S>, SignatureError>> {
        OwnedKey::list_from_bytes(list)
    }

    /// The point, without the proof.
    fn key_part(bytes: &[u8]) -> &[u8] {
        bytes.get(..S::KEY_BYTES).unwrap_or(bytes)
    }

    fn decode_signature(bytes: &[u8]) -> Result<Signature<S>, SignatureError> {
        Signature::from_bytes(bytes).map_err(|error| match error {
            BlsError::Length { expected, found } => SignatureError::WrongLength { expected, found },
            error => SignatureError::BlsSignature(error),
        })
    }
}
