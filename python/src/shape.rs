//! What keys are made for.

use std::sync::Arc;

use muster_circuits::{Columns, Mode, Request, Shape as CircuitShape, MAX_SLOTS};
use muster_prover::{estimate::Size, Keys, Memory};
use muster_sweep::proofs::mode_name;
use pyo3::prelude::*;
use serde_json::json;

use crate::{
    error::Fault,
    value::{self, to_python},
    work::long,
};

/// The most members that a set may have room for: no index exceeds 32 bits.
const MAX_CAPACITY: usize = 1 << 32;
/// The most leaves that a circuit may hash: more do not fit any degree.
const MAX_WHOLE_SET: usize = 1 << 24;

/// What fixes a verifying key: the scheme and its choices, the most members, the most signers, and the circuit that is
/// estimated to be the fastest for them.
///
/// `signers` is the most members that a committee may have, `slots` the most of them that sign (default: all), and
/// `absent` the most that do not, for schemes whose keys add up (BLS). All else is as in `muster keygen`.
#[pyclass(frozen, module = "muster_zk", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Shape(pub(crate) Arc<CircuitShape>);

#[pymethods]
impl Shape {
    #[new]
    #[pyo3(signature = (scheme, signers, slots=None, *, absent=None, keys="coordinates", rule=None, message_form=None,
                        hash=None, mode=None, arity=None, depth=None, mask=false, degree=None))]
    #[allow(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        scheme: &str,
        signers: usize,
        slots: Option<usize>,
        absent: Option<usize>,
        keys: &str,
        rule: Option<&str>,
        message_form: Option<&str>,
        hash: Option<&str>,
        mode: Option<&str>,
        arity: Option<usize>,
        depth: Option<usize>,
        mask: bool,
        degree: Option<u32>,
    ) -> Result<Self, Fault> {
        let scheme = value::scheme(scheme)?;
        let plain = Request::new(scheme, signers, slots.unwrap_or(signers));
        let request = Request {
            keys: value::keys(keys)?,
            rule: value::rule(rule)?,
            message: value::form(message_form)?,
            hash: value::hash(hash)?,
            mode: value::mode(mode)?,
            arity: arity.unwrap_or(plain.arity),
            absent,
            depth,
            mask,
            degree,
            ..plain
        };
        check_numbers(&request)?;
        long(py, move || Ok(Self(CircuitShape::fit(&request)?.into())))
    }

    /// The scheme's name.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.scheme.name()
    }

    /// The most members of a committee.
    #[getter]
    fn signers(&self) -> usize {
        self.0.capacity
    }

    /// The most members who sign or, in the mode `complement`, who do not.
    #[getter]
    fn slots(&self) -> usize {
        self.0.slots
    }

    /// How membership is proven: `whole-set`, `path` or `complement`.
    #[getter]
    fn mode(&self) -> &'static str {
        mode_name(self.0.mode)
    }

    /// Children of a node of the key-set tree.
    #[getter]
    fn arity(&self) -> usize {
        self.0.arity
    }

    /// Levels of the key-set tree.
    #[getter]
    fn depth(&self) -> usize {
        self.0.depth
    }

    /// Whether statements say who signed.
    #[getter]
    fn mask(&self) -> bool {
        self.0.mask
    }

    /// log₂ of the circuit's rows.
    #[getter]
    fn degree(&self) -> u32 {
        self.0.degree()
    }

    /// The circuit's columns: advice, fixed, lookups, permutation.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Columns { advice, fixed, lookups, permutation } = Columns::of(&self.0.layout);
        let columns = json!({
            "advice": advice, "fixed": fixed, "lookups": lookups, "permutation": permutation,
        });
        to_python(py, &columns)
    }

    /// What a proof is estimated to take: `seconds` on two cores, `bytes` of memory, and `srs_degree`, log₂ of the powers
    /// of the SRS. Nothing is measured: `sweep` does that.
    #[pyo3(signature = (kind="fast"))]
    fn estimate<'py>(&self, py: Python<'py>, kind: &str) -> Result<Bound<'py, PyAny>, Fault> {
        let (shape, kind) = (self.0.clone(), value::kind(kind)?);
        let size = long(py, move || Ok(Size::of(&*shape, kind)?))?;
        let estimate = json!({
            "seconds": size.seconds(),
            "bytes": size.proving_bytes(Memory::Low, 1),
            "proving_key_bytes": Keys::proving_key_bytes(&self.0)?,
            "srs_degree": size.srs_degree,
        });
        Ok(to_python(py, &estimate)?)
    }

    /// The shape as Muster's files have it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(*self.0))
    }

    fn __repr__(&self) -> String {
        let shape = &self.0;
        let (name, slots, mode) = (shape.scheme_name(), shape.slots_in_words(), self.mode());
        format!(
            "<Shape of {name}: {slots}, capacity {}, {mode}, 2^{} rows>",
            shape.capacity,
            self.degree()
        )
    }
}

/// Refuses what no circuit is that large for, before one is searched.
fn check_numbers(request: &Request) -> Result<(), Fault> {
    let &Request { scheme, capacity, slots, absent, mode, .. } = request;
    let within = |what: &str, number: usize, from: usize, most: usize| {
        let reason = || Fault::argument(what, format!("{number} is not from {from} to {most}"));
        (from..=most).contains(&number).then_some(()).ok_or_else(reason)
    };
    within("signers", capacity, 1, MAX_CAPACITY)?;
    match absent {
        Some(_) if !scheme.adds_keys() => {
            return Err(Fault::argument("absent", format!("keys of {scheme} do not add up")));
        }
        Some(absent) if mode.is_none_or(Mode::holds_absent) => {
            within("absent", absent, 0, MAX_SLOTS)?;
        }
        _ => within("slots", slots, 1, MAX_SLOTS)?,
    }
    if mode == Some(Mode::WholeSet) {
        within("signers", capacity, 1, MAX_WHOLE_SET)?;
    }
    Ok(())
}
