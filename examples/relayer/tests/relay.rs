//! What the relayer sends, and what it refuses to send.

#![allow(clippy::unwrap_used)]

use std::sync::LazyLock;

use muster_evm::{
    evm::Evm,
    verifier::{creation_code, register, KeyName},
};
use muster_prover::{
    muster_schemes::signature::{eddsa::Eddsa, SignatureScheme},
    prove, Committee, Fr, Keys, Message, Proof, ProofKind, Request, Scheme, Shape, Signatures, Srs,
    Statement, VerifierKey, VerifyError,
};
use muster_relayer::{Gatekeeper, RelayError, Relayer, Trusted};
use rand::{rngs::StdRng, SeedableRng};

/// Keys for three members of whom two sign, and the SRS that they were made with.
static KEYS: LazyLock<(Srs, Keys)> = LazyLock::new(|| {
    let shape = Shape::fit(&Request::new(Scheme::Eddsa, 3, 2)).unwrap();
    let plan = Keys::plan(&shape, None).unwrap();
    let srs = Srs::insecure(plan.srs_degree()).unwrap();
    let keys = Keys::make_compact(&srs, &shape, &plan).unwrap();
    (srs, keys)
});

struct Scene {
    srs: &'static Srs,
    keys: &'static Keys,
    committee: Committee,
    message: Message,
    signatures: Signatures,
}

impl Scene {
    /// Two of three members have signed.
    fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let secrets: Vec<_> = (0..3).map(|_| Eddsa::keygen(&mut rng)).collect();
        let members: Vec<_> = secrets.iter().map(|secret| (Eddsa::public_key(secret), 1)).collect();
        let event = Fr::from(7);
        let mut sign =
            |member: usize| (member, Eddsa::sign(&secrets[member], &event, &mut rng).into());
        let signatures = Signatures::Independent(vec![sign(0), sign(2)]);
        let (srs, keys) = &*KEYS;
        let committee = Committee::new(&members).unwrap();
        Self { srs, keys, committee, message: event.into(), signatures }
    }

    fn trusted(&self, threshold: u64) -> Trusted {
        let (_, key) = evm_key(&self.keys.verifier());
        Trusted { key, committee: self.committee.clone(), threshold }
    }

    fn gatekeeper(&self, threshold: u64) -> Gatekeeper {
        Gatekeeper::new(self.keys.verifier(), self.trusted(threshold)).unwrap()
    }

    /// A proof that `committee` signed.
    fn proof(&self, committee: &Committee, signatures: &Signatures) -> Proof {
        let key_set_root = self.keys.shape().tree(committee).unwrap().root();
        let claim =
            Statement { key_set_root, threshold: 2, message: self.message.clone(), signers: None };
        let terms = self.keys.shape().terms().unwrap();
        let witness = terms.verify(&claim, committee, signatures).unwrap();
        prove(self.srs, self.keys, &witness).unwrap()
    }
}

/// What the contract stores of a key, and the name by which it does.
fn evm_key(key: &VerifierKey) -> (Vec<u8>, KeyName) {
    let evm_key = key.key().as_compact().unwrap().evm_key();
    (evm_key.as_bytes().to_vec(), KeyName(evm_key.name()))
}

/// The contract takes what the relayer sends.
#[test]
fn what_the_committee_signed_is_sent() {
    let scene = Scene::new(1);
    let dir = tempfile::tempdir().unwrap();
    scene.keys.save(dir.path(), false).unwrap();
    let open = |threshold| Relayer::open(dir.path(), scene.srs.clone(), scene.trusted(threshold));
    let calldata = open(2).unwrap().relay(scene.message.clone(), &scene.signatures).unwrap();
    let mut chain = Evm::default();
    let contract = chain.deploy(&creation_code()).unwrap();
    assert!(!chain.call(contract, &calldata).unwrap().success, "nobody has registered the key");
    let (key, _) = evm_key(&scene.keys.verifier());
    assert!(chain.send(contract, &register(&key)).unwrap().success);
    assert!(chain.call(contract, &calldata).unwrap().success);
    // Three public inputs behind the selector, three words and a length: root, threshold and message.
    let mut other = calldata.clone();
    assert_eq!(other[4 + 6 * 32..4 + 7 * 32], [&[0; 31][..], &[7]].concat());
    other[4 + 7 * 32 - 1] = 8;
    assert!(!chain.call(contract, &other).unwrap().success);
    // Two signatures do not make three, and one signed something else.
    let refused = open(3).unwrap().relay(scene.message.clone(), &scene.signatures);
    assert!(matches!(refused, Err(RelayError::Prover(_))));
    let refused = open(2).unwrap().relay(Fr::from(8).into(), &scene.signatures);
    assert!(matches!(refused, Err(RelayError::Prover(_))));
}

#[test]
fn a_proof_of_something_else_is_not_sent() {
    let (scene, other) = (Scene::new(1), Scene::new(2));
    let invalid = |result| matches!(result, Err(RelayError::Proof(VerifyError::Invalid)));
    let good = scene.proof(&scene.committee, &scene.signatures);
    assert!(scene.gatekeeper(2).admit(scene.message.clone(), &good).is_ok());
    assert!(invalid(scene.gatekeeper(1).admit(scene.message.clone(), &good)));
    assert!(invalid(scene.gatekeeper(2).admit(Fr::from(8).into(), &good)));
    // Another committee, with the same keys of the circuit: a good proof that means nothing.
    let theirs = scene.proof(&other.committee, &other.signatures);
    assert!(invalid(scene.gatekeeper(2).admit(scene.message.clone(), &theirs)));
    let unread = Proof::new(ProofKind::Fast, good.bytes());
    let refused = scene.gatekeeper(2).admit(scene.message.clone(), &unread);
    assert!(matches!(refused, Err(RelayError::Proof(VerifyError::Kind(ProofKind::Fast)))));
}

#[test]
fn keys_that_nobody_published_are_refused() {
    let scene = Scene::new(1);
    let trusted = Trusted { key: KeyName([0; 32]), ..scene.trusted(2) };
    let refused = Gatekeeper::new(scene.keys.verifier(), trusted);
    assert!(matches!(refused, Err(RelayError::OtherKeys { .. })));
    let shape = scene.keys.shape();
    let keys = Keys::make(&Srs::insecure(shape.degree()).unwrap(), shape).unwrap();
    let refused = Gatekeeper::new(keys.verifier(), scene.trusted(2));
    assert!(matches!(refused, Err(RelayError::NotForContracts)));
}
