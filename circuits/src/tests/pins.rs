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
        "a30f4747c2e258b542e3b9ea97feb7cc969c3a8399239afc4c3d37cf55d89a1e",
    ),
    (
        Scheme::Eddsa,
        16,
        8,
        Mode::WholeSet,
        11,
        "2e27068bb8bb5cca304cdd002aac34483c5f86edc8f21a7a530a1279a9d1f125",
    ),
    (
        Scheme::Musig,
        16,
        8,
        Mode::WholeSet,
        11,
        "3ff28337cdb39dc917e1f01f7df31a47f5a83bc633fbd7a02bfac55df0400817",
    ),
    (
        Scheme::Schnorr,
        1 << 20,
        2,
        Mode::Path,
        11,
        "a4babd46805bc0849f8640350917023eb6fa9760422659664d2aab694048ed11",
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
