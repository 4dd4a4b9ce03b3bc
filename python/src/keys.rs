//! Keys: what proofs are made and verified with.

use std::{path::PathBuf, sync::Arc};

use muster_circuits::{Message, PublicMessage, SignerMask, Statement};
use muster_params::{Srs, SrsCache};
use muster_prover::{
    files::ProofFile, keys::KeyFiles, prove, Keys as KeyPair, Memory, VerifierKey as Verifier,
};
use pyo3::{exceptions::PyUserWarning, prelude::*};

use crate::{
    committee::{Committee, Signatures, Threshold},
    error::Fault,
    proof::Proof,
    shape::Shape,
    srs::Source,
    statement::Asked,
    value,
    work::long,
};

/// The keys of a shape, and the SRS that they were made from: what proofs are made with.
#[pyclass(frozen, module = "muster_zk")]
pub(crate) struct Keys {
    keys: Arc<KeyPair>,
    srs: Arc<Srs>,
}

#[pymethods]
impl Keys {
    /// Makes the keys of a shape, for proofs of the kind `fast`, or `compact` for contracts.
    ///
    /// The SRS comes from the file `srs`, in any format that `muster keygen --srs` reads (`srs_g2` is the second file of a
    /// .point pair), or else from the cache. `insecure=True` allows one that no ceremony made, and makes it if need be:
    /// whoever made it can forge proofs, so it is for tests.
    #[staticmethod]
    #[pyo3(signature = (shape, *, kind="fast", srs=None, srs_g2=None, insecure=false))]
    fn make(
        py: Python<'_>,
        shape: &Shape,
        kind: &str,
        srs: Option<PathBuf>,
        srs_g2: Option<PathBuf>,
        insecure: bool,
    ) -> Result<Self, Fault> {
        let (shape, kind, source) =
            (shape.0.clone(), value::kind(kind)?, Source { file: srs, g2: srs_g2 });
        long(py, move || {
            let srs = source.load(KeyPair::srs_degree(&shape, kind)?, insecure)?;
            let mut keys = KeyPair::make_for(&srs, &shape, kind)?;
            keys.keep_bases_in(SrsCache::from_env());
            Ok(Self { keys: keys.into(), srs: srs.into() })
        })
    }

    /// Reads the keys in a directory that `save` or `muster keygen` wrote, and their SRS from the file `srs` or else from
    /// the cache.
    #[staticmethod]
    #[pyo3(signature = (directory, *, srs=None, srs_g2=None))]
    fn load(
        py: Python<'_>,
        directory: PathBuf,
        srs: Option<PathBuf>,
        srs_g2: Option<PathBuf>,
    ) -> Result<Self, Fault> {
        let source = Source { file: srs, g2: srs_g2 };
        long(py, move || {
            let files = KeyFiles::open(&directory)?;
            let srs = source.of_keys(files.verifier())?;
            let mut keys = files.read()?;
            keys.keep_bases_in(SrsCache::from_env());
            Ok(Self { keys: keys.into(), srs: srs.into() })
        })
    }

    /// Writes the keys into a directory. Keys that are there are only replaced with `force=True`.
    #[pyo3(signature = (directory, *, force=false))]
    fn save(&self, py: Python<'_>, directory: PathBuf, force: bool) -> Result<(), Fault> {
        let keys = self.keys.clone();
        long(py, move || Ok(keys.save(&directory, force)?))
    }

    /// What the keys were made for.
    #[getter]
    fn shape(&self) -> Shape {
        Shape(self.keys.shape().clone().into())
    }

    /// The half that verifiers need.
    #[getter]
    fn verifier(&self) -> VerifierKey {
        VerifierKey(self.keys.verifier().into())
    }

    /// Does before the first proof what all proofs of these keys share. `memory="fast"` also keeps what makes further proofs
    /// faster, and takes more memory.
    #[pyo3(signature = (memory="low"))]
    fn prepare(&self, py: Python<'_>, memory: &str) -> Result<(), Fault> {
        let memory = match memory {
            "low" => Memory::Low,
            "fast" => Memory::Fast,
            other => {
                return Err(Fault::argument("memory", format!("{other:?} is neither low nor fast")))
            }
        };
        let (keys, srs) = (self.keys.clone(), self.srs.clone());
        long(py, move || Ok(keys.prepare(&srs, memory).map(|_| ())?))
    }

    /// Proves that members of a committee signed. The proof is verified before it is returned.
    ///
    /// `threshold` is a sum of weights, or a part of the total weight such as `">2/3"`. Signatures that do not count are
    /// dropped with a UserWarning, or with `strict=True` refused.
    ///
    /// Raises FalseStatement with the reason if the others do not reach the threshold, and BadInput.
    #[pyo3(signature = (committee, signatures, threshold, *, strict=false))]
    fn prove(
        &self,
        py: Python<'_>,
        committee: &Committee,
        signatures: &Signatures,
        threshold: Threshold,
        strict: bool,
    ) -> Result<Proof, Fault> {
        let asked = Asked::new(committee, signatures, &threshold, strict)?;
        let (keys, srs) = (self.keys.clone(), self.srs.clone());
        let (proof, dropped) = long(py, move || {
            let (ready, _) = asked.check(Some(keys.shape().clone().into()))?;
            let proof = prove(&srs, &keys, &ready.witness)?;
            Ok((ProofFile::new(&keys, &ready.statement, proof), ready.dropped))
        })?;
        if !dropped.is_empty() {
            let category = py.get_type::<PyUserWarning>();
            let text = dropped.to_string();
            py.import("warnings")?.call_method1("warn", (text.trim_end(), category))?;
        }
        Ok(Proof(proof))
    }

