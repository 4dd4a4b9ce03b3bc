//! Digests of verifying keys. A pin proves stability, not soundness: it tells that keys which users made
//! earlier still belong to the circuit.

use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;

use super::{keys::verifying_key, *};
use crate::KeyKind;

/// Scheme, what names its keys, capacity, slots, mode, degree, and the digest of the key over the fixed SRS of [`super::keys`]:
/// halo2's own Blake2b of the constraint system, the fixed columns and the copies.
const PINS: [(Scheme, KeyKind, usize, usize, Mode, u32, &str); 11] = [
    (
        Scheme::Schnorr,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "458c2bd98c2f57c7c9c10aa57b4e25f38b0cff5a3b9ac1e02cad2b95cd223008",
    ),
    (
        Scheme::Eddsa,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "b833a6ee7bc468d989e55c38b649a98fd12a895b7852644f2b96961b0a5e1d2f",
    ),
    (
        Scheme::Musig,
        KeyKind::Coordinates,
        16,
        8,
        Mode::WholeSet,
        11,
        "fadf77e94eac81223819817458538738dbe5c830c462173cd93f77117d17a91f",
    ),
    (
        Scheme::Schnorr,
        KeyKind::Coordinates,
        1 << 20,
        2,
        Mode::Path,
        11,
        "53f59b890059d9964fb3add827f0fab8f393a7a660f9d6dcd5b970d8dd026311",
    ),
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        11,
        "a8251a5d1262ffcb8645ddb0ddecd301f9dfc0d5eb7476e6656df5951b49481c",
    ),
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Address,
        3,
        1,
        Mode::Path,
        13,
        "aad4eeeec06846fbd80f0afd0b3404a73372f3939dc197db191970d141b5f31a",
    ),
    (
        Scheme::EcdsaP256,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        13,
        "60a733399472434c857c085292e1fc7df067f84f8e3fa80d65f576e42390402e",
    ),
    (
        Scheme::SchnorrSecp256k1,
        KeyKind::Coordinates,
        3,
        1,
        Mode::Path,
        13,
        "7be9410885d16c6c4d2cc29713ec088306d426a4079e66bf97a84b43a38a631b",
    ),
    // Batches: their coefficients are squeezed.
    (
        Scheme::EcdsaSecp256k1,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "488162e12497d08dda91bc9b60cbec29c635b323894e8c330a45d31fea947720",
    ),
    (
        Scheme::EcdsaP256,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "db0cb59339965c5be17dacbce91918c49687add571bfc3d0d51129eecda38d03",
    ),
    (
        Scheme::SchnorrSecp256k1,
        KeyKind::Coordinates,
        3,
        2,
        Mode::Path,
        13,
        "4199fe8f777eed65eebcba91e0dca4d47994b078481539146c454de7567c450d",
    ),
];

#[test]
fn keys_are_those_of_earlier_versions() {
    let changed: Vec<_> = PINS
        .iter()
        .filter_map(|&(scheme, keys, capacity, slots, mode, degree, pin)| {
            let wanted =
                Request { keys, degree: Some(degree), ..request(scheme, capacity, slots, mode) };
            let shape = Shape::fit(&wanted).expect("the pinned shape fits its degree");
            let key = verifying_key(&ThresholdCircuit::keygen(&shape), degree);
            let digest = hex::encode(key.transcript_repr().to_repr());
            (digest != pin).then(|| {
                format!("{scheme} {keys:?} {slots}/{capacity} {mode:?}: {digest}, pinned {pin:?}")
            })
        })
        .collect();
    assert!(
        changed.is_empty(),
        "verifying keys have changed, so keys and proofs made before are void. If that is meant, \
         write the new digests into circuits/src/tests/pins.rs and a line on it into CHANGELOG.md:\n{}",
        changed.join("\n")
    );
}
