//! `proposal.json`, `attestation-1.json` and `certificate.json` of a key generation.

use std::path::Path;

use muster_prover::encoding::to_hex;
use muster_threshold::dkg::{Attestation, Certificate, Proposal};
use serde::{Deserialize, Serialize};

use super::exact;
use crate::Error;

/// A set of dealers with their dealings' digests, and the digest of the sum.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposalFile {
    ceremony: String,
    epoch: u64,
    dealers: Vec<usize>,
    dealings: Vec<String>,
    sum: String,
}

impl ProposalFile {
    /// The content of a proposal's file.
    pub fn new(proposal: &Proposal) -> Self {
        Self {
            ceremony: to_hex(&proposal.ceremony),
            epoch: proposal.epoch,
            dealers: proposal.dealers.clone(),
            dealings: proposal.dealings.iter().map(|digest| to_hex(digest)).collect(),
            sum: to_hex(&proposal.sum),
        }
    }

    /// The proposal.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`].
    pub fn decode(&self, path: &Path) -> Result<Proposal, Error> {
        let dealing = |(i, text): (usize, &String)| exact(path, &format!("dealings[{i}]"), text);
        Ok(Proposal {
            ceremony: exact(path, "ceremony", &self.ceremony)?,
            epoch: self.epoch,
            dealers: self.dealers.clone(),
            dealings: self.dealings.iter().enumerate().map(dealing).collect::<Result<_, _>>()?,
            sum: exact(path, "sum", &self.sum)?,
        })
    }
}

/// A player's signature on a proposal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttestationFile {
    player: usize,
    signature: String,
}

impl AttestationFile {
    /// The content of an attestation's file.
    pub fn new(attestation: &Attestation) -> Self {
        Self { player: attestation.player, signature: to_hex(&attestation.signature) }
    }

    /// The attestation.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`].
    pub fn decode(&self, path: &Path) -> Result<Attestation, Error> {
        let signature = exact(path, "signature", &self.signature)?;
        Ok(Attestation { player: self.player, signature })
    }
}

/// A proposal with the attestations of enough stake.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateFile {
    proposal: ProposalFile,
    attesters: Vec<usize>,
    signature: String,
}

impl CertificateFile {
    /// The content of a certificate's file.
    pub fn new(certificate: &Certificate) -> Self {
        Self {
            proposal: ProposalFile::new(&certificate.proposal),
            attesters: certificate.attesters.clone(),
            signature: to_hex(&certificate.signature),
        }
    }

    /// The certificate.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`].
    pub fn decode(&self, path: &Path) -> Result<Certificate, Error> {
        Ok(Certificate {
            proposal: self.proposal.decode(path)?,
            attesters: self.attesters.clone(),
            signature: exact(path, "signature", &self.signature)?,
        })
    }
}
