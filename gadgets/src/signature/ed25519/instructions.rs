//! Ed25519 as the threshold circuit takes it.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use num_bigint::BigUint;
use rand_core::{CryptoRng, RngCore};

use super::{
    chip::{self, Acceptance, AssignedKey, Ed25519Chip},
    message::{signed_bytes, AssignedMessage},
};
use crate::{
    curve::edwards25519::RawEncoding,
    hash::sha512::digest_after,
    signature::{
        foreign::ExceptionalCase,
        instructions::{
            each, AssignedClaim, AssignedSigner, Chains, NativeInstructions, Needs, Padding,
            PaddingInstructions, Refusal, SignatureInstructions, Verified,
        },
    },
};
use muster_gates::{GateContext, Turns};
use muster_schemes::membership::{self, EmptyPlace};
use muster_schemes::signature::ed25519::{native, Ed25519, PublicKey, Signature, SIGNATURE_LENGTH};
use muster_schemes::signature::{
    cometbft::{Precommit, PrecommitError, TimedSignature, Timestamp, TIMED_SIGNATURE},
    AnySignature, Choices, Message, MessageForm, Rule, SignatureError, SignatureScheme,
    SignedBytes, SignedMessage,
};

/// An unchecked signature, and the time that is signed with it where a message has one.
#[derive(Clone, Debug, PartialEq)]
pub struct RawSigned {
    signature: chip::RawSignature,
    time: Timestamp,
}

fn acceptance(scheme: &Ed25519) -> Acceptance {
    match scheme.rule() {
        Rule::Zip215 => Acceptance::Zip215,
        Rule::Rfc8032 => Acceptance::Rfc8032,
        Rule::Strict => Acceptance::Strict,
        Rule::LowS | Rule::AnyS | Rule::ProvenKeys | Rule::TrustedKeys => {
            unreachable!("the scheme has no such rule")
        }
    }
}

fn raw_key(scheme: &Ed25519, key: &PublicKey) -> Option<RawEncoding> {
    RawEncoding::new(&key.to_bytes(), acceptance(scheme).of_key())
}

fn raw(scheme: &Ed25519, signature: &Signature, time: Timestamp) -> Option<RawSigned> {
    let nonce = RawEncoding::new(signature.nonce().bytes(), acceptance(scheme).of_nonce())?;
    let s = BigUint::from_bytes_le(&signature.s());
    Some(RawSigned { signature: chip::RawSignature { nonce, s }, time })
}

/// A signature and its time, which is the default for any message but a precommit.
fn parts(signature: &AnySignature) -> Option<Result<(Signature, Timestamp), SignatureError>> {
    if let Some(signature) = signature.of::<Signature>() {
        return Some(Ok((*signature, Timestamp::default())));
    }
    let timed = signature.of::<TimedSignature>()?;
    Some(Signature::from_bytes(&timed.signature).map(|signature| (signature, timed.time)))
}

/// The error for a signature that has a time where the form has none, or none where it has one.
fn other_length(has_times: bool) -> SignatureError {
    let (expected, found) = if has_times {
        (TIMED_SIGNATURE, SIGNATURE_LENGTH)
    } else {
        (SIGNATURE_LENGTH, TIMED_SIGNATURE)
    };
    SignatureError::WrongLength { expected, found }
}

impl NativeInstructions for Ed25519 {
    type RawKey = RawEncoding;
    type RawSignature = RawSigned;

    fn with(choices: Choices) -> Self {
        Self::new(choices)
    }

    /// A key, or the place of somebody who has none.
    fn admits(&self, key: &membership::PublicKey) -> Result<(), SignatureError> {
        if key.of::<EmptyPlace>().is_some_and(|place| place.kind().keys().is_coordinates()) {
            return Ok(());
        }
        key.of::<PublicKey>().ok_or(SignatureError::OtherKey)?.check(self.rule())
    }

    fn encode_member(&self, key: &membership::PublicKey) -> Option<Vec<u8>> {
        let key = key.of::<PublicKey>().filter(|_| self.admits(key).is_ok())?;
        Some(key.to_bytes().to_vec())
    }

