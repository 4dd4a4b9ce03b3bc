//! Digests of what circuits give their verifying keys. A pin proves stability, not soundness: it tells that keys which users
//! made earlier still belong to the circuit. `pinned.rs` shows what a pin covers.

use muster_schemes::signature::{MessageForm, Rule};

use super::{
    ed25519::{wanted, BYTES, PRECOMMITS},
    keys::key_material,
    *,
};
use crate::KeyKind;

/// Scheme, what names its keys, capacity, slots, mode, degree, and the [digest](super::material::Material::pin) of constraints,
/// fixed cells, selectors and copies.
const PINS: [(Scheme, KeyKind, usize, usize, Mode, u32, &str); 11] = [
    (
        Scheme::Schnorr,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "a8fe5b3155d35ffa469e94e2aa071f0d59291ba9bd4d425efb30a031af9922b4",
    ),
    (
        Scheme::Eddsa,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "feb78f8b086a883a8e305ab4a291d77fcf9c657be27cfa9d06f462e8a601f347",
    ),
    (
        Scheme::Musig,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "2ccc42a2f41b9897288d577dea6714a6625759851820dc4d21f15cfa52e98b76",
    ),
    (
        Scheme::Schnorr,
        KeyKind::Coordinates,
        1 << 20,
        2,
        Mode::Path,
        11,
        "d774f0516dd0d93699fdb3ea6b944c3058c89b7fffe5e6b5f2498356a2804861",
    ),
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        11,
        "e5adb1dcf529605925b1c73756bb9ade7c9db70274113a244ce73c2eda5ef839",
    ),
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Address,
        3,
        1,
        Mode::Path,
        13,
        "d07127b3af63703e0dbfe931319ea146be52f4fa9314dbcdf5ea98b5f0855e72",
    ),
    (
        Scheme::EcdsaP256,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        13,
        "ea493f8182c2b4eef5c8824a99524fcebf64c1951736c18d5f3512a23b9b8d1f",
    ),
    (
        Scheme::SchnorrSecp256k1,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        13,
        "febe44dfac712fc06c22dadd1765a405cc4918922ed93badf4248ac5c00bb889",
    ),
    // Batches: their coefficients are squeezed.
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "bd55112bf821300063a7b688ad5fb55c60489d4c67ceaec5bfc98294b9fbb586",
    ),
    (
        Scheme::EcdsaP256,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "180c20e6342cec3b6632e1b28c704afcde0fedfb2327638a9d49589e4351252e",
    ),
    (
        Scheme::SchnorrSecp256k1,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "1811358063d12bb75aeca2b530c8f8c01a1b34c284eb7c8de2f9fbf9dc141c4b",
    ),
];

/// Of Ed25519: rule, form of messages, slots and digest, for four members at 2^14 rows.
const ED25519: [(Rule, MessageForm, usize, &str); 4] = [
    (Rule::Zip215, BYTES, 1, "d8b9d7a42969d71701387df3629399f758d3a7715118d21c5b076ff43b5e1200"),
    (Rule::Rfc8032, BYTES, 1, "0cba5f11c1fe5b5207117088de6a44e2521f3234c51dd06b3f0fe313118a58f1"),
    (Rule::Strict, BYTES, 2, "de0de4403175b5a9c93df11e01e7828a20ced57fa74969e2d23e66c8c38972cd"),
    (
        Rule::Zip215,
        PRECOMMITS,
        1,
        "48758df98079ba208f2b5b6bd1d97e59e41649026c841bfaaca25fc86e44c89c",
    ),
];
const ED25519_DEGREE: u32 = 14;

/// Of BLS: scheme, mode and digest, for two slots of four members at 2^15 rows.
const BLS: [(Scheme, Mode, &str); 5] = [
    (
        Scheme::BlsBls12381,
        Mode::Path,
        "7c5440dca0ef7f92dea64e54a440a26447708be15a4f9692030ef97210a56b31",
    ),
    (
        Scheme::BlsBls12381,
        Mode::Complement,
        "7ce84cef677bfdac7a044e33f32eca39dd1962eac63b1f438eb05a3b6560a733",
    ),
    (
        Scheme::BlsBls12381MinSig,
        Mode::WholeSet,
        "c4a8c294731ae1351e88716ebf45213fd7711576cc342cd78b377f41b2f844c6",
    ),
    (
        Scheme::BlsBn254,
        Mode::WholeSet,
        "cb0032853f39303fb2bd910c8c1382718974bf8caaebf6feb08751ca75e89e51",
    ),
    (
        Scheme::BlsBn254MinSig,
        Mode::Path,
        "7aa6603bdd80ff8870effaad7fe876c62263d7c1d6c52195c66e9c7dac192e89",
    ),
];
const BLS_DEGREE: u32 = 15;
/// The same of BLS over BN254 in the mode `complement`, with a mask.
const MASK_OF_REST: &str = "9d4a5dc35d901fa16477dc1e493b6ed9263822dca9568005167d04348d012fa9";

/// With a mask: mode and digest, for eight of 16 members under Schnorr, at 2^12 rows.
const MASKED: [(Mode, &str); 2] = [
    (Mode::WholeSet, "af3a68b60bcbd07e1dc44d9fc3ae5977e5040a0a0b5ef2c65dc9da3e80b63fb7"),
    (Mode::Path, "f10e353aae84235fcfaed063534ecdfcc2997a9d43b72f8daf010b5e696b39c1"),
];

/// The digest of the key of the shape that is wanted, if it is not the pin.
fn changed(wanted: &Request, pin: &str) -> Option<String> {
    let shape = Shape::fit(wanted).expect("the pinned shape fits its degree");
    let digest = key_material(&shape.keygen_circuit(), &shape).pin();
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
