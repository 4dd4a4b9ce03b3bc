//! Every relation of a batch, rewritten with all that follows.

use super::*;
use crate::signature::bip340::{self, Bip340};

const FILES: &str = "src/signature/";
const DIGEST: [u8; 32] = [7; 32];

fn ecdsa<C: Suite>(count: usize) -> TestCircuit {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let items: Vec<_> = (0..count).map(|_| signed::<C>(&mut rng, &DIGEST)).collect();
    ecdsa_circuit(C::CURVE, Rule::AnyS, &DIGEST, &items)
}

fn bip340(count: usize) -> TestCircuit {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let items: Vec<_> = (0..count)
        .map(|_| {
            let secret = Bip340::keygen(&mut rng);
            let signature = Bip340::sign(&secret, &DIGEST, &mut rng);
            let key = Bip340::public_key(&secret);
            raw(&key.point(), &signature.nonce_point(), &signature.s())
        })
        .collect();
    let curve = Curve::Secp256k1;
    let layout = Layout { sha256_lanes: 1, ..foreign(curve, 14, 13, 6) };
    batch(layout, (curve, halves_of(&DIGEST)), &items, |ctx, chips, digest, keys, signatures| {
        let _ = bip340::chip::assert_verify_all(ctx, chips, digest, keys, signatures);
    })
}

#[test]
fn what_ecdsa_relates_is_bound() {
    for count in [1, 2] {
        ecdsa::<k256::Secp256k1>(count).assert_relations_are_bound(FILES);
        ecdsa::<p256::NistP256>(count).assert_relations_are_bound(FILES);
    }
}

#[test]
fn what_bip340_relates_is_bound() {
    for count in [1, 2] {
        bip340(count).assert_relations_are_bound(FILES);
    }
}

/// Cells of the vertical gate: all are bound, but those that another gate computes or takes.
#[test]
fn sums_of_limbs_and_digits_are_determined() {
    for (count, passed_on) in [(1, [8, 8, 8]), (2, [51, 51, 24])] {
        let tests =
            [ecdsa::<k256::Secp256k1>(count), ecdsa::<p256::NistP256>(count), bip340(count)];
        let open = tests.each_ref().map(TestCircuit::open_values);
        assert_eq!(open, passed_on.map(|passed_on| (vec![], passed_on)), "{count}");
    }
}
