#![doc = include_str!("../README.md")]

use std::path::Path;

use muster_evm::verifier::{verify_proof, KeyName};
use muster_prover::{
    muster_circuits, prove, Committee, Error, Keys, Message, Proof, Signatures, Srs, Statement,
    VerifierKey, VerifyError,
};

/// Why nothing is sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RelayError {
    /// The directory holds keys other than the published ones.
    #[error("the key is {found}, not {published}")]
    OtherKeys {
        /// Name of the key that was published.
        published: KeyName,
        /// Name of the one that was found.
        found: KeyName,
    },
    /// Contracts only know keys of the format compact.
    #[error("the keys are for another format than compact, which alone contracts verify")]
    NotForContracts,
    /// The committee does not fit the circuit.
    #[error("the committee: {0}")]
    Committee(#[from] muster_circuits::Error),
    /// The signatures do not reach the threshold, or one of them is bad.
    #[error(transparent)]
    Prover(#[from] Error),
    /// A proof does not prove what is expected.
    #[error("the proof: {0}")]
    Proof(#[from] VerifyError),
}

/// What a relayer believes before it hears from anybody: its configuration.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// The name that the contract knows the key by, as the operators of the bridge publish it.
    pub key: KeyName,
    /// The committee in office.
    pub committee: Committee,
    /// The least sum of weights that may act.
    pub threshold: u64,
}

/// Checks a proof against what is trusted, and makes calldata of it for `MusterVerifier`.
#[derive(Clone, Debug)]
pub struct Gatekeeper {
    key: VerifierKey,
    trusted: Trusted,
}

impl Gatekeeper {
    /// Accepts a verifying key if it is the published one.
    ///
    /// # Errors
    ///
    /// [`RelayError::OtherKeys`], [`RelayError::NotForContracts`].
    pub fn new(key: VerifierKey, trusted: Trusted) -> Result<Self, RelayError> {
        let compact = key.key().as_compact().ok_or(RelayError::NotForContracts)?;
        let (found, published) = (KeyName(compact.evm_key().name()), trusted.key);
        if found == published {
            Ok(Self { key, trusted })
        } else {
            Err(RelayError::OtherKeys { published, found })
        }
    }

    /// What has to be proven before anything is done about `message`.
    ///
    /// # Errors
    ///
    /// [`RelayError::Committee`] if the committee does not fit the circuit.
    pub fn expected(&self, message: Message) -> Result<Statement, RelayError> {
        let key_set_root = self.key.shape().tree(&self.trusted.committee)?.root();
        Ok(Statement { key_set_root, threshold: self.trusted.threshold, message, signers: None })
    }

    /// Calldata that brings `message` to the chain, if the trusted committee signed it. The message
    /// is the relayer's own, computed from the event that it relays; from whoever sends the proof
    /// it takes only the proof.
    ///
    /// # Errors
    ///
    /// [`RelayError::Proof`] if it did not, [`RelayError::Committee`].
    pub fn admit(&self, message: Message, proof: &Proof) -> Result<Vec<u8>, RelayError> {
        let expected = self.expected(message)?;
        let proof = self.key.calldata(&expected, proof)?;
        Ok(verify_proof(self.trusted.key, &expected.public_inputs(), &proof))
    }
}

/// Proves what a committee signed.
#[derive(Debug)]
pub struct Relayer {
    srs: Srs,
    keys: Keys,
    gatekeeper: Gatekeeper,
}

impl Relayer {
    /// Reads the keys from a directory that `muster keygen` or [`Keys::save`] wrote. `srs` is the
    /// one that they were made from.
    ///
    /// # Errors
    ///
    /// [`RelayError::Prover`] naming the file, and those of [`Gatekeeper::new`].
    pub fn open(dir: &Path, srs: Srs, trusted: Trusted) -> Result<Self, RelayError> {
        let keys = Keys::load(dir)?;
        let gatekeeper = Gatekeeper::new(keys.verifier(), trusted)?;
        Ok(Self { srs, keys, gatekeeper })
    }

    /// Proves that enough of the committee signed `message`, and returns the calldata that says so.
    ///
    /// # Errors
    ///
    /// [`RelayError::Prover`] with the signer and the rule for signatures that do not, and those of
    /// [`Gatekeeper::admit`].
    pub fn relay(&self, message: Message, signatures: &Signatures) -> Result<Vec<u8>, RelayError> {
        let expected = self.gatekeeper.expected(message.clone())?;
        let committee = &self.gatekeeper.trusted.committee;
        let terms = self.keys.shape().terms()?;
        let witness = terms.verify(&expected, committee, signatures).map_err(Error::from)?;
        let proof = prove(&self.srs, &self.keys, &witness)?;
        self.gatekeeper.admit(message, &proof)
    }
}
