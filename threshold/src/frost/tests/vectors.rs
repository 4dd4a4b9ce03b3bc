//! The vectors of RFC 9591, appendix E, in the JSON of the frost crates; those of Baby Jubjub are
//! our own.

use std::{env, fs, path::PathBuf};

use frost_core::{
    keys::{SigningShare, VerifyingShare},
    round1::Nonce,
    VerifyingKey,
};
use serde_json::{json, Value};

use super::*;

fn file(suite: SuiteName) -> PathBuf {
    let dir = "src/frost/tests/vectors";
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(dir).join(format!("{suite}.json"))
}

fn read(suite: SuiteName) -> Value {
    serde_json::from_slice(&fs::read(file(suite)).unwrap()).unwrap()
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
        let vectors = read(C::NAME);
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
            assert_eq!(signed[&member(output)].serialize(), bytes(&output["sig_share"]));
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

/// The vectors of Baby Jubjub, from constants alone.
fn ours() -> Value {
    type C = BabyJubjubPoseidon;
    use frost_core::{Ciphersuite, Field, Group as _};
    type F = <<C as Ciphersuite>::Group as frost_core::Group>::Field;
    let hex = |scalar: &_| hex::encode(F::serialize(scalar));
    let scalar = |label: &str| C::H3(format!("test vector: {label}").as_bytes());
    let (secret, slope) = (scalar("secret"), scalar("slope"));
    let share = |i: u64| secret + slope * C::scalar(i.into());
    let point = |scalar| <C as Ciphersuite>::Group::serialize(&(Subgroup::generator() * scalar));
    let encode = |scalar| hex::encode(point(scalar).unwrap());
    let message = [[0; 31].as_slice(), &[42]].concat();

    let key = VerifyingKey::<C>::new(Subgroup::generator() * secret);
    let nonce = |i: u64, kind: &str| {
        let randomness = <C as Ciphersuite>::H4(format!("test vector: {kind} {i}").as_bytes());
        let randomness = &randomness[..32];
        (randomness.to_vec(), C::H3(&[randomness, &F::serialize(&share(i))].concat()))
    };
    let round1 = [1, 3].map(|i| (i, nonce(i, "hiding"), nonce(i, "binding")));
    let commitments = round1.iter().map(|(i, hiding, binding)| {
        let read = |(_, nonce): &(_, _)| point(*nonce).unwrap();
        let commitment = Commitment::<C>::from_bytes(&read(hiding), &read(binding)).unwrap();
        (identifier(*i as u16).unwrap(), commitment)
    });
    let package = Package::new(unique(commitments).unwrap(), &message);
    let inputs = package.inner().binding_factor_preimages(&key, &[]).unwrap();
    let factors: Vec<_> = inputs.iter().map(|(_, input)| C::H1(input)).collect();

    let commitment = round1.iter().zip(&factors).fold(Subgroup::identity(), |sum, (r, rho)| {
        sum + Subgroup::generator() * (r.1 .1 + r.2 .1 * *rho)
    });
    let challenge = C::challenge(&commitment, &key, &message).unwrap().to_scalar();
    // λ_1 = 3/(3 - 1), λ_3 = 1/(1 - 3).
    let half = F::invert(&C::scalar(2)).unwrap();
    let lambdas = [C::scalar(3) * half, F::zero() - half];
    let shares: Vec<_> = (0..2)
        .map(|j| {
            let (i, hiding, binding) = &round1[j];
            hiding.1 + binding.1 * factors[j] + lambdas[j] * share(*i) * challenge
        })
        .collect();
    let signature = [point_of(&commitment), F::serialize(&(shares[0] + shares[1]))].concat();

    let outputs: Vec<_> = (0..2)
        .map(|j| {
            let (i, hiding, binding) = &round1[j];
            json!({
                "identifier": i,
                "hiding_nonce_randomness": hex::encode(&hiding.0),
                "binding_nonce_randomness": hex::encode(&binding.0),
                "hiding_nonce": hex(&hiding.1),
                "binding_nonce": hex(&binding.1),
                "hiding_nonce_commitment": encode(hiding.1),
                "binding_nonce_commitment": encode(binding.1),
                "binding_factor_input": hex::encode(&inputs[j].1),
                "binding_factor": hex(&factors[j]),
            })
        })
        .collect();
    let participants =
        [1, 2, 3].map(|i| json!({ "identifier": i, "participant_share": hex(&share(i)) }));
    let signed = [0, 1].map(|j| json!({ "identifier": round1[j].0, "sig_share": hex(&shares[j]) }));
    json!({
        "config": {
            "MAX_PARTICIPANTS": "3",
            "NUM_PARTICIPANTS": "2",
            "MIN_PARTICIPANTS": "2",
            "name": "FROST(Baby Jubjub, Poseidon)",
            "group": "Baby Jubjub",
            "hash": "Poseidon, Blake2b-512",
        },
        "inputs": {
            "participant_list": [1, 3],
            "group_secret_key": hex(&secret),
            "verifying_key_key": encode(secret),
            "message": hex::encode(&message),
            "share_polynomial_coefficients": [hex(&slope)],
            "participant_shares": participants,
        },
        "round_one_outputs": { "outputs": outputs },
        "round_two_outputs": { "outputs": signed },
        "final_output": { "sig": hex::encode(signature) },
    })
}

use super::babyjubjub::Subgroup;

fn point_of(point: &frost_core::Element<BabyJubjubPoseidon>) -> [u8; 32] {
    use frost_core::Group;
    Subgroup::serialize(point).unwrap()
}

/// As for golden costs, the file is written anew with MUSTER_UPDATE_GOLDEN=1.
#[test]
fn the_vectors_of_baby_jubjub_are_pinned() {
    let ours = ours();
    if env::var_os("MUSTER_UPDATE_GOLDEN").is_some() {
        let text = serde_json::to_string_pretty(&ours).unwrap() + "\n";
        fs::write(file(SuiteName::BabyJubjub), text).unwrap();
    }
    assert_eq!(ours, read(SuiteName::BabyJubjub));
}

/// frost-core's own reading of the same file.
#[test]
fn the_vectors_of_baby_jubjub_in_frost_core() {
    let vectors = read(SuiteName::BabyJubjub);
    frost_core::tests::vectors::check_sign_with_test_vectors::<BabyJubjubPoseidon>(&vectors);
}

/// Schnorr's own verification, which knows nothing of FROST.
#[test]
fn the_vectors_of_baby_jubjub_are_schnorr_signatures() {
    use muster_gadgets::signature::{schnorr::Schnorr, SignatureScheme};
    let vectors = read(SuiteName::BabyJubjub);
    let key = Schnorr::decode_public_key(&bytes(&vectors["inputs"]["verifying_key_key"])).unwrap();
    let message = babyjubjub::message_to_field(&bytes(&vectors["inputs"]["message"]));
    assert_eq!(message, 42.into());
    let signature = Schnorr::decode_signature(&bytes(&vectors["final_output"]["sig"])).unwrap();
    Schnorr::verify(&key, &message, &signature).unwrap();
    assert!(Schnorr::verify(&key, &43.into(), &signature).is_err());
}
