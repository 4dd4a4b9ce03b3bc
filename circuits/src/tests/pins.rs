//! Digests of verifying keys. A pin proves stability, not soundness: it tells that keys which users made
//! earlier still belong to the circuit.

use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;

use super::{keys::verifying_key, *};

/// Scheme, capacity, slots, mode, degree, and the digest of the key over the fixed SRS of [`super::keys`]:
/// halo2's own Blake2b of the constraint system, the fixed columns and the copies.
const PINS: [(Scheme, usize, usize, Mode, u32, &str); 4] = [
    (
        Scheme::Schnorr,
        16,
        8,
        Mode::WholeSet,
        11,
        "aa54f15ada5454bcd66b18419ca74e0a25b936bdb105cc5db0c72f903380bf0f",
    ),
    (
        Scheme::Eddsa,
        16,
        8,
        Mode::WholeSet,
        11,
        "21bd8cc0dd1483e9ab5af30e1ebb3f498413d243413acdde28fdae075ec24327",
    ),
    (
        Scheme::Musig,
        16,
        8,
        Mode::WholeSet,
        11,
        "10b7c4b971c63fc8945df63dd67124dcef6947e8c8ddbaf1c26705ef06786522",
    ),
    (
        Scheme::Schnorr,
        1 << 20,
        2,
        Mode::Path,
        11,
        "b07f1d63d9839824a407c75281307cc3d75356c2abcaa02e84570970e43b600a",
    ),
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
