//! A proof that is asked for: what it must show, before any key is at hand, and from which files.

use std::borrow::Cow;

use muster_prover::{
    encoding::{field_from_hex, from_hex, message_from_hex},
    muster_schemes::membership::SignerMask,
    ProofKind, Shape, Statement,
};
use schemars::{json_schema, JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::JobName;
use crate::digest::Digest;

/// Inputs up to this length travel in the job itself; longer ones go to the store.
pub const INLINE_LIMIT: usize = 64 << 10;

/// A proof that is asked for. The claim says *what* is to be proven, and makes the job's name. The others say from what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prove {
    /// What is to be proven.
    pub claim: Claim,
    /// Digest of the SRS that the keys were made from.
    pub srs: Digest,
    /// The committee's file.
    pub committee: Input,
    /// The file of signatures. It shows who signed.
    pub signatures: Input,
}

/// A file that a job needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Its text.
    Inline(String),
    /// Its SHA-256; the store has it.
    Stored(Digest),
    /// The same of what was encrypted with the farm's codec key.
    Sealed(Digest),
}

impl Prove {
    pub(super) fn check(&self) -> Result<(), String> {
        let inputs = [("committee", &self.committee), ("signatures", &self.signatures)];
        for (field, input) in inputs {
            if let Input::Inline(text) = input
                && text.len() > INLINE_LIMIT
            {
                let length = text.len();
                return Err(format!(
                    "{field}: {length} bytes are more than {INLINE_LIMIT}: store them"
                ));
            }
        }
        self.claim.statement.check()
    }
}

/// What a proof is to show, under which key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Digest of the verifying key, as `muster keygen` prints it. Keys are taken by this alone.
    pub key: Digest,
    /// The format of the proof, `fast` or `compact`: that of the key.
    #[schemars(with = "String")]
    pub kind: ProofKind,
    /// The statement.
    pub statement: StatedJob,
}

impl Claim {
    /// The name of the job that proves it, made from the kind of job, key, kind of proof, root, threshold, message and signers.
    pub fn name(&self) -> JobName {
        let StatedJob { key_set_root, threshold, message, signers } = &self.statement;
        // Hex digits may have either case; what is not hex is refused elsewhere.
        let message = from_hex(message).unwrap_or_else(|_| message.clone().into_bytes());
        let numbers = |numbers: &[usize]| -> Vec<u8> {
            numbers.iter().flat_map(|number| (*number as u64).to_le_bytes()).collect()
        };
        let mut parts: Vec<Vec<u8>> = vec![
            self.key.0.into(),
            self.kind.name().into(),
            key_set_root.0.into(),
            threshold.to_le_bytes().into(),
            message,
        ];
        parts.extend(signers.as_deref().map(numbers));
        JobName::of("prove", parts)
    }
}

/// How the schema shows integers: a job may also have them as strings of decimal digits.
pub(super) struct Integer;

impl JsonSchema for Integer {
    fn schema_name() -> Cow<'static, str> {
        "Integer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": u64::MAX },
            { "type": "string", "pattern": "^(0|[1-9][0-9]*)$" },
        ] })
    }
}

/// A statement in texts: at least `threshold` of the set of this root signed the message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatedJob {
    /// Root of the set of keys.
    pub key_set_root: Digest,
    /// The least sum of weights.
    #[schemars(with = "Integer")]
    pub threshold: u64,
    /// What was signed, as files of signatures have it: hex with `0x`.
    pub message: String,
    /// Who signed, under keys made with a mask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Integer>>")]
    pub signers: Option<Vec<usize>>,
}

impl StatedJob {
    /// Checks what can be checked without a key.
    ///
    /// # Errors
    ///
    /// What is wrong, with the field.
    pub fn check(&self) -> Result<(), String> {
        at("key_set_root", field_from_hex(&self.key_set_root.to_string()))?;
        if self.threshold == 0 {
            return Err("statement.threshold: it must not be 0".into());
        }
        at("message", from_hex(&self.message))?;
        match &self.signers {
            Some(signers) if !signers.is_sorted_by(|left, right| left < right) => {
                Err("statement.signers: not in increasing order".into())
            }
            _ => Ok(()),
        }
    }

    /// The statement as keys of this shape prove it.
    ///
    /// # Errors
    ///
    /// What is wrong, with the field.
    pub fn statement(&self, shape: &Shape) -> Result<Statement, String> {
        let key_set_root = at("key_set_root", field_from_hex(&self.key_set_root.to_string()))?;
        let message = at("message", message_from_hex(shape.scheme, &self.message))?;
        let message = at("message", at("message", shape.suite())?.stated(&message))?;
        let signers = match (&self.signers, shape.mask) {
            (None, false) => None,
            (Some(signers), true) => {
                Some(at("signers", SignerMask::new(shape.capacity, signers.iter().copied()))?)
            }
            (Some(_), false) => at("signers", Err("these keys do not say who signed"))?,
            (None, true) => at("signers", Err("missing, but these keys say who signed"))?,
        };
        Ok(Statement { key_set_root, threshold: self.threshold, message, signers })
    }
}

/// A part of a statement, or what is wrong in this field.
fn at<T>(field: &str, part: Result<T, impl std::fmt::Display>) -> Result<T, String> {
    part.map_err(|reason| format!("statement.{field}: {reason}"))
}
