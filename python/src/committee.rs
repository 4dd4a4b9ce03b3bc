//! Committees, and the signatures of their members.

use std::{collections::BTreeMap, path::Path, path::PathBuf, sync::Arc};

use muster_circuits::{Error as CircuitError, SchemeVisitor, Signatures as Signed, Suite};
use muster_gadgets::signature::instructions::SignatureInstructions;
use muster_prover::{
    encoding::{message_to_hex, to_hex},
    files::{weight, CommitteeFile, Gathered, SignaturesFile},
    input,
    output::write_file,
    sample::{Plan, Sample, Source},
    Fr, Message, Scheme, Seats,
};
use muster_schemes::{
    membership::{min_depth, Quorum},
    signature::SignedMessage,
};
use pyo3::{prelude::*, types::PyString, Borrowed};
use rand::rngs::OsRng;
use serde_json::{json, Value};

use crate::{
    error::Fault,
    scheme::{SecretKey, Seed},
    shape::Shape,
    value::{self, field_to_bytes},
    work::long,
};

/// The longest file that is read: some millions of members.
const LIMIT: u64 = 1 << 30;
/// What errors call a committee that is no file.
const COMMITTEE: &str = "committee";
/// What errors call signatures that are no file.
const SIGNATURES: &str = "signatures";

/// Members with keys and weights.
///
/// `public_keys` are in the encoding of the scheme's own standard or, with `keys="address"`, Ethereum addresses of 20
/// bytes; `weights` are all 1 by default. `seats=True` accepts members who share a key, where keys add up (BLS).
#[pyclass(frozen, module = "muster_zk")]
pub(crate) struct Committee {
    pub(crate) file: Arc<CommitteeFile>,
    pub(crate) path: PathBuf,
}

/// A sum of weights, or a part of all of them.
pub(crate) enum Threshold {
    Weight(u64),
    Part(String),
}

impl<'py> FromPyObject<'_, 'py> for Threshold {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return object.extract().map(Self::Part);
        }
        object.extract().map(Self::Weight)
    }
}

#[pymethods]
impl Committee {
    #[new]
    #[pyo3(signature = (scheme, public_keys, weights=None, *, keys="coordinates", seats=false))]
    fn new(
        py: Python<'_>,
        scheme: &str,
        public_keys: Vec<Vec<u8>>,
        weights: Option<Vec<u128>>,
        keys: &str,
        seats: bool,
    ) -> Result<Self, Fault> {
        let (scheme, keys) = (value::scheme(scheme)?, value::keys(keys)?);
        let (count, field) =
            (public_keys.len(), if keys.is_coordinates() { "public_key" } else { "address" });
        let weights = weights.unwrap_or_else(|| vec![1; count]);
        if weights.len() != count {
            let reason = format!("{} of them for {count} members", weights.len());
            return Err(Fault::argument("weights", reason));
        }
        let member = |(key, weight): (&Vec<u8>, &u128)| json!({ field: to_hex(key), "weight": weight::to_json(*weight) });
        let members: Vec<_> = public_keys.iter().zip(&weights).map(member).collect();
        let object = json!({ "scheme": scheme.name(), "keys": keys, "members": members });
        long(py, move || Self::parse(Path::new(COMMITTEE), object.to_string().as_bytes(), seats))
    }

    /// Reads a committee's file, in any of the forms that `muster root` reads.
    ///
    /// Raises BadInput with the file and the field.
    #[staticmethod]
    #[pyo3(signature = (path, *, seats=false))]
    fn read(py: Python<'_>, path: PathBuf, seats: bool) -> Result<Self, Fault> {
        long(py, move || Self::parse(&path, &input::read(&path, LIMIT)?, seats))
    }

    /// A committee from the text of such a file.
    #[staticmethod]
    #[pyo3(signature = (text, *, seats=false))]
    fn from_json(py: Python<'_>, text: String, seats: bool) -> Result<Self, Fault> {
        long(py, move || Self::parse(Path::new(COMMITTEE), text.as_bytes(), seats))
    }

    /// The text of the committee's file.
    fn to_json(&self) -> Result<String, Fault> {
        let mut text = vec![];
        self.file.write(&mut text).map_err(muster_prover::Error::io(&self.path))?;
        String::from_utf8(text).map_err(|error| Fault::Bug(error.to_string()))
    }

