//! Digests of verifying keys. A pin proves stability, not soundness: it tells that keys which users made
//! earlier still belong to the circuit.

use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;

use muster_schemes::signature::{MessageForm, Rule};

use super::{
    ed25519::{wanted, BYTES, PRECOMMITS},
    keys::verifying_key,
    *,
};
use crate::KeyKind;

/// Scheme, what names its keys, capacity, slots, mode, degree, and the digest of the key over the SRS of [`super::keys::Trapdoor`]:
/// halo2's own Blake2b of the constraint system, the fixed columns and the copies.
const PINS: [(Scheme, KeyKind, usize, usize, Mode, u32, &str); 11] = [
    (
        Scheme::Schnorr,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "0ed2a3932f8bf27b37dbe2ab766c88822f7ebe861f301aaa9a61d5ea5908472a",
    ),
    (
        Scheme::Eddsa,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "d8596aed6230031a4b8312db696fdbea73d10cce1962b0bcc58ce54d8c6b0f05",
    ),
    (
        Scheme::Musig,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "cd17e820038a771f061703db447f179b8c3a07189bcac1b0a662f8e6f387e628",
    ),
    (
        Scheme::Schnorr,
        KeyKind::Coordinates,
        1 << 20,
        2,
        Mode::Path,
        11,
        "31c6268face7baa62fa38e8f0c7369e7e8b241c277f421c829c12e120a30b128",
    ),
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        11,
        "ccef4488c6eb326c9ba26e925e0f7eef0d00478b5599cb748718342a40a4a421",
    ),
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Address,
        3,
        1,
        Mode::Path,
        13,
        "99dc2667aed4e87b3b3d2ff98b348a6cae6ad6a30dee8ced61e215c2cfaa0d2d",
    ),
    (
        Scheme::EcdsaP256,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        13,
        "994ecf5bba869ce1cc31eb54b6cc01914cdc9a52670a348b8a843ec2cda3cd16",
    ),
    (
        Scheme::SchnorrSecp256k1,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        13,
        "cb19380ba92614e68288c0a1b8a304ee1b5c27631e476ce9f13d1faace48f526",
    ),
    // Batches: their coefficients are squeezed.
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "7e1fd299c37e2b93025fcafc8b7cb1b46b57d2e08db5011a006d70590610c212",
    ),
    (
        Scheme::EcdsaP256,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "2a354fb6f826956631385f869fe1a1941c229bf1e08b8b5a3564ca07dd52341c",
    ),
    (
        Scheme::SchnorrSecp256k1,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "648ca670591b1cad838204bbb91e25ec82b046f0b1ea416c0b48ef3a0a6b940b",
    ),
];

/// Of Ed25519: rule, form of messages, slots and digest, for four members at 2^14 rows.
const ED25519: [(Rule, MessageForm, usize, &str); 4] = [
    (Rule::Zip215, BYTES, 1, "3f6cb454e181e6442a08c68458354c0b70bff77bc204fc37638af1482a5f2a1f"),
    (Rule::Rfc8032, BYTES, 1, "5a0569e5400de36d0c30cdb9b0a4ea2a90b9a80916c4c9b1276686845929fb20"),
    (Rule::Strict, BYTES, 2, "b881654565c09f0be4b43c09062f9a5d1139b1e137dd9166eeead91fb8cb1122"),
    (
        Rule::Zip215,
        PRECOMMITS,
        1,
        "5e81fdedaee1cd9f0ff771223c163e5ceb70cf054e9c79b947f55320b2d8ac04",
    ),
];
const ED25519_DEGREE: u32 = 14;

