//! Tests of the circuit by the mock prover, which checks every constraint.

use std::sync::{Arc, Mutex, OnceLock};

use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
use muster_forgery::forger::Judge;
use muster_gadgets::signature::{
    embedded::RawPoint,
    foreign::{ExceptionalCase, RawKey, RawSignature as ForeignSignature},
    instructions::{NativeInstructions, SignatureInstructions},
};
use muster_gates::{GateCircuit, Gates};
use muster_schemes::{
    curve::edwards::SubgroupPoint,
    membership::{MemberPath, Whole},
    signature::{
        eddsa::Eddsa,
        musig::{AggregateNonce, KeyAggregation, Musig, SecretNonce, Session},
        schnorr::{Schnorr, SecretKey},
        RawSignature, SignatureScheme,
    },
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::{
    threshold::{self, InputsOf},
    CircuitShape, Committee, Error, Mode, Request, Scheme, SchemeVisitor, Shape, Signatures,
    SignerMask, Statement, Witness,
};

mod accepted;
mod bls;
mod bls_bytes;
mod bls_hashes;
mod bls_points;
mod bls_refused;
mod bounds;
mod complement;
mod cost;
mod counted;
mod determinism;
mod ed25519;
mod encoding;
mod foreign;
mod forged;
mod judged;
mod keys;
mod layout;
mod limbs;
mod mask;
mod mask_of_rest;
mod mask_schemes;
mod material;
mod mutation;
mod pinned;
mod pins;
mod plain;
pub(crate) mod preimage;
mod seats;
mod selection;
mod sorting;
mod toy;
mod translation;
mod weight_sum;
mod words;

/// Schemes over the curve whose coordinates are elements of the circuit's field.
pub(crate) const EMBEDDED: [Scheme; 3] = [Scheme::Schnorr, Scheme::Eddsa, Scheme::Musig];
/// Schemes over curves of other fields.
pub(crate) const FOREIGN: [Scheme; 3] =
    [Scheme::EcdsaSecp256k1, Scheme::EcdsaP256, Scheme::SchnorrSecp256k1];

/// What circuits of schemes over Baby Jubjub are filled with.
pub(crate) type Inputs = threshold::Inputs<RawPoint, RawSignature, Fr>;
pub(crate) type Slot = threshold::Slot<RawPoint>;
/// The same over curves of other fields.
pub(crate) type ForeignInputs = threshold::Inputs<RawKey, ForeignSignature, [u8; 32]>;

/// The circuit of `shape`, filled with these inputs, right or wrong, and whether there is a witness for the signatures.
pub(crate) fn filled<S: SignatureInstructions>(
    shape: &Shape,
    scheme: &S,
    inputs: &InputsOf<S>,
) -> (GateCircuit, Result<(), ExceptionalCase>) {
    threshold::record(shape, scheme, inputs, Gates::new(&shape.layout, false))
}

/// The same for schemes over Baby Jubjub.
pub(crate) fn fill(shape: &Shape, inputs: &Inputs) -> GateCircuit {
    match shape.scheme {
        Scheme::Schnorr => filled(shape, &Schnorr, inputs).0,
        Scheme::Eddsa => filled(shape, &Eddsa, inputs).0,
        Scheme::Musig => filled(shape, &Musig, inputs).0,
        other => panic!("{other} is not over Baby Jubjub"),
    }
}

/// Whether the native checks accept, and a circuit of the shape has slots for the signers.
pub(crate) fn verify(
    shape: &Shape,
    statement: &Statement,
    committee: &Committee,
    signatures: &Signatures,
) -> Result<(), Error> {
    let witness = shape.terms()?.verify(statement, committee, signatures)?;
    witness.select(shape).map(|_| ())
}

/// Everything that a proof is made from.
pub(crate) struct Case {
    pub(crate) shape: Shape,
    pub(crate) statement: Statement,
    pub(crate) committee: Committee,
    pub(crate) signatures: Signatures,
}

/// The shape of a request, searched for once: many tests ask for the same few.
pub(crate) fn fit(request: &Request) -> Shape {
    type Known = Arc<OnceLock<Shape>>;
    static SHAPES: Mutex<Vec<(Request, Known)>> = Mutex::new(vec![]);
    let shape = {
        let mut shapes = SHAPES.lock().expect("no test panics while it holds this");
        let known = shapes.iter().find(|known| known.0 == *request).map(|known| known.1.clone());
        known.unwrap_or_else(|| {
            shapes.push((request.clone(), Known::default()));
            shapes.last().expect("one was pushed").1.clone()
        })
    };
    shape.get_or_init(|| Shape::fit(request).expect("the shape is legal")).clone()
}

pub(crate) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// A committee of `count` members of weight `1 + index`, with their seeds.
fn keys<S: SignatureScheme<PublicKey = SubgroupPoint>>(
    count: usize,
    seed: u64,
) -> (Vec<S::SecretKey>, Vec<(SubgroupPoint, u64)>) {
    let mut rng = rng(seed);
    let secrets: Vec<_> = (0..count).map(|_| S::keygen(&mut rng)).collect();
    let public = secrets.iter().enumerate().map(|(i, key)| (S::public_key(key), 1 + i as u64));
    let public = public.collect();
    (secrets, public)
}

/// `signers` of a committee of `capacity` sign, and the threshold is their weight.
pub(crate) fn case(request: &Request, signers: &[usize], seed: u64) -> Case {
    let shape = fit(request);
    let message = Fr::from(0xdecaf + seed);
    let weight = signers.iter().map(|member| 1 + *member as u64).sum();
    let independent = |sign: &mut dyn FnMut(usize) -> muster_schemes::signature::Signature| {
        Signatures::Independent(
            signers.iter().map(|&member| (member, sign(member).into())).collect(),
        )
    };
    let mut noise = rng(seed + 1);
    let members = request.capacity;
    let (committee, signatures) = match request.scheme {
        Scheme::Schnorr => {
            let (secrets, public) = keys::<Schnorr>(members, seed);
            let sign = &mut |i: usize| Schnorr::sign(&secrets[i], &message, &mut noise);
            (Committee::new(&public), independent(sign))
        }
        Scheme::Eddsa => {
            let (secrets, public) = keys::<Eddsa>(members, seed);
            let sign = &mut |i: usize| Eddsa::sign(&secrets[i], &message, &mut noise);
            (Committee::new(&public), independent(sign))
        }
        Scheme::Musig => {
            let (secrets, public) = keys::<Schnorr>(members, seed);
            let committee = Committee::new(&public).expect("distinct keys");
            let root = shape.tree(&committee).expect("it fits").root();
            let signature = musig(&root, &secrets, signers, &message);
            let signature = signature.into();
            let signatures = Signatures::Aggregate { members: signers.to_vec(), signature };
            (Ok(committee), signatures)
        }
        other => panic!("{other} has cases of its own"),
    };
    let committee = committee.expect("distinct keys");
    let key_set_root = shape.tree(&committee).expect("it fits").root();
    let mask = || SignerMask::new(members, signers.iter().copied()).expect("members");
    let signers = request.mask.then(mask);
    let statement = Statement { key_set_root, threshold: weight, message: message.into(), signers };
    Case { shape, statement, committee, signatures }
}

fn musig(
    root: &Fr,
    secrets: &[SecretKey],
    signers: &[usize],
    message: &Fr,
) -> muster_schemes::signature::Signature {
    // A list of keys is in the order of the set.
    let mut signers = signers.to_vec();
    signers.sort_unstable();
    let public: Vec<_> = signers.iter().map(|i| secrets[*i].public_key()).collect();
    let keys = KeyAggregation::new(root, &public).expect("distinct keys");
    let mut rng = rng(99);
    let nonces: Vec<_> = signers
        .iter()
        .map(|i| SecretNonce::generate(&secrets[*i], &keys, Some(message), &mut rng))
        .collect();
    let public: Vec<_> = nonces.iter().map(|nonce| nonce.public()).collect();
    let session =
        Session::new(&keys, &AggregateNonce::new(&public), message).expect("honest nonces");
    let partial: Vec<_> = nonces
        .into_iter()
        .zip(&signers)
        .map(|(nonce, i)| (nonce.public(), session.sign(&secrets[*i], nonce).expect("a signer")))
        .collect();
    session.aggregate(&partial).expect("honest signers")
}

impl Case {
    /// What a prover fills in who checks nothing, for members of the set.
    pub(crate) fn inputs(&self) -> Inputs {
        let &Statement { key_set_root, threshold, ref message, ref signers } = &self.statement;
        let message = *message.field().expect("the message is an element");
        let mut members = self.signatures.members();
        let signatures = match &self.signatures {
            Signatures::Independent(list) => {
                let mut list = list.clone();
                list.sort_by_key(|(member, _)| *member);
                list.into_iter().map(|(_, signature)| signature).collect()
            }
            Signatures::Aggregate { signature, .. } => vec![signature.clone()],
        };
        members.sort_unstable();
        let raw = |signature: &crate::Signature| {
            let signature = signature.of::<muster_schemes::signature::Signature>();
            RawSignature::from(*signature.expect("a signature over Baby Jubjub"))
        };
        let slot = |member: &usize| {
            let entry = &self.committee.members()[*member];
            let key = entry.public_key.of::<SubgroupPoint>().expect("a key of Baby Jubjub");
            let public_key = RawPoint { x: key.x(), y: key.y() };
            let path = (self.shape.mode == Mode::Path).then(|| self.path(*member));
            Slot { index: *member as u64, public_key, weight: entry.weight, path }
        };
        let slots = members.iter().map(slot).collect();
        let signatures = signatures.iter().map(raw).collect();
        let mut leaves = self.committee.set().leaves();
        leaves.retain(|_| self.shape.mode == Mode::WholeSet);
        let unused_key = vec![];
        let mask = signers.iter().flat_map(SignerMask::words).collect();
        let inputs = Inputs {
            key_set_root,
            threshold,
            message,
            slots,
            signatures,
            leaves,
            whole: Whole::default(),
            rest: None,
            unused_key,
            mask,
        };
        match self.shape.scheme {
            Scheme::Schnorr => inputs.padded(&self.shape, &Schnorr),
            Scheme::Eddsa => inputs.padded(&self.shape, &Eddsa),
            Scheme::Musig => inputs.padded(&self.shape, &Musig),
            other => panic!("{other} is not over Baby Jubjub"),
        }
    }

    fn path(&self, member: usize) -> MemberPath {
        let tree = self.shape.tree(&self.committee).expect("it fits");
        self.committee.set().path(&tree, member).expect("a member")
    }

    /// The native verdict.
    pub(crate) fn witness(&self) -> Result<Witness, Error> {
        self.shape.terms()?.verify(&self.statement, &self.committee, &self.signatures)
    }

    /// The circuit, once the native checks accept.
    pub(crate) fn circuit(&self) -> Result<GateCircuit, Error> {
        self.shape.circuit(&self.witness()?, false)
    }

    /// Whether the native checks accept.
    pub(crate) fn is_valid(&self) -> bool {
        verify(&self.shape, &self.statement, &self.committee, &self.signatures).is_ok()
    }
}

/// Whether every constraint holds for `inputs` and these public inputs.
pub(crate) fn satisfied(shape: &Shape, inputs: &Inputs, public: impl AsRef<[Fr]>) -> bool {
    let circuit = fill(shape, inputs);
    is_satisfied(&circuit, shape, public)
}

pub(crate) fn is_satisfied(circuit: &GateCircuit, shape: &Shape, public: impl AsRef<[Fr]>) -> bool {
    let public = public.as_ref().to_vec();
    // It refuses faster than a mock prover, which confirms what holds.
    let judge = Judge::new(shape.degree(), circuit, vec![public]);
    judge.failures().is_empty() && judge.is_confirmed(circuit, &[])
}

/// Asserts that a circuit holds for its public inputs, and neither with one of them altered nor for `others`.
pub(crate) fn assert_accepts_its_own(
    circuit: &GateCircuit,
    shape: &Shape,
    public: &[Fr],
    others: &[Vec<Fr>],
) {
    let what = format!("{} {:?}", shape.scheme, shape.mode);
    let mut judge = Judge::new(shape.degree(), circuit, vec![public.to_vec()]);
    assert_eq!(judge.failures(), [], "{what}");
    assert!(judge.is_confirmed(circuit, &[]), "{what}");
    for place in 0..public.len() {
        let mut other = public.to_vec();
        other[place] += Fr::one();
        assert!(!judge.holds_for(vec![other]), "{what}: {place}");
    }
    for other in others {
        assert!(!judge.holds_for(vec![other.clone()]), "{what}: {other:?}");
    }
}

pub(crate) fn request(scheme: Scheme, capacity: usize, slots: usize, mode: Mode) -> Request {
    Request { mode: Some(mode), ..Request::new(scheme, capacity, slots) }
}