    /// Writes the committee's file, whole or not at all. One that exists is only replaced with `force=True`.
    #[pyo3(signature = (path, *, force=false))]
    fn write(&self, path: PathBuf, force: bool) -> Result<(), Fault> {
        Ok(write_file(&path, self.to_json()?.as_bytes(), force)?)
    }

    /// The scheme's name.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.file.scheme.name()
    }

    /// The members' keys, or their addresses, in order.
    #[getter]
    fn public_keys(&self) -> Vec<Vec<u8>> {
        let CommitteeFile { scheme, ref committee, .. } = *self.file;
        let members = committee.members().iter();
        members.map(|member| encoded(scheme, &member.public_key)).collect()
    }

    /// The members' weights, in order.
    #[getter]
    fn weights(&self) -> Vec<u64> {
        self.file.committee.members().iter().map(|member| member.weight).collect()
    }

    /// The sum of the members' weights.
    #[getter]
    fn total_weight(&self) -> u64 {
        self.file.total_weight()
    }

    /// The commitment to the keys and weights, 32 bytes. It depends on the tree: that of `shape`, or one of this arity
    /// (default: 16 for BLS, 5 for others) and of at least this depth.
    #[pyo3(signature = (*, shape=None, arity=None, depth=None))]
    fn root(
        &self,
        py: Python<'_>,
        shape: Option<&Shape>,
        arity: Option<usize>,
        depth: Option<usize>,
    ) -> Result<[u8; 32], Fault> {
        if shape.is_some() && (arity.is_some() || depth.is_some()) {
            return Err(Fault::argument("shape", "it says what arity and depth are"));
        }
        let (file, path, shape) = (self.file.clone(), self.path.clone(), shape.cloned());
        long(py, move || Ok(field_to_bytes(&root(&file, &path, shape.as_ref(), (arity, depth))?)))
    }

    /// The sum of weights that is a part of all weights, such as `">2/3"` or `">=2/3"`.
    fn threshold(&self, quorum: &str) -> Result<u64, Fault> {
        Threshold::Part(quorum.to_owned()).of(self)
    }

    /// Signatures on `message` by the members whose secret keys are given, by their index; for tests.
    ///
    /// Where members sign together (`musig-babyjubjub`), they sign for the root of the tree of `shape`, or else of the
    /// default one. `shape` also says in which form the message is.
    #[pyo3(signature = (message, secrets, *, shape=None))]
    fn sign(
        &self,
        py: Python<'_>,
        message: &[u8],
        secrets: BTreeMap<usize, Py<SecretKey>>,
        shape: Option<&Shape>,
    ) -> Result<Signatures, Fault> {
        let scheme = self.file.scheme;
        let mut seeds = vec![];
        for (member, secret) in &secrets {
            let seed = secret.get().seed_of(scheme);
            let reason = || Fault::argument("secrets", format!("[{member}]: not of {scheme}"));
            seeds.push((*member, seed.ok_or_else(reason)?));
        }
        let suite = match shape {
            Some(shape) => shape.0.suite()?,
            None => Suite::new(scheme, self.file.keys, None, None)
                .map_err(|_| Fault::argument("committee", "no such keys"))?,
        };
        let message = suite.stated(&value::message(scheme, message)?)?;
        let (file, path, shape) = (self.file.clone(), self.path.clone(), shape.cloned());
        long(py, move || {
            let members = file.committee.members().len();
            if let Some((member, _)) = seeds.iter().find(|(member, _)| *member >= members) {
                let reason = format!("[{member}]: there are only {members} members");
                return Err(Fault::argument("secrets", reason));
            }
            let root = root(&file, &path, shape.as_ref(), (None, None))?;
            let signatures = suite.visit(Sign { root, seeds, message: &message, scheme })?;
            let signed = SignaturesFile { scheme, message, signatures };
            Signatures::parse(Path::new(SIGNATURES), signed.to_json().to_string(), &file)
        })
    }

    fn __len__(&self) -> usize {
        self.file.committee.members().len()
    }

    fn __repr__(&self) -> String {
        format!("<Committee of {} members of {}>", self.__len__(), self.file.scheme)
    }
}