    fn __repr__(&self) -> String {
        format!("<Keys of {}>", self.keys.shape().scheme_name())
    }
}

/// The key that proofs are verified with. It is small, and needs no SRS.
#[pyclass(frozen, module = "muster_zk")]
pub(crate) struct VerifierKey(Arc<Verifier>);

#[pymethods]
impl VerifierKey {
    /// Reads the verifier's half of the keys in a directory: `shape.json` and `verifying.key`.
    ///
    /// Compare `digest` with one that you trust: anybody can make keys.
    #[staticmethod]
    fn load(py: Python<'_>, directory: PathBuf) -> Result<Self, Fault> {
        long(py, move || Ok(Self(Verifier::load(&directory)?.into())))
    }

    /// What names the key, 32 bytes.
    #[getter]
    fn digest(&self) -> [u8; 32] {
        self.0.digest()
    }

    /// What the key was made for.
    #[getter]
    fn shape(&self) -> Shape {
        Shape(self.0.shape().clone().into())
    }

    /// The format of the proofs that it verifies: `fast` or `compact`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().name()
    }

    /// Whether the key says that its SRS was made by no ceremony.
    #[getter]
    fn is_insecure(&self) -> bool {
        self.0.srs().insecure
    }

    /// Verifies a proof against what you expect; never take that from where the proof is from, since anybody can prove that
    /// a committee of their own signed.
    ///
    /// `message` is what was signed, or else `digest` are the 32 public bytes of it, where a digest is public. `signers` are
    /// the members who signed, all of them, if the keys were made with a mask.
    ///
    /// Returns nothing. Raises FalseStatement if the proof does not prove this; BadInput if the key cannot say it, or if its
    /// SRS is insecure and `allow_insecure` is not set.
    #[pyo3(signature = (proof, *, root, threshold, message=None, digest=None, signers=None, allow_insecure=false))]
    #[allow(clippy::too_many_arguments, reason = "keywords in Python")]
    fn verify(
        &self,
        py: Python<'_>,
        proof: Py<Proof>,
        root: &[u8],
        threshold: u64,
        message: Option<&[u8]>,
        digest: Option<[u8; 32]>,
        signers: Option<Vec<usize>>,
        allow_insecure: bool,
    ) -> Result<(), Fault> {
        if self.is_insecure() && !allow_insecure {
            let reason = "no ceremony made its SRS, so whoever did can forge proofs; for tests there is allow_insecure=True";
            return Err(Fault::argument("key", reason));
        }
        let expected = Statement {
            key_set_root: value::field_from_bytes("root", root)?,
            threshold,
            message: self.message(message, digest)?,
            signers: signers.map(|signers| self.mask(&signers)).transpose()?,
        };
        let key = self.0.clone();
        long(py, move || {
            let proof = proof.get();
            let verdict = key.verify(&expected, &proof.0.proof).map_err(Fault::from);
            let Err(Fault::False(reason)) = verdict else { return verdict };
            Err(Fault::False(match proof.differs(&expected) {
                _ if proof.0.vk_digest != key.digest() => {
                    format!("{reason}; its file names another verifying key")
                }
                Some(what) => format!("{reason}; its file says that it is about another {what}"),
                None => reason,
            }))
        })
    }

    fn __repr__(&self) -> String {
        let digest = muster_prover::encoding::to_hex(&self.digest());
        format!("<VerifierKey {digest} of {}>", self.0.shape().scheme_name())
    }
}

impl VerifierKey {
    /// What a statement has of a message.
    fn message(&self, message: Option<&[u8]>, digest: Option<[u8; 32]>) -> Result<Message, Fault> {
        let shape = self.0.shape();
        match (message, digest) {
            (Some(message), None) => {
                let message = value::message(shape.scheme, message)?;
                Ok(shape.suite()?.stated(&message)?.public())
            }
            (None, Some(digest)) if shape.public_message() == PublicMessage::Digest => {
                Ok(Message::Digest(digest))
            }
            (None, Some(_)) => Err(Fault::argument(
                "digest",
                format!("{} has none; give message", shape.scheme_name()),
            )),
            _ => Err(Fault::argument("message", "give either this or digest")),
        }
    }

    fn mask(&self, signers: &[usize]) -> Result<SignerMask, Fault> {
        let mask = SignerMask::new(self.0.shape().capacity, signers.iter().copied());
        mask.map_err(|fault| Fault::argument("signers", fault))
    }
}
