//! What the relayer sends, and what it refuses to send.

#![allow(clippy::unwrap_used)]

use muster_prover::{
    muster_schemes::signature::{eddsa::Eddsa, SignatureScheme},
    prove, Committee, Fr, Keys, Message, Proof, ProofKind, Request, Scheme, Shape, Signatures, Srs,
    Statement, VerifyError,
};
use muster_relayer::{Gatekeeper, RelayError, Relayer, Trusted};
use rand::{rngs::StdRng, SeedableRng};

struct Scene {
    srs: Srs,
    keys: Keys,
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
        let shape = Shape::fit(&Request::new(Scheme::Eddsa, 3, 2)).unwrap();
        let srs = Srs::insecure(shape.degree()).unwrap();
        let keys = Keys::make(&srs, &shape).unwrap();
        let committee = Committee::new(&members).unwrap();
        Self { srs, keys, committee, message: event.into(), signatures }
    }

    fn trusted(&self, threshold: u64) -> Trusted {
        let (vk_digest, committee) = (self.keys.vk_digest(), self.committee.clone());
        Trusted { vk_digest, committee, threshold }
    }

    fn gatekeeper(&self, threshold: u64) -> Gatekeeper {
        Gatekeeper::new(self.keys.verifier(), self.trusted(threshold)).unwrap()
    }

    /// A proof that `committee` signed.
    fn proof(&self, committee: &Committee, signatures: &Signatures, kind: ProofKind) -> Proof {
        let key_set_root = self.keys.shape().tree(committee).unwrap().root();
        let claim =
            Statement { key_set_root, threshold: 2, message: self.message.clone(), signers: None };
        let terms = self.keys.shape().terms().unwrap();
        let witness = terms.verify(&claim, committee, signatures).unwrap();
        prove(&self.srs, &self.keys, &witness, kind).unwrap()
    }
}

#[test]
fn what_the_committee_signed_is_sent() {
    let scene = Scene::new(1);
    let dir = tempfile::tempdir().unwrap();
    scene.keys.save(dir.path(), false).unwrap();
    let open = |threshold| Relayer::open(dir.path(), scene.srs.clone(), scene.trusted(threshold));
    let calldata = open(2).unwrap().relay(scene.message.clone(), &scene.signatures).unwrap();
    // Three public inputs, the message last, and the proof.
    assert_eq!(calldata[64..96], [&[0; 31][..], &[7]].concat());
    let proof = Proof::new(ProofKind::Halo2, &calldata[96..]);
    assert_eq!(scene.gatekeeper(2).admit(scene.message.clone(), &proof).unwrap(), calldata);
    // Two signatures do not make three, and one signed something else.
    let refused = open(3).unwrap().relay(scene.message.clone(), &scene.signatures);
    assert!(matches!(refused, Err(RelayError::Prover(_))));
    let refused = open(2).unwrap().relay(Fr::from(8).into(), &scene.signatures);
    assert!(matches!(refused, Err(RelayError::Prover(_))));
}

#[test]
fn a_proof_of_something_else_is_not_sent() {
    let (scene, other) = (Scene::new(1), Scene::new(2));
    let halo2 = ProofKind::Halo2;
    let invalid = |result| matches!(result, Err(RelayError::Proof(VerifyError::Invalid)));
    let good = scene.proof(&scene.committee, &scene.signatures, halo2);
    assert!(scene.gatekeeper(2).admit(scene.message.clone(), &good).is_ok());
    assert!(invalid(scene.gatekeeper(1).admit(scene.message.clone(), &good)));
    assert!(invalid(scene.gatekeeper(2).admit(Fr::from(8).into(), &good)));
    // Another committee, with the same keys of the circuit: a good proof that means nothing.
    let theirs = scene.proof(&other.committee, &other.signatures, halo2);
    assert!(invalid(scene.gatekeeper(2).admit(scene.message.clone(), &theirs)));
    let unread = scene.proof(&scene.committee, &scene.signatures, ProofKind::Fast);
    let refused = scene.gatekeeper(2).admit(scene.message.clone(), &unread);
    assert!(matches!(refused, Err(RelayError::Kind("fast"))));
}

#[test]
fn keys_that_nobody_published_are_refused() {
    let scene = Scene::new(1);
    let trusted = Trusted { vk_digest: [0; 32], ..scene.trusted(2) };
    let refused = Gatekeeper::new(scene.keys.verifier(), trusted);
    assert!(matches!(refused, Err(RelayError::OtherKeys { .. })));
}
