//! Signature schemes outside a circuit.

use muster_circuits::{Committee, SchemeVisitor, Suite};
use muster_gadgets::signature::instructions::SignatureInstructions;
use muster_prover::{KeyKind, Message, Scheme};
use muster_schemes::signature::{SignatureError, SignedMessage};
use pyo3::{prelude::*, types::PyList};
use rand::{rngs::OsRng, RngCore};
use serde_json::json;
use zeroize::Zeroizing;

use crate::{
    error::Fault,
    value::{self, to_python},
    work::long,
};

/// A seed, of which every scheme makes a secret key.
pub(crate) type Seed = Zeroizing<[u8; 32]>;

/// The schemes, each as a dictionary of its name, curve, encodings and rules.
#[pyfunction]
pub(crate) fn schemes(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = Scheme::ALL.iter().map(|scheme| {
        let about = scheme.description();
        let object = json!({
            "name": scheme.name(),
            "curve": about.curve,
            "public_key": about.public_key,
            "message": about.message,
            "signature": about.signature,
            "equation": about.equation,
            "a_key_is_accepted_if": about.key_rules,
            "a_signature_is_accepted_if": about.signature_rules,
            "signatures_made_elsewhere": about.elsewhere,
            "aggregate": scheme.is_aggregate(),
        });
        to_python(py, &object)
    });
    PyList::new(py, list.collect::<PyResult<Vec<_>>>()?)
}

/// A secret key, for tests: it lies in the memory of a Python process, which others may read.
///
/// It is made from `seed`, 32 bytes, or else from the system's randomness.
#[pyclass(frozen, module = "muster_zk")]
pub(crate) struct SecretKey {
    scheme: Scheme,
    seed: Seed,
    public_key: Vec<u8>,
}

#[pymethods]
impl SecretKey {
    #[new]
    #[pyo3(signature = (scheme, seed=None))]
    fn new(scheme: &str, seed: Option<&[u8]>) -> Result<Self, Fault> {
        let scheme = value::scheme(scheme)?;
        let mut bytes = Seed::default();
        match seed {
            Some(seed) if seed.len() == bytes.len() => bytes.copy_from_slice(seed),
            Some(seed) => {
                let reason = format!("expected {} bytes, found {}", bytes.len(), seed.len());
                return Err(Fault::argument("seed", reason));
            }
            None => OsRng.fill_bytes(&mut bytes[..]),
        }
        let public_key = scheme.suite().visit(KeyOf(&bytes));
        let public_key = public_key.map_err(|rule| Fault::argument("seed", rule))?;
        Ok(Self { scheme, seed: bytes, public_key })
    }

    /// The scheme's name.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.scheme.name()
    }

    /// The public key, in the encoding of the scheme's own standard.
    #[getter]
    fn public_key(&self) -> Vec<u8> {
        self.public_key.clone()
    }

    /// A signature on `message`, as the scheme's signers make it by themselves.
    ///
    /// Raises BadInput for a message that the scheme does not sign, and for `musig-babyjubjub`, whose signers sign
    /// together: see `Committee.sign`.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Fault> {
        alone(self.scheme)?;
        let message = value::message(self.scheme, message)?;
        let signed = self.scheme.suite().visit(Sign { seed: &self.seed, message: &message });
        signed?.map_err(|rule| Fault::argument("seed", rule))
    }

    fn __repr__(&self) -> String {
        format!("<SecretKey of {}>", self.scheme)
    }
}

impl SecretKey {
    /// The seed, if the key is one of this scheme.
    pub(crate) fn seed_of(&self, scheme: Scheme) -> Option<Seed> {
        (self.scheme == scheme).then(|| self.seed.clone())
    }
}

/// Checks one signature by one key, as a committee's signatures are checked.
///
/// Raises FalseStatement with the rule that is broken if it is no signature on `message`, and BadInput for a key that no
/// committee can hold.
#[pyfunction]
#[pyo3(signature = (scheme, public_key, message, signature, *, rule=None))]
pub(crate) fn verify_signature(
    py: Python<'_>,
    scheme: &str,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
    rule: Option<&str>,
) -> Result<(), Fault> {
    let scheme = value::scheme(scheme)?;
    alone(scheme)?;
    let rule = value::rule(rule)?;
    let suite = Suite::new(scheme, KeyKind::Coordinates, rule, None);
    let suite = suite.map_err(|_| Fault::argument("rule", format!("not one of {scheme}")))?;
    let key = suite.decode_key(public_key).map_err(|rule| Fault::argument("public_key", rule))?;
    let committee = Committee::new(&[(key, 1)])?;
    committee.admitted(suite)?;
    let message = value::message(scheme, message)?;
    let signature = suite.decode_signature(signature);
    let signature = signature.map_err(|rule| Fault::False(rule.to_string()))?;
    long(py, move || {
        let (_, dropped) = suite.sort_out(&committee, &message, vec![(0, signature)])?;
        match dropped.into_iter().next() {
            None => Ok(()),
            Some(dropped) => Err(Fault::False(dropped.reason.to_string())),
        }
    })
}

/// Whether members of a scheme sign by themselves.
fn alone(scheme: Scheme) -> Result<(), Fault> {
    if scheme.is_aggregate() && !scheme.adds_keys() {
        return Err(Fault::argument("scheme", format!("signers of {scheme} only sign together")));
    }
    Ok(())
}

/// The public key of a seed.
struct KeyOf<'a>(&'a Seed);

impl SchemeVisitor for KeyOf<'_> {
    type Output = Result<Vec<u8>, SignatureError>;

    fn visit<S: SignatureInstructions>(self, _: S) -> Self::Output {
        let secret = S::secret_key_from_seed(self.0)?;
        Ok(S::encode_public_key(&S::public_key(&secret)))
    }
}

/// Signs a message with the key of a seed.
struct Sign<'a> {
    seed: &'a Seed,
    message: &'a Message,
}

impl SchemeVisitor for Sign<'_> {
    type Output = Result<Result<Vec<u8>, SignatureError>, Fault>;

    fn visit<S: SignatureInstructions>(self, _: S) -> Self::Output {
        let message = <S::Message as SignedMessage>::of(self.message);
        let message = message.ok_or_else(|| Fault::argument("message", "not one of the scheme"))?;
        let sign = |secret| S::encode_signature(&S::sign(&secret, &message, &mut OsRng));
        Ok(S::secret_key_from_seed(self.seed).map(sign))
    }
}
