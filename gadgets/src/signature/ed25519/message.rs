//! What signers of a message sign, natively and in circuit.

use std::borrow::Cow;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

use crate::{
    hash::sha512::Behind,
    signature::{
        cometbft::{SharedVote, HALVES},
        plain::AssignedPlain,
        signed_bytes::{assert_public, halves, AssignedBytes},
    },
};
use muster_gates::GateContext;
use muster_schemes::signature::{
    cometbft::{Precommit, Timestamp},
    MessageForm, SignedBytes,
};

/// The bytes that a signer signs, at `time` where there is one. Empty for bytes that do not encode a precommit: they
/// are refused before.
pub(super) fn signed_bytes(form: MessageForm, message: &SignedBytes, time: &Timestamp) -> Vec<u8> {
    match form {
        MessageForm::Public
        | MessageForm::Sha256 { .. }
        | MessageForm::Bytes { .. }
        | MessageForm::Point => message.bytes().to_vec(),
        MessageForm::CometbftPrecommit => Precommit::decode(message.bytes())
            .map_or_else(|_| vec![], |precommit| precommit.signed_bytes(time)),
    }
}

/// A message that is public by its SHA-256 or itself.
#[derive(Clone, Debug)]
pub enum AssignedMessage {
    /// All signers sign these bytes.
    Bytes(Behind),
    /// Each signs a precommit with a time of its own.
    Precommit(Box<SharedVote>),
}

impl AssignedMessage {
    /// Witnesses what is signed, and constrains the public inputs to be its own.
    ///
    /// # Panics
    /// If the number of public inputs is not that of the form.
    pub(super) fn new(
        ctx: &mut GateContext,
        form: MessageForm,
        (public, message): (&[AssignedValue<Fr>], &SignedBytes),
    ) -> Self {
        let (assigned, digest) = match form {
            MessageForm::Public | MessageForm::Point => {
                unreachable!("the scheme has no messages of this form")
            }
            MessageForm::Bytes { most } => {
                let public = public.try_into().expect("bytes take three public inputs");
                let plain = AssignedPlain::new(ctx, public, (message.bytes(), most));
                return Self::Bytes(Behind::new(ctx, plain.message()));
            }
            MessageForm::Sha256 { most } => {
                let bytes = AssignedBytes::new(ctx, (message, most));
                (Self::Bytes(Behind::new(ctx, bytes.text().message())), *bytes.digest())
            }
            MessageForm::CometbftPrecommit => {
                let halves = halves(ctx, message, HALVES);
                let halves = halves.try_into().expect("an encoding has ten halves");
                let vote = SharedVote::new(ctx, &halves);
                let digest = vote.digest();
                (Self::Precommit(Box::new(vote)), digest)
            }
        };
        assert_public(ctx, &digest, public);
        assigned
    }

    /// What one of the signers signs, at `time` where there is one, as it is hashed after R and the key.
    pub(super) fn signed(&self, ctx: &mut GateContext, time: &Timestamp) -> Cow<'_, Behind> {
        match self {
            Self::Bytes(bytes) => Cow::Borrowed(bytes),
            Self::Precommit(vote) => {
                let signed = vote.signed(ctx, time);
                Cow::Owned(Behind::new(ctx, signed.message()))
            }
        }
    }
}
