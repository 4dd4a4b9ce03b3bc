//! `proof.json`.

use std::path::Path;

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{translation::TranslationShape, CircuitShape, Scheme, Shape, SignerMask};
use serde::{Deserialize, Serialize};

use super::PROOF_LIMIT;
use crate::{
    encoding::{field_from_hex, field_to_hex, from_hex, hex_bytes, to_hex},
    input,
    keys::{KeysOf, SrsReference, VerifierKeyOf},
    proof::Proof,
    Error, ProofKind,
};

/// A proof, and what its maker claims it to be about: a [`ProofFile`] or a [`TranslationFile`].
///
/// A verifier takes only [`Self::proof`]: what it has to prove is up to the verifier, see
/// [`VerifierKey::verify`](crate::VerifierKey::verify). The public inputs in the file are for those
/// who read it, and for contracts, which compare them with what they expect themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofFileOf<S> {
    /// The shape that it was made for.
    pub shape: S,
    /// The proof.
    pub proof: Proof,
    /// Digest of the verifying key.
    pub vk_digest: [u8; 32],
    /// The SRS.
    pub srs: SrsMark,
    /// The public inputs, as many as the shape has: a claim. If the shape says who signed, their words are a valid
    /// mask.
    public_inputs: Vec<Fr>,
}

/// The proof of a threshold circuit.
pub type ProofFile = ProofFileOf<Shape>;

/// The proof of a translation.
pub type TranslationFile = ProofFileOf<TranslationShape>;

/// Which SRS a proof was made with. This is a note for the reader: the verifying key's is what
/// counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SrsMark {
    /// Whether somebody may know tau.
    pub insecure: bool,
    /// Digest of the SRS.
    #[serde(with = "hex_bytes")]
    pub digest: [u8; 32],
}

impl From<&SrsReference> for SrsMark {
    fn from(srs: &SrsReference) -> Self {
        Self { insecure: srs.insecure, digest: srs.digest }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<S> {
    scheme: Scheme,
    shape: S,
    kind: ProofKind,
    public_inputs: Vec<String>,
    proof: String,
    #[serde(with = "hex_bytes")]
    vk_digest: [u8; 32],
    srs: SrsMark,
}

impl<S: CircuitShape> ProofFileOf<S> {
    /// The file for a proof of `statement` made with `keys`.
    pub fn new(keys: &KeysOf<S>, statement: &S::Statement, proof: Proof) -> Self {
        let inputs = keys.shape().inputs_of(statement);
        Self {
            shape: keys.shape().clone(),
            proof,
            vk_digest: keys.vk_digest(),
            srs: keys.srs().into(),
            public_inputs: inputs.expect("a proof was made of the statement"),
        }
    }

    /// Reads a proof.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a field that is not what it should be, or those of reading a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::parse(path, &input::read(path, PROOF_LIMIT)?)
    }

    /// The same from the bytes of a file, which errors call `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a field that is not what it should be, [`Error::File`] for anything that is no such file.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let raw: Raw<S> = input::parse(path, bytes)?;
        if raw.scheme != raw.shape.scheme() {
            let reason = format!("{}, but the shape's is {}", raw.scheme, raw.shape.scheme());
            return Err(Error::field(path, "scheme", reason));
        }
        let expected = raw.shape.public_inputs();
        if raw.public_inputs.len() != expected {
            let reason = format!("expected {expected}, found {}", raw.public_inputs.len());
            return Err(Error::field(path, "public_inputs", reason));
        }
        let read = |(i, text): (usize, &String)| {
            field_from_hex(text).map_err(Error::at(path, format!("public_inputs[{i}]")))
        };
        let inputs = raw.public_inputs.iter().enumerate().map(read);
        let public_inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        raw.shape.check_inputs(&public_inputs).map_err(Error::at(path, "public_inputs"))?;
        let bytes = from_hex(&raw.proof).map_err(Error::at(path, "proof"))?;
        Ok(Self {
            public_inputs,
            proof: Proof::new(raw.kind, bytes),
            shape: raw.shape,
            vk_digest: raw.vk_digest,
            srs: raw.srs,
        })
    }

    /// The public inputs that the file names: a claim of whoever wrote it, for those who show it to somebody, or hand
    /// it to a contract.
    pub fn claimed_inputs(&self) -> &[Fr] {
        &self.public_inputs
    }

    /// Whether everything beside the proof is what it should be for a proof of `statement` under `key`. It says nothing
    /// about the proof itself.
    pub fn is_of(&self, key: &VerifierKeyOf<S>, statement: &S::Statement) -> bool {
        self.shape == *key.shape()
            && self.vk_digest == key.digest()
            && self.srs == key.srs().into()
            && key.shape().inputs_of(statement).is_ok_and(|inputs| inputs == self.public_inputs)
    }

    /// The content of the file.
    pub fn to_json(&self) -> String {
        let raw = Raw {
            scheme: self.shape.scheme(),
            shape: self.shape.clone(),
            kind: self.proof.kind(),
            public_inputs: self.public_inputs.iter().map(field_to_hex).collect(),
            proof: to_hex(self.proof.bytes()),
            vk_digest: self.vk_digest,
            srs: self.srs.clone(),
        };
        serde_json::to_string_pretty(&raw).expect("numbers and strings") + "\n"
    }
}

impl ProofFile {
    /// The signers that the file names, if its shape says who signed: a claim, until the proof was verified against a
    /// statement that [names them](muster_circuits::Statement::signers).
    pub fn signers(&self) -> Option<SignerMask> {
        self.shape.signers(&self.public_inputs).ok().flatten()
    }
}
