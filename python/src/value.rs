//! Values that go from one language to the other.

use muster_prover::{
    encoding::message_from_bytes, Fr, KeyKind, Message, Mode, ProofKind, Rule, Scheme,
};
use muster_schemes::signature::{MessageForm, PointHash};
use muster_sweep::proofs::mode_name;
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use serde_json::Value;

use crate::error::Fault;

/// A scheme by its name.
pub(crate) fn scheme(name: &str) -> Result<Scheme, Fault> {
    name.parse().map_err(|error| Fault::argument("scheme", error))
}

/// One of some values, by its name.
fn named<T: Copy>(
    what: &str,
    name: &str,
    all: &[T],
    name_of: impl Fn(T) -> String,
) -> Result<T, Fault> {
    let found = all.iter().find(|value| name_of(**value) == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|value| name_of(*value)).collect();
        Fault::argument(what, format!("{name:?} is none of {}", names.join(", ")))
    })
}

pub(crate) fn rule(name: Option<&str>) -> Result<Option<Rule>, Fault> {
    let of = |name| named("rule", name, &Rule::ALL, |rule: Rule| rule.name().to_owned());
    name.map(of).transpose()
}

pub(crate) fn mode(name: Option<&str>) -> Result<Option<Mode>, Fault> {
    let all = [Mode::WholeSet, Mode::Path, Mode::Complement];
    name.map(|name| named("mode", name, &all, |mode| mode_name(mode).to_owned())).transpose()
}

pub(crate) fn kind(name: &str) -> Result<ProofKind, Fault> {
    named("kind", name, &ProofKind::ALL, |kind: ProofKind| kind.name().to_owned())
}

pub(crate) fn keys(name: &str) -> Result<KeyKind, Fault> {
    named("keys", name, &[KeyKind::Coordinates, KeyKind::Address], |keys| keys.to_string())
}

pub(crate) fn form(text: Option<&str>) -> Result<Option<MessageForm>, Fault> {
    let read = |text: &str| text.parse().map_err(|error| Fault::argument("message_form", error));
    text.map(read).transpose()
}

pub(crate) fn hash(text: Option<&str>) -> Result<PointHash, Fault> {
    let read = |text: &str| text.parse().map_err(|error| Fault::argument("hash", error));
    Ok(text.map(read).transpose()?.unwrap_or_default())
}

/// What is signed, as a scheme reads it.
pub(crate) fn message(scheme: Scheme, bytes: &[u8]) -> Result<Message, Fault> {
    message_from_bytes(scheme, bytes).map_err(|reason| Fault::argument("message", reason))
}

/// A field element as Muster's files have it: 32 bytes, big-endian.
pub(crate) fn field_to_bytes(element: &Fr) -> [u8; 32] {
    let mut bytes = element.to_bytes();
    bytes.reverse();
    bytes
}

/// Reads [`field_to_bytes`].
pub(crate) fn field_from_bytes(what: &str, bytes: &[u8]) -> Result<Fr, Fault> {
    let text = muster_prover::encoding::to_hex(bytes);
    muster_prover::encoding::field_from_hex(&text).map_err(|reason| Fault::argument(what, reason))
}

/// What JSON says, in dictionaries, lists, strings and numbers.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(list) => {
            let list = list.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>();
            PyList::new(py, list?)?.into_any()
        }
        Value::Object(object) => {
            let dict = PyDict::new(py);
            for (name, value) in object {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
