//! What signatures show, before there is a proof.

use std::{path::PathBuf, sync::Arc};

use muster_circuits::{
    Request, Selection, Shape as CircuitShape, SignerMask, Statement, Witness, MAX_SLOTS,
};
use muster_prover::{
    check_constraints,
    files::{CommitteeFile, DroppedList, Gathered},
};
use pyo3::prelude::*;

use crate::{
    committee::{Committee, Signatures, Threshold},
    error::{refuse, Fault},
    shape::Shape,
    value::{field_to_bytes, to_python},
    work::long,
};

/// What is to be shown, and by which signatures.
pub(crate) struct Asked {
    file: Arc<CommitteeFile>,
    path: PathBuf,
    gathered: Gathered,
    threshold: u64,
    strict: bool,
}

/// A statement that was found to hold.
pub(crate) struct Ready {
    pub(crate) statement: Statement,
    pub(crate) witness: Witness,
    pub(crate) dropped: DroppedList,
    selection: Selection,
}

/// What was checked: distinct members signed, and every constraint of the circuit holds.
#[pyclass(frozen, module = "muster_zk", get_all)]
pub(crate) struct Checked {
    /// The commitment to the committee, 32 bytes.
    root: [u8; 32],
    /// The least sum of the signers' weights.
    threshold: u64,
    /// What statements say of the message: itself, or its digest.
    message: Vec<u8>,
    /// The members whom the statement names, if the shape has a mask.
    signers: Option<Vec<usize>>,
    /// The members whose signatures fill the circuit.
    taken: Vec<usize>,
    /// Members who signed, too, and are not needed.
    left_out: Vec<usize>,
    /// The signatures that do not count: the number of each, its member and the reason.
    dropped: Py<PyAny>,
    /// The circuit.
    shape: Shape,
}

#[pymethods]
impl Checked {
    fn __repr__(&self) -> String {
        let (count, threshold) = (self.taken.len(), self.threshold);
        format!("<Checked: {count} signers reach the threshold {threshold}>")
    }
}

impl Asked {
    pub(crate) fn new(
        committee: &Committee,
        signatures: &Signatures,
        threshold: &Threshold,
        strict: bool,
    ) -> Result<Self, Fault> {
        let (file, path) = (committee.file.clone(), committee.path.clone());
        let (gathered, threshold) = (signatures.gathered.clone(), threshold.of(committee)?);
        Ok(Self { file, path, gathered, threshold, strict })
    }

    /// What is asked for if no shape is given: a slot for each of so many signers.
    fn request(&self, signers: usize) -> Request {
        let CommitteeFile { scheme, keys, ref committee, .. } = *self.file;
        let members = committee.members().len();
        let absent = members.checked_sub(signers).filter(|_| scheme.adds_keys());
        let plain = Request::new(scheme, members, signers.clamp(1, MAX_SLOTS));
        Request { keys, absent, ..plain }
    }

    /// Checks all signatures, and drops those that do not count. Whoever broke a rule is named before a layout is searched
    /// for, which takes long.
    pub(crate) fn check(
        self,
        shape: Option<Arc<CircuitShape>>,
    ) -> Result<(Ready, Arc<CircuitShape>), Fault> {
        let terms = match &shape {
            Some(shape) => shape.terms()?,
            None => self.request(self.gathered.signers()).terms()?,
        };
        let key_set_root = self.file.tree(&self.path, &terms)?.root();
        let message = terms.suite().stated(self.gathered.message())?;
        let (signatures, dropped) = self.gathered.clone().sort_out(&terms, &self.file, &message)?;
        if self.strict {
            refuse(&dropped)?;
        }
        let signers = signatures.members().len();
        let slots = shape.as_ref().map_or(signers.clamp(1, MAX_SLOTS), |shape| shape.slots);
        let committee = &self.file.committee;
        let checked = || -> Result<_, muster_prover::Error> {
            let named = terms.signers(slots, committee, &signatures, self.threshold)?;
            let statement =
                Statement { key_set_root, threshold: self.threshold, message, signers: named };
            let witness = terms.verify(&statement, committee, &signatures)?;
            let shape = match shape {
                Some(shape) => shape,
                None => Arc::new(CircuitShape::fit(&self.request(signers))?),
            };
            let selection = witness.select(&shape)?;
            Ok((statement, witness, selection, shape))
        };
        let (statement, witness, selection, shape) = dropped.named_in(checked())?;
        Ok((Ready { statement, witness, dropped, selection }, shape))
    }
}

/// Checks signatures natively, and then every constraint of the circuit, without keys or a proof.
///
/// `threshold` is a sum of weights, or a part of the total weight such as `">2/3"`. Without `shape` the circuit has a slot
/// for each signer. Signatures that do not count are dropped and listed, or with `strict=True` refused.
///
/// Raises FalseStatement with the reason if the signers do not reach the threshold, and BadInput.
#[pyfunction]
#[pyo3(signature = (committee, signatures, threshold, *, shape=None, strict=false))]
pub(crate) fn check(
    py: Python<'_>,
    committee: &Committee,
    signatures: &Signatures,
    threshold: Threshold,
    shape: Option<&Shape>,
    strict: bool,
) -> Result<Checked, Fault> {
    let asked = Asked::new(committee, signatures, &threshold, strict)?;
    let shape = shape.map(|shape| shape.0.clone());
    let (ready, shape) = long(py, move || {
        let (ready, shape) = asked.check(shape)?;
        check_constraints(&shape, &ready.witness)?;
        Ok((ready, shape))
    })?;
    let Ready { statement, selection, dropped, .. } = ready;
    Ok(Checked {
        root: field_to_bytes(&statement.key_set_root),
        threshold: statement.threshold,
        message: statement.message.to_bytes(),
        signers: statement.signers.as_ref().map(SignerMask::to_vec),
        taken: selection.taken().to_vec(),
        left_out: selection.left_out().to_vec(),
        dropped: to_python(py, &dropped.to_json())?.unbind(),
        shape: Shape(shape),
    })
}
