//! Digests of verifying keys. A pin proves stability, not soundness: it tells that keys which users made
//! earlier still belong to the circuit.

use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;

use super::{keys::verifying_key, *};

/// Scheme, capacity, slots, mode, degree, and the digest of the key over the fixed SRS of [`super::keys`]:
/// halo2's own Blake2b of the constraint system, the fixed columns and the copies.
const PINS: [(Scheme, usize, usize, Mode, u32, &str); 4] = [
    (Scheme::Schnorr, 16, 8, Mode::WholeSet, 11, "d79997c8afa15f0d13d27be750efe63bb77ea8aa3ac9c76a555095f3b8ab7119"),
    (Scheme::Eddsa, 16, 8, Mode::WholeSet, 11, "f17e1b52a200c89c70414083c8f01bccc544a1d6c35a9f47f37ffb596976cc1c"),
    (Scheme::Musig, 16, 8, Mode::WholeSet, 11, "d806bc8698ea433769cc47ea749dd9c9ca9ce23298041f909016373f5984551d"),
    (Scheme::Schnorr, 1 << 20, 2, Mode::Path, 11, "2bdd9b07c61d5cf3740620aaaafa020fe2f9f96ae3844f0cb4b62fdd8eea6e0c"),
];

#[test]
fn keys_are_those_of_earlier_versions() {
    let changed: Vec<_> = PINS
        .iter()
        .filter_map(|&(scheme, capacity, slots, mode, degree, pin)| {
            let wanted = Request { degree: Some(degree), ..request(scheme, capacity, slots, mode) };
            let shape = Shape::fit(&wanted).expect("the pinned shape fits its degree");
            let key = verifying_key(&ThresholdCircuit::keygen(&shape), degree);
            let digest = hex::encode(key.transcript_repr().to_repr());
            (digest != pin)
                .then(|| format!("{scheme} {slots}/{capacity} {mode:?}: {digest}, pinned {pin:?}"))
        })
        .collect();
    assert!(
        changed.is_empty(),
        "verifying keys have changed, so keys and proofs made before are void. If that is meant, \
         write the new digests into circuits/src/tests/pins.rs and a line on it into CHANGELOG.md:\n{}",
        changed.join("\n")
    );
}