impl Committee {
    fn parse(path: &Path, bytes: &[u8], seats: bool) -> Result<Self, Fault> {
        let seats = if seats { Seats::Several } else { Seats::One };
        let file = CommitteeFile::parse(path, bytes, seats)?;
        Ok(Self { file: file.into(), path: path.to_owned() })
    }
}

impl Threshold {
    /// The threshold for a committee.
    pub(crate) fn of(&self, committee: &Committee) -> Result<u64, Fault> {
        match self {
            Self::Weight(weight) => Ok(*weight),
            Self::Part(text) => {
                let quorum: Quorum =
                    text.parse().map_err(|error| Fault::argument("threshold", error))?;
                committee
                    .file
                    .threshold(quorum)
                    .map_err(|reason| Fault::argument("threshold", reason))
            }
        }
    }
}

/// A member's key as the scheme writes it, or its address.
fn encoded(scheme: Scheme, key: &muster_prover::muster_schemes::membership::PublicKey) -> Vec<u8> {
    use muster_schemes::{curve::weierstrass::Address, membership::EmptyPlace};
    if let Some(empty) = key.of::<EmptyPlace>() {
        return empty.key().to_vec();
    }
    match key.of::<Address>() {
        Some(address) => address.to_bytes().to_vec(),
        None => scheme.suite().encode_key(key).unwrap_or_default(),
    }
}

/// The root of a committee's tree.
fn root(
    file: &CommitteeFile,
    path: &Path,
    shape: Option<&Shape>,
    (arity, depth): (Option<usize>, Option<usize>),
) -> Result<Fr, Fault> {
    if let Some(shape) = shape {
        return Ok(file.tree(path, &shape.0.terms()?)?.root());
    }
    let scheme = file.scheme;
    let arity = arity.unwrap_or_else(|| scheme.default_arity());
    let least = min_depth(arity, file.committee.members().len(), scheme.leaf_format());
    let least = least.map_err(CircuitError::from)?;
    let depth = depth.map_or(least, |depth| depth.max(least));
    Ok(file.committee.tree(arity, depth)?.root())
}

/// A message and signatures on it by members of a committee.
///
/// `signatures` has the signature of each member who signed, by the member's index; where one signature is by all of
/// them together (BLS and MuSig2), it is given as `joint`, with the list of their indices. None is verified yet.
#[pyclass(frozen, module = "muster_zk")]
pub(crate) struct Signatures {
    pub(crate) gathered: Gathered,
    text: String,
}

#[pymethods]
impl Signatures {
    #[new]
    #[pyo3(signature = (committee, message, signatures=None, *, joint=None))]
    fn new(
        py: Python<'_>,
        committee: &Committee,
        message: &[u8],
        signatures: Option<BTreeMap<usize, Vec<u8>>>,
        joint: Option<(Vec<usize>, Vec<u8>)>,
    ) -> Result<Self, Fault> {
        let scheme = committee.file.scheme;
        let message = message_to_hex(&value::message(scheme, message)?);
        let object = match (signatures, joint) {
            (Some(signatures), None) => {
                let entry = |(member, signature): (&usize, &Vec<u8>)| json!({ "member": member, "signature": to_hex(signature) });
                let list: Vec<Value> = signatures.iter().map(entry).collect();
                json!({ "scheme": scheme.name(), "message": message, "signatures": list })
            }
            (None, Some((members, signature))) => {
                let aggregate = json!({ "members": members, "signature": to_hex(&signature) });
                json!({ "scheme": scheme.name(), "message": message, "aggregate": aggregate })
            }
            _ => return Err(Fault::argument("signatures", "give either these or joint")),
        };
        let file = committee.file.clone();
        long(py, move || Self::parse(Path::new(SIGNATURES), object.to_string(), &file))
    }

