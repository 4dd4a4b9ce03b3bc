//! Proofs, and what their files claim.

use std::path::{Path, PathBuf};

use muster_circuits::{SignerMask, KEY_SET_ROOT, MESSAGE, THRESHOLD};
use muster_prover::{files::ProofFile, input, output::write_file, Message, Statement};
use pyo3::{prelude::*, types::PyDict};

use crate::{error::Fault, shape::Shape, value::field_to_bytes};

/// The longest file that is read: several times what the widest layout takes.
const LIMIT: u64 = 1 << 23;

/// A proof, and what its file claims it to be about.
///
/// It does not say what it proves: `VerifierKey.verify` is told what to expect.
#[pyclass(frozen, module = "muster_zk")]
pub(crate) struct Proof(pub(crate) ProofFile);

#[pymethods]
impl Proof {
    /// Reads a proof's file.
    ///
    /// Raises BadInput with the file and the field.
    #[staticmethod]
    fn read(path: PathBuf) -> Result<Self, Fault> {
        Ok(Self(ProofFile::parse(&path, &input::read(&path, LIMIT)?)?))
    }

    /// A proof from the text of such a file.
    #[staticmethod]
    fn from_json(text: &str) -> Result<Self, Fault> {
        Ok(Self(ProofFile::parse(Path::new("proof"), text.as_bytes())?))
    }

    /// The text of the proof's file.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Writes the proof's file, whole or not at all. One that exists is only replaced with `force=True`.
    #[pyo3(signature = (path, *, force=false))]
    fn write(&self, path: PathBuf, force: bool) -> Result<(), Fault> {
        Ok(write_file(&path, self.0.to_json().as_bytes(), force)?)
    }

    /// The format: `fast` or `compact`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.proof.kind().name()
    }

    /// The digest of the verifying key that the file names.
    #[getter]
    fn key_digest(&self) -> [u8; 32] {
        self.0.vk_digest
    }

    /// The shape that the file names.
    #[getter]
    fn shape(&self) -> Shape {
        Shape(self.0.shape.clone().into())
    }

    /// What the file claims the proof to be about: root, threshold, message (`None` if the inputs are those of no message)
    /// and, if the shape has a mask, signers. Compare it with what you expect; it is no evidence.
    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (inputs, words) = (self.0.claimed_inputs(), self.0.shape.mask_inputs());
        let message = Message::from_public_inputs(&inputs[MESSAGE..words.start]);
        let threshold = inputs[THRESHOLD].to_bytes();
        let claims = PyDict::new(py);
        claims.set_item("root", field_to_bytes(&inputs[KEY_SET_ROOT]))?;
        let int = py.get_type::<pyo3::types::PyInt>();
        claims
            .set_item("threshold", int.call_method1("from_bytes", (&threshold[..], "little"))?)?;
        claims.set_item("message", message.map(|message| message.to_bytes()))?;
        claims.set_item("signers", self.0.signers().as_ref().map(SignerMask::to_vec))?;
        Ok(claims)
    }

    fn __bytes__(&self) -> &[u8] {
        self.0.proof.bytes()
    }

    fn __len__(&self) -> usize {
        self.0.proof.bytes().len()
    }

    fn __repr__(&self) -> String {
        format!("<Proof of {} bytes, {}>", self.__len__(), self.kind())
    }
}

impl Proof {
    /// What the file says to be about something else than `expected`, in words.
    pub(crate) fn differs(&self, expected: &Statement) -> Option<&'static str> {
        let (claimed, inputs) = (self.0.claimed_inputs(), expected.public_inputs());
        let place =
            claimed.iter().zip(&inputs).position(|(claimed, expected)| claimed != expected)?;
        let words = self.0.shape.mask_inputs();
        Some(match place {
            KEY_SET_ROOT => "root",
            THRESHOLD => "threshold",
            place if place < words.start => "message",
            _ => "list of signers",
        })
    }
}