    /// A signature, or one on a precommit with its time.
    fn decode_member_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        let timed = match TimedSignature::from_bytes(bytes) {
            Ok(timed) => timed,
            Err(PrecommitError::Nanos(nanos)) => return Err(SignatureError::Nanos(nanos)),
            Err(_) => return Self::decode_signature(bytes).map(AnySignature::from),
        };
        Self::decode_signature(&timed.signature).map(|_| timed.into())
    }

    fn sign_as_member(
        &self,
        secret_key: &Self::SecretKey,
        message: &SignedBytes,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> AnySignature {
        if !self.form().has_times() {
            return Self::sign(secret_key, message, rng).into();
        }
        let time = Timestamp::random(rng);
        let signature = native::sign(secret_key, &signed_bytes(self.form(), message, &time));
        TimedSignature { signature: signature.to_bytes(), time }.into()
    }

    fn random_message(&self, rng: &mut (impl RngCore + CryptoRng)) -> SignedBytes {
        match self.form() {
            MessageForm::CometbftPrecommit => SignedBytes::new(&Precommit::random(rng).encode()),
            MessageForm::Sha256 { most } => SignedBytes::random(rng).up_to(most),
            MessageForm::Bytes { most } => {
                let mut bytes = vec![0; most];
                rng.fill_bytes(&mut bytes);
                SignedBytes::new(&bytes)
            }
            MessageForm::Public | MessageForm::Point => SignedBytes::random(rng),
        }
    }

    /// A message that is too long for a statement is stated by its digest, which no circuit takes for it.
    fn stated(&self, message: &SignedBytes) -> Message {
        message.to_message().stated(self.form())
    }

    fn verify_all(
        &self,
        _: &Fr,
        signers: &[membership::PublicKey],
        message: &SignedBytes,
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal> {
        let has_times = self.form().has_times();
        let other = |one: &AnySignature| one.of::<TimedSignature>().is_some() != has_times;
        if let Some(signer) = signatures.iter().position(other) {
            return Err(Refusal::Signature { signer, rule: other_length(has_times) });
        }
        each(self, signers, signatures, |signer, key, signature| {
            let refused = |rule| Refusal::Signature { signer, rule };
            let key = key.of::<PublicKey>().ok_or(Refusal::WrongKind)?;
            let parts = parts(signature).ok_or(Refusal::WrongKind)?;
            let (signature, time) = parts.map_err(refused)?;
            let signed = signed_bytes(self.form(), message, &time);
            native::verify(self.rule(), key, &signed, &signature).map_err(refused)?;
            let raw = raw_key(self, key).zip(raw(self, &signature, time));
            raw.ok_or(refused(SignatureError::Equation))
        })
    }
}

impl PaddingInstructions for Ed25519 {
    /// The signer whose secret scalar is `number + 1`.
    fn padding(&self, message: &SignedBytes, number: u8) -> Option<Padding<Self>> {
        let time = Timestamp::default();
        let signed = signed_bytes(self.form(), message, &time);
        let (key, signature) = native::published(number.checked_add(1)?, &signed);
        let valid = "a known scalar gives points of the subgroup";
        Some(Padding {
            key: raw_key(self, &key).expect(valid),
            leaf_key: vec![key.name()],
            signature: raw(self, &signature, time).expect(valid),
        })
    }
}

impl SignatureInstructions for Ed25519 {
    type AssignedKey = AssignedKey;
    type AssignedMessage = AssignedMessage;

    fn needs(&self) -> Needs {
        Needs {
            equations: chip::equations(),
            // A message that is public itself needs no SHA-256.
            sha256: (!self.form().is_plain()).then_some(Chains::Shared),
            sha512: Some(Chains::OfEachSlot),
            ..Needs::default()
        }
    }

    fn assign_message(
        &self,
        ctx: &mut GateContext,
        public: &[AssignedValue<Fr>],
        message: &SignedBytes,
    ) -> AssignedMessage {
        AssignedMessage::new(ctx, self.form(), (public, message))
    }

    fn assign_keys(&self, ctx: &mut GateContext, keys: &[RawEncoding]) -> Vec<AssignedKey> {
        let chip = Ed25519Chip::new(ctx.chips, acceptance(self));
        keys.iter().map(|key| chip.key(ctx, key)).collect()
    }

    fn name(&self, ctx: &mut GateContext, key: &AssignedKey) -> AssignedValue<Fr> {
        key.name(ctx)
    }

    fn assert_verify_all(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim<AssignedMessage>,
        signers: &[AssignedSigner<AssignedKey>],
        signatures: &[RawSigned],
    ) -> Result<(), ExceptionalCase> {
        assert_eq!(signers.len(), signatures.len(), "a signature a signer");
        let chip = Ed25519Chip::new(ctx.chips, acceptance(self));
        let keys: Vec<_> = signers.iter().map(|signer| signer.public_key.clone()).collect();
        let (mut opened, mut digests, mut turns) = (vec![], vec![], Turns::default());
        for (key, RawSigned { signature, time }) in keys.iter().zip(signatures) {
            let signature = chip.signature(ctx, signature);
            let prefix = signature.prefix(key);
            digests.push(ctx.turn(&mut turns, |ctx| {
                let signed = claim.message.signed(ctx, time);
                digest_after(ctx, &prefix, &signed)
            }));
            opened.push(signature);
        }
        chip::assert_verify_all(ctx, &keys, &opened, &digests)
    }
}
