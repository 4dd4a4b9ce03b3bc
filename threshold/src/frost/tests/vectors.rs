//! The vectors of RFC 9591, appendix E, in the JSON of the frost crates; those of Baby Jubjub are
//! our own, written by `tools/vectors.py`, which shares no code with the crate.

use std::{fs, path::PathBuf};

use frost_core::{
    keys::{SigningShare, VerifyingShare},
    round1::Nonce,
    VerifyingKey,
};
use serde_json::Value;

use super::*;

fn read(name: &str) -> Value {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/frost/tests/vectors");
    serde_json::from_slice(&fs::read(dir.join(format!("{name}.json"))).unwrap()).unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

fn member<C: Suite>(value: &Value) -> Identifier<C> {
    identifier(value["identifier"].as_u64().unwrap().try_into().unwrap()).unwrap()
}

#[derive(Clone, Copy)]
struct Published;

impl SuiteVisitor for Published {
    type Output = ();

    fn visit<C: Suite>(self) {
        let vectors = read(C::NAME.as_str());
        let inputs = &vectors["inputs"];
        let key = VerifyingKey::<C>::deserialize(&bytes(&inputs["verifying_key_key"])).unwrap();
        let threshold =
            inputs["share_polynomial_coefficients"].as_array().unwrap().len() as u16 + 1;
        let shares = inputs["participant_shares"].as_array().unwrap().iter().map(|share| {
            let secret =
                SigningShare::<C>::deserialize(&bytes(&share["participant_share"])).unwrap();
            let id = member::<C>(share);
            (id, KeyShare::new(id, secret, VerifyingShare::from(secret), key, threshold))
        });
        let shares: BTreeMap<_, _> = shares.collect();
        let public = shares.iter().map(|(id, share)| (*id, *share.verifying_share())).collect();
        let group = Group::<C>::new(public, key, Some(threshold));

        let round1 = vectors["round_one_outputs"]["outputs"].as_array().unwrap();
        let commitments = round1.iter().map(|output| {
            let hiding = bytes(&output["hiding_nonce_commitment"]);
            let binding = bytes(&output["binding_nonce_commitment"]);
            (member::<C>(output), Commitment::from_bytes(&hiding, &binding).unwrap())
        });
        let commitments = unique(commitments).unwrap();
        let package = Package::new(commitments.clone(), &bytes(&inputs["message"]));
        let signed = round1.iter().map(|output| {
            let nonce = |name| Nonce::<C>::deserialize(&bytes(&output[name])).unwrap();
            let nonces = Nonces::from_nonces(nonce("hiding_nonce"), nonce("binding_nonce"));
            let id = member::<C>(output);
            assert_eq!(nonces.commitments(), commitments[&id].points());
            (id, sign::sign(&package, nonces, &shares[&id]).unwrap())
        });
        let signed: BTreeMap<_, _> = signed.collect();
        for output in vectors["round_two_outputs"]["outputs"].as_array().unwrap() {
            assert_eq!(signed[&member(output)].inner().serialize(), bytes(&output["sig_share"]));
        }
        let signature = aggregate(&package, &signed, &group).unwrap();
        assert_eq!(signature.serialize().unwrap(), bytes(&vectors["final_output"]["sig"]));
        let again = Package::from_frost(package.inner().clone()).unwrap();
        assert_eq!(aggregate(&again, &signed, &group), Ok(signature));
    }
}

#[test]
fn published_vectors_through_our_aggregation() {
    in_every_suite(Published);
}

/// frost-core's own reading of the same file.
#[test]
fn the_vectors_of_baby_jubjub_in_frost_core() {
    let vectors = read("babyjubjub");
    frost_core::tests::vectors::check_sign_with_test_vectors::<BabyJubjubPoseidon>(&vectors);
}

/// A key generation of frost-core's steps, and of ours.
#[test]
fn the_key_generation_of_baby_jubjub_in_frost_core() {
    let vectors = read("babyjubjub-dkg");
    frost_core::tests::vectors_dkg::check_dkg_keygen::<BabyJubjubPoseidon>(&vectors);
}

/// Schnorr's own verification, which knows nothing of FROST.
#[test]
fn the_vectors_of_baby_jubjub_are_schnorr_signatures() {
    use muster_schemes::signature::{schnorr::Schnorr, SignatureScheme};
    let vectors = read("babyjubjub");
    let key = Schnorr::decode_public_key(&bytes(&vectors["inputs"]["verifying_key_key"])).unwrap();
    let message = babyjubjub::message_to_field(&bytes(&vectors["inputs"]["message"]));
    assert_eq!(message, 42.into());
    let signature = Schnorr::decode_signature(&bytes(&vectors["final_output"]["sig"])).unwrap();
    Schnorr::verify(&key, &message, &signature).unwrap();
    assert!(Schnorr::verify(&key, &43.into(), &signature).is_err());
}
