//! The light client takes a proof once, for what was signed, and for nothing else.

use alloy_primitives::keccak256;

use super::{
    stage::{number, Scene, Stage},
    *,
};
use crate::bridge::{BatchRoot, Epoch, KeySet, Message};

fn submit(generated: &Generated, message: &Message) -> Vec<u8> {
    Calldata::of(&generated.inputs, &generated.proof).submit(message)
}

/// Whether a call reverted with this error of a contract.
fn reverted_with(outcome: &Outcome, error: &str) -> bool {
    !outcome.success && outcome.output.starts_with(&keccak256(error)[..4])
}

fn assert_rejected(stage: &mut Stage, calldata: &[u8], what: &str) {
    let outcome = stage.evm.call(stage.client, calldata).unwrap();
    assert!(reverted_with(&outcome, "ProofRejected()"), "{what}: {outcome:?}");
    // What the verifier may waste, and what client and wrapper take around it.
    assert!(outcome.execution_gas <= stage.cap + 50_000, "{what}: {outcome:?}");
}

/// The committee, other than it is.
fn changed(committee: &KeySet, root: Fr, threshold: u64, epoch: u64) -> KeySet {
    let total = committee.total_weight();
    KeySet::new(committee.root() + root, threshold, total, Epoch::new(epoch).unwrap()).unwrap()
}

#[test]
fn the_scene_is_where_the_contracts_are() {
    let scene = Scene::read();
    assert_eq!(SENDER.to_checksum(None), scene.sender);
    for generated in for_clients() {
        let committee = scene.committee(&generated);
        let stage = Stage::new(&generated, &scene);
        assert_eq!(stage.client.to_checksum(None), scene.client);
        let digest = scene.scope(&committee).message_digest(&scene.message());
        assert_eq!(digest, generated.message(), "{}", generated.dir.display());
    }
}

#[test]
fn a_message_is_accepted_once() {
    let scene = Scene::read();
    for generated in for_clients() {
        let mut stage = Stage::new(&generated, &scene);
        let id = scene.scope(&scene.committee(&generated)).message_id(&scene.message());
        let processed = [&keccak256("isProcessed(bytes32)")[..4], &id.0].concat();
        assert_eq!(stage.evm.call(stage.client, &processed).unwrap().output, number(0));
        let calldata = submit(&generated, &scene.message());
        let outcome = stage.evm.send(stage.client, &calldata).unwrap();
        assert!(outcome.success, "{outcome:?}");
        assert_eq!(stage.evm.call(stage.client, &processed).unwrap().output, number(1));
        let replay = stage.evm.call(stage.client, &calldata).unwrap();
        assert!(reverted_with(&replay, "AlreadyProcessed(bytes32)"), "{replay:?}");
    }
}

#[test]
fn a_proof_for_something_else_is_refused() {
    let scene = Scene::read();
    for generated in for_clients() {
        let (committee, message) = (scene.committee(&generated), scene.message());
        let calldata = submit(&generated, &message);
        let (threshold, epoch) = (committee.threshold(), committee.epoch().number());
        let mut others = vec![
            ("another root", changed(&committee, Fr::one(), threshold, epoch)),
            ("a higher threshold", changed(&committee, Fr::zero(), threshold + 1, epoch)),
            ("another epoch", changed(&committee, Fr::zero(), threshold, epoch + 1)),
        ];
        if threshold > 1 {
            others.push(("a lower one", changed(&committee, Fr::zero(), threshold - 1, epoch)));
        }
        for (what, other) in others {
            let mut stage = Stage::with(&generated, &scene, &other);
            assert_rejected(&mut stage, &calldata, what);
        }
        for (what, other) in [
            ("another chain", Scene { chain: scene.chain + 1, ..scene.clone() }),
            ("another source", Scene { source_chain: scene.source_chain + 1, ..scene.clone() }),
        ] {
            let mut stage = Stage::new(&generated, &other);
            assert_rejected(&mut stage, &calldata, what);
        }
        let mut stage = Stage::new(&generated, &scene);
        for (what, other) in [
            ("another nonce", Message { nonce: message.nonce + 1, ..message.clone() }),
            ("another payload", Message { payload: vec![], ..message.clone() }),
        ] {
            assert_rejected(&mut stage, &submit(&generated, &other), what);
        }
        let mut proof = generated.proof.clone();
        proof.rotate_left(POINT);
        let shuffled = Calldata::of(&generated.inputs, &proof).submit(&message);
        assert_rejected(&mut stage, &shuffled, "a proof out of order");
        let root = BatchRoot([7; WORD]);
        let batch = Calldata::of(&generated.inputs, &generated.proof).submit_batch(&root);
        assert_rejected(&mut stage, &batch, "a batch");
        let next = changed(&committee, Fr::one(), threshold, epoch + 1);
        let rotation = Calldata::of(&generated.inputs, &generated.proof).rotate(&next);
        assert_rejected(&mut stage, &rotation, "a handover");
        // The first client is still there, and takes what its neighbour does not.
        let first = stage.client;
        stage.client = stage.deploy_client(&scene, &committee);
        assert_rejected(&mut stage, &calldata, "another contract");
        assert!(stage.evm.call(first, &calldata).unwrap().success);
    }
}

#[test]
fn proofs_of_other_keys_are_refused() {
    let scene = Scene::read();
    let all = for_clients();
    for generated in &all {
        let mut stage = Stage::new(generated, &scene);
        for other in all.iter().filter(|other| other.dir != generated.dir) {
            let outcome = stage.evm.call(stage.client, &submit(other, &scene.message())).unwrap();
            let length = reverted_with(&outcome, "WrongProofLength(uint256,uint256)");
            assert!(length || reverted_with(&outcome, "ProofRejected()"), "{outcome:?}");
        }
    }
}

#[test]
fn proofs_of_other_lengths_are_refused() {
    let scene = Scene::read();
    for generated in for_clients() {
        let mut stage = Stage::new(&generated, &scene);
        for length in [0, generated.proof.len() - 1, generated.proof.len() + 1] {
            let mut proof = generated.proof.clone();
            proof.resize(length, 0);
            let calldata = Calldata::of(&generated.inputs, &proof).submit(&scene.message());
            let outcome = stage.evm.call(stage.client, &calldata).unwrap();
            assert!(reverted_with(&outcome, "WrongProofLength(uint256,uint256)"), "{outcome:?}");
            assert!(outcome.execution_gas < 50_000, "before the proof is looked at: {outcome:?}");
        }
    }
}
