//! What may be wrong with the content of a proof's file, and what it was not compared with.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    CircuitShape, MaskError, Message, MessageForm, PublicMessage, Shape, Statement, KEY_SET_ROOT,
    MESSAGE, THRESHOLD,
};
use muster_prover::{
    encoding::field_to_hex, files::ProofFileOf, proof::VerifyError, VerifierKeyOf,
};
use muster_schemes::signature::{bls::MessageGroup, MAX_PLAIN_BYTES};

/// Why the content of a proof's file is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofFault {
    /// It is not a proof of the statement.
    #[error(transparent)]
    Proof(#[from] VerifyError),
    /// The proof was made with other keys.
    #[error("the proof was made for the verifying key 0x{found}, not for 0x{expected}")]
    OtherKey {
        /// Digest of the verifying key in use, in hex.
        expected: String,
        /// Digest that the proof names, in hex.
        found: String,
    },
    /// The rest of the file does not match the keys that it names.
    #[error("the shape or the SRS in the file does not match the keys")]
    OtherHeader,
    /// The proof says something other than expected.
    #[error("the proof is about the {what} {found}, not {expected}")]
    OtherStatement {
        /// Which public input.
        what: &'static str,
        /// The value expected.
        expected: String,
        /// The value in the proof.
        found: String,
    },
    /// The message among the public inputs is not a digest.
    #[error("the halves of the message are not below 2^128")]
    NoDigest,
    /// The message among the public inputs is not one of bytes.
    #[error("the words of the message do not encode a message of at most {MAX_PLAIN_BYTES} bytes")]
    NoBytes,
    /// The message among the public inputs is not a point.
    #[error("the words of the message do not encode a point of {0} in the subgroup")]
    NoPoint(MessageGroup),
    /// The words behind the message are not a mask of signers.
    #[error(transparent)]
    NoMask(#[from] MaskError),
    /// The public inputs are none of a translation.
    #[error("the public inputs are not those of a translation")]
    NoTranslation,
    /// The threshold among the public inputs is not a valid one.
    #[error("the threshold {0} is not below 2^64")]
    NoThreshold(String),
}

/// Checks that what a file says beside its proof is what the proof's keys say.
pub(crate) fn same_key<S: CircuitShape>(
    key: &VerifierKeyOf<S>,
    file: &ProofFileOf<S>,
) -> Result<(), ProofFault> {
    if file.vk_digest != key.digest() {
        let (expected, found) = (hex::encode(key.digest()), hex::encode(file.vk_digest));
        return Err(ProofFault::OtherKey { expected, found });
    }
    let is_same = file.shape == *key.shape() && file.srs == key.srs().into();
    is_same.then_some(()).ok_or(ProofFault::OtherHeader)
}

/// The statement that public inputs claim; there are as many as the shape has. Whoever verifies a proof against it must
/// show it to someone who compares it with what they expect.
pub(crate) fn claim(shape: &Shape, public_inputs: &[Fr]) -> Result<Statement, ProofFault> {
    let words = shape.mask_inputs();
    let message = Message::from_public_inputs(&public_inputs[MESSAGE..words.start]);
    let no_message = match shape.public_message() {
        PublicMessage::Plain => ProofFault::NoBytes,
        PublicMessage::Point(group) => ProofFault::NoPoint(group),
        PublicMessage::Element | PublicMessage::Digest => ProofFault::NoDigest,
    };
    let threshold = &public_inputs[THRESHOLD];
    let bytes = threshold.to_bytes();
    let (low, high) = bytes.split_at(8);
    if high.iter().any(|byte| *byte != 0) {
        return Err(ProofFault::NoThreshold(field_to_hex(threshold)));
    }
    Ok(Statement {
        key_set_root: public_inputs[KEY_SET_ROOT],
        threshold: low.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)),
        message: message.ok_or(no_message)?,
        signers: shape.signers(public_inputs)?,
    })
}

/// A part of a statement that nothing was given to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What it is.
    pub(crate) what: &'static str,
    /// The option that gives it.
    pub(crate) option: &'static str,
    /// The option with its value, and with those that may stand in its place.
    pub(crate) usage: &'static str,
}

impl Missing {
    pub(crate) const ROOT: Self = Self { what: "root", option: "--root", usage: "--root HEX" };
    pub(crate) const THRESHOLD: Self =
        Self { what: "threshold", option: "--threshold", usage: "--threshold T" };
    pub(crate) const SIGNERS: Self =
        Self { what: "list of signers", option: "--signers", usage: "--signers I,J,…" };

    /// The message, as schemes have it.
    pub(crate) fn message(shape: &Shape) -> Self {
        let (option, usage) = match (shape.message, shape.public_message()) {
            (MessageForm::CometbftPrecommit, _) => ("--precommit", "--precommit FILE"),
            (_, PublicMessage::Digest) => ("--message", "--message HEX (or --digest HEX)"),
            _ => ("--message", "--message HEX"),
        };
        Self { what: "message", option, usage }
    }

    /// Parts, in words.
    pub(crate) fn names(parts: &[Self]) -> String {
        let names: Vec<_> = parts.iter().map(|part| part.what).collect();
        match &names[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            names => names.concat(),
        }
    }
}