    /// Reads a signatures' file, as `muster prove` does.
    ///
    /// Raises BadInput with the file and the field.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, committee: &Committee) -> Result<Self, Fault> {
        let file = committee.file.clone();
        long(py, move || {
            let bytes = input::read(&path, LIMIT)?;
            let text = input::text(&path, &bytes)?.to_owned();
            Self::parse(&path, text, &file)
        })
    }

    /// Signatures from the text of such a file.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: String, committee: &Committee) -> Result<Self, Fault> {
        let file = committee.file.clone();
        long(py, move || Self::parse(Path::new(SIGNATURES), text, &file))
    }

    /// The text of the signatures' file.
    fn to_json(&self) -> &str {
        &self.text
    }

    /// Writes the signatures' file, whole or not at all. One that exists is only replaced with `force=True`.
    #[pyo3(signature = (path, *, force=false))]
    fn write(&self, path: PathBuf, force: bool) -> Result<(), Fault> {
        Ok(write_file(&path, self.text.as_bytes(), force)?)
    }

    /// What was signed.
    #[getter]
    fn message(&self) -> Vec<u8> {
        let message = self.gathered.message();
        message.signed_bytes().map_or_else(|| message.to_bytes(), |signed| signed.bytes().to_vec())
    }

    /// How many signed: the members who are named.
    fn __len__(&self) -> usize {
        self.gathered.signers()
    }

    fn __repr__(&self) -> String {
        let (signers, message) = (self.__len__(), message_to_hex(self.gathered.message()));
        format!("<Signatures of {signers} members on {message}>")
    }
}

impl Signatures {
    fn parse(path: &Path, text: String, committee: &CommitteeFile) -> Result<Self, Fault> {
        let gathered = Gathered::parse(path, text.as_bytes(), committee)?;
        Ok(Self { gathered, text })
    }
}

/// Signatures by the members whose seeds these are, in order.
struct Sign<'a> {
    root: Fr,
    seeds: Vec<(usize, Seed)>,
    message: &'a Message,
    scheme: Scheme,
}

impl SchemeVisitor for Sign<'_> {
    type Output = Result<Signed, Fault>;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
        let Self { root, seeds, message, scheme: name } = self;
        let message = S::Message::of(message).ok_or(CircuitError::WrongMessage(name))?;
        let signer = |(_, seed): &(usize, Seed)| Ok((S::secret_key_from_seed(seed)?, OsRng));
        let signers: Result<Vec<_>, muster_prover::Error> = seeds.iter().map(signer).collect();
        let signatures = scheme.sign_all(&root, signers?, &message);
        let mut signatures = signatures.map_err(muster_prover::Error::from)?;
        let members: Vec<_> = seeds.iter().map(|(member, _)| *member).collect();
        if S::AGGREGATE {
            let signature = signatures.pop().ok_or(CircuitError::WrongKind(name))?;
            return Ok(Signed::Aggregate { members, signature });
        }
        Ok(Signed::Independent(members.into_iter().zip(signatures).collect()))
    }
}

/// A committee with random keys, or with keys made from the text `seed`, and signatures by `signing` of its members on
/// `message`, or on a random one; to try things out.
#[pyfunction]
#[pyo3(signature = (scheme, signers, signing, *, seed=None, message=None, keys="coordinates", message_form=None,
                    hash=None, arity=None, depth=None))]
#[allow(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn sample(
    py: Python<'_>,
    scheme: &str,
    signers: usize,
    signing: usize,
    seed: Option<&str>,
    message: Option<&[u8]>,
    keys: &str,
    message_form: Option<&str>,
    hash: Option<&str>,
    arity: Option<usize>,
    depth: Option<usize>,
) -> Result<(Committee, Signatures), Fault> {
    let scheme = value::scheme(scheme)?;
    let arity = arity.unwrap_or_else(|| scheme.default_arity());
    muster_prover::sample::check_numbers(signers, signing)?;
    let least = min_depth(arity, signers, scheme.leaf_format()).map_err(CircuitError::from)?;
    let plan = Plan {
        scheme,
        keys: value::keys(keys)?,
        form: value::form(message_form)?,
        hash: value::hash(hash)?,
        signers,
        signing,
        message: message.map(|bytes| value::message(scheme, bytes)).transpose()?,
        tree: (arity, depth.map_or(least, |depth| depth.max(least))),
    };
    let source = seed.map_or_else(Source::random, Source::from_text);
    long(py, move || {
        let Sample { scheme, keys, committee, message, signatures, .. } =
            Sample::new(&plan, source)?;
        let file = CommitteeFile { scheme, keys, committee, narrowed: None, left_out: vec![] };
        let signed = SignaturesFile { scheme, message, signatures }.to_json();
        let signed = Signatures::parse(Path::new(SIGNATURES), signed.to_string(), &file)?;
        Ok((Committee { file: file.into(), path: COMMITTEE.into() }, signed))
    })
}
