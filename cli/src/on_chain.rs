//! Keys and proofs as the one contract takes them.

use std::path::Path;

use muster_circuits::{
    translation::{TranslationShape, TranslationStatement},
    CircuitShape, Shape, Statement,
};
use muster_evm::{
    evm::EvmError,
    verifier::{KeyName, Verifier},
};
use muster_params::INSECURE_WARNING;
use muster_prover::{encoding::to_hex, files::ProofFileOf, Fr, ProofKind, VerifierKeyOf};

use crate::{
    fault::{claim, ProofFault},
    progress::Progress,
    Error,
};

/// A key that the contract may store.
#[derive(Clone, Debug)]
pub(crate) struct ChainKeyOf<S> {
    key: VerifierKeyOf<S>,
    name: KeyName,
    bytes: Vec<u8>,
}

/// The key of a threshold circuit.
pub(crate) type ChainKey = ChainKeyOf<Shape>;

/// A proof that the key accepts.
#[derive(Clone, Debug)]
pub(crate) struct ChainProof {
    /// What it claims.
    pub(crate) inputs: Vec<Fr>,
    /// The proof with its points in the long encoding.
    pub(crate) bytes: Vec<u8>,
}

/// What the contract took for a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verified {
    /// Execution gas.
    pub(crate) gas: u64,
    /// Bytes of the contract's code.
    pub(crate) code_bytes: usize,
}

/// A circuit whose proofs contracts verify.
pub(crate) trait OnChain: CircuitShape {
    /// The command that makes keys for it.
    const KEYGEN: &str;

    /// The statement that the public inputs of a proof claim.
    fn claim(&self, inputs: &[Fr]) -> Result<Self::Statement, ProofFault>;
}

impl OnChain for Shape {
    const KEYGEN: &str = "muster keygen";

    fn claim(&self, inputs: &[Fr]) -> Result<Statement, ProofFault> {
        claim(self, inputs)
    }
}

impl OnChain for TranslationShape {
    const KEYGEN: &str = "muster translate keygen";

    fn claim(&self, inputs: &[Fr]) -> Result<TranslationStatement, ProofFault> {
        TranslationStatement::from_public_inputs(inputs).ok_or(ProofFault::NoTranslation)
    }
}

impl<S: OnChain> ChainKeyOf<S> {
    /// Reads the keys that an option names, which have to be of the format compact.
    pub(crate) fn load(option: &str, keys: &Path) -> Result<Self, Error> {
        let key = VerifierKeyOf::load(keys)?;
        let insecure = key.srs().insecure;
        let found = Self::of(key).ok_or_else(|| {
            let path = keys.display();
            Error::usage(format!(
                "{option} {path}: contracts verify the format compact, and these keys are for fast: \
                 make others with {} --kind compact",
                S::KEYGEN
            ))
        })?;
        if insecure {
            Progress::new().warn(INSECURE_WARNING);
        }
        Ok(found)
    }

    /// The key, if it is for proofs of the format compact.
    pub(crate) fn of(key: VerifierKeyOf<S>) -> Option<Self> {
        let evm_key = key.key().as_compact()?.evm_key();
        let (name, bytes) = (KeyName(evm_key.name()), evm_key.as_bytes().to_vec());
        Some(Self { key, name, bytes })
    }

    pub(crate) fn key(&self) -> &VerifierKeyOf<S> {
        &self.key
    }

    /// The name that the contract knows it by.
    pub(crate) fn name(&self) -> KeyName {
        self.name
    }

    /// What the contract stores.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the contract is given of the proof in a file, which must hold for the statement that the proof itself names:
    /// what is expected is for the contract to say.
    pub(crate) fn proof(&self, path: &Path) -> Result<ChainProof, Error> {
        let file = ProofFileOf::<S>::read(path)?;
        if file.proof.kind() != ProofKind::Compact {
            let advice = format!("make keys with {} --kind compact, and prove again", S::KEYGEN);
            let found = file.proof.kind().name();
            let reason = format!("{found}, but contracts verify compact: {advice}");
            return Err(Error::field(path, "kind", reason));
        }
        if file.vk_digest != self.key.digest() {
            let expected = to_hex(&self.key.digest());
            return Err(Error::field(path, "vk_digest", format!("the key's is {expected}")));
        }
        // Of another scheme, there might be more public inputs.
        if file.shape != *self.key.shape() {
            return Err(Error::field(path, "shape", "not the key's"));
        }
        let rejected = |fault: ProofFault| Error::BadProofs(vec![(path.to_path_buf(), fault)]);
        let statement = self.key.shape().claim(file.claimed_inputs()).map_err(rejected)?;
        let bytes = self.key.calldata(&statement, &file.proof);
        let bytes = bytes.map_err(|error| rejected(error.into()))?;
        Ok(ChainProof { inputs: file.claimed_inputs().to_vec(), bytes })
    }

    /// Has the contract verify the proof in an EVM. It is an error if it disagrees with the verifier here.
    pub(crate) fn verify(&self, proof: &ChainProof) -> Result<Verified, Error> {
        let mut verifier = Verifier::new()?;
        let name = verifier.register(&self.bytes)?;
        let outcome = verifier.verify(name, &proof.inputs, &proof.bytes)?;
        if !outcome.accepted() {
            return Err(EvmError::Refused("a proof that the verifier here accepts").into());
        }
        Ok(Verified { gas: outcome.execution_gas, code_bytes: verifier.code_length() })
    }
}
