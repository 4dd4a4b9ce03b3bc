//! The wrapper round a generated verifier.

use alloy_primitives::keccak256;
use muster_circuits::encoding::from_hex_exact;

use super::{
    stage::{number, Scene, Stage},
    *,
};

#[test]
fn the_wrapper_takes_generated_verifiers() {
    let scene = Scene::read();
    for generated in all() {
        let mut stage = Stage::new(&generated, &scene);
        let good = generated.bring(&generated.inputs, &generated.proof);
        let outcome = stage.evm.call(stage.wrapper, &good.verify()).unwrap();
        assert!(outcome.accepted(), "{outcome:?}");
        let mut proof = generated.proof.clone();
        proof[generated.proof.len() - 1] ^= 1;
        let bad = generated.bring(&generated.inputs, &proof);
        let outcome = stage.evm.call(stage.wrapper, &bad.verify()).unwrap();
        assert!(outcome.success && outcome.output == number(0), "{outcome:?}");

        let expected: [u8; WORD] =
            from_hex_exact(generated.manifest()["verifier_hash"].as_str().unwrap()).unwrap();
        let hash = stage.evm.call(stage.wrapper, &keccak256("VERIFIER_HASH()")[..4]).unwrap();
        assert_eq!(hash.output, expected);
        for (hash, proof, accepted) in
            [(expected, &good, true), (expected, &bad, false), ([7; WORD], &good, false)]
        {
            let outcome = stage.evm.call(stage.wrapper, &proof.verify_proof(hash)).unwrap();
            assert_eq!(outcome.success, accepted, "{outcome:?}");
        }
    }
}