/// Of BLS: scheme, mode and digest, for two slots of four members at 2^15 rows.
const BLS: [(Scheme, Mode, &str); 5] = [
    (
        Scheme::BlsBls12381,
        Mode::Path,
        "fea01fc5d4bb183444fee03261465d37db9273efe1c7c85b8024bc240fed1a14",
    ),
    (
        Scheme::BlsBls12381,
        Mode::Complement,
        "0bceba0d4edec82bb5fbf9651ee6ffb7d2a3ffbd0dcd9b65464f34b8274a7226",
    ),
    (
        Scheme::BlsBls12381MinSig,
        Mode::WholeSet,
        "205d05069dcb15503dcda70978dbbda04ca8ecbc9e801b7e01ccdeca10239e27",
    ),
    (
        Scheme::BlsBn254,
        Mode::WholeSet,
        "84b3e85e40000f39da7d7d536a4dd8190403cf7e5f80316e9401223b7717242e",
    ),
    (
        Scheme::BlsBn254MinSig,
        Mode::Path,
        "ca2b2262e60e5a3f97276cff7157f4a5bdea1e472add89b874c7c6067ec30829",
    ),
];
const BLS_DEGREE: u32 = 15;
/// The same of BLS over BN254 in the mode `complement`, with a mask.
const MASK_OF_REST: &str = "2c89ccc1bd6e1fe93d5ee6bf93eb51817a5101d25fc70ea728c9d77e45a65c04";

/// With a mask: mode and digest, for eight of 16 members under Schnorr, at 2^12 rows.
const MASKED: [(Mode, &str); 2] = [
    (Mode::WholeSet, "978ba0a7449b9ac4c6e20db4f3e5806f47837e6afe4e5bd112345241762bc70d"),
    (Mode::Path, "bc0b0f0ba53bdb439538885452494d8dc62b43efdb295556a8e6c124e928790d"),
];

/// The digest of the key of the shape that is wanted, if it is not the pin.
fn changed(wanted: &Request, pin: &str) -> Option<String> {
    let shape = Shape::fit(wanted).expect("the pinned shape fits its degree");
    let key = verifying_key(&ThresholdCircuit::keygen(&shape), shape.degree());
    let digest = hex::encode(key.transcript_repr().to_repr());
    let Request { slots, capacity, keys, mode, .. } = wanted;
    let name = shape.scheme_name();
    (digest != pin)
        .then(|| format!("{name} {keys:?} {slots}/{capacity} {mode:?}: {digest}, pinned {pin:?}"))
}

fn assert_pinned(changed: &[String]) {
    assert!(
        changed.is_empty(),
        "verifying keys have changed, so keys and proofs made before are void. If that is meant, \
         write the new digests into circuits/src/tests/pins.rs and a line on it into CHANGELOG.md:\n{}",
        changed.join("\n")
    );
}

#[test]
fn keys_are_those_of_earlier_versions() {
    let changed = PINS.iter().filter_map(|&(scheme, keys, capacity, slots, mode, degree, pin)| {
        let wanted = request(scheme, capacity, slots, mode);
        changed(&Request { keys, degree: Some(degree), ..wanted }, pin)
    });
    assert_pinned(&changed.collect::<Vec<_>>());
}

#[test]
fn keys_of_ed25519_are_those_of_earlier_versions() {
    let changed = ED25519.iter().filter_map(|&(rule, form, slots, pin)| {
        changed(&Request { degree: Some(ED25519_DEGREE), ..wanted(rule, form, slots) }, pin)
    });
    assert_pinned(&changed.collect::<Vec<_>>());
}

#[test]
fn keys_with_a_mask_are_those_of_earlier_versions() {
    let changed = MASKED.iter().filter_map(|&(mode, pin)| {
        let request = request(Scheme::Schnorr, 16, 8, mode);
        changed(&Request { degree: Some(12), mask: true, ..request }, pin)
    });
    let rest = request(Scheme::BlsBn254, 4, 2, Mode::Complement);
    let rest = Request { degree: Some(BLS_DEGREE), absent: Some(2), mask: true, ..rest };
    assert_pinned(&changed.chain(self::changed(&rest, MASK_OF_REST)).collect::<Vec<_>>());
}

#[test]
fn keys_of_bls_are_those_of_earlier_versions() {
    let changed = BLS.iter().filter_map(|&(scheme, mode, pin)| {
        let request = request(scheme, 4, 2, mode);
        changed(&Request { degree: Some(BLS_DEGREE), absent: Some(2), ..request }, pin)
    });
    assert_pinned(&changed.collect::<Vec<_>>());
}
