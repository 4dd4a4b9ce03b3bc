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
        "a65922d99c5d8b42e216984ff8a2f997ea01597016180119737a5ed681d3a717",
    ),
    (
        Scheme::Eddsa,
        16,
        8,
        Mode::WholeSet,
        11,
        "a974e79f84ce0e0ba70cd16e8dd1476ed9a97b63b233e3f09c9b0e93323ebb04",
    ),
    (
        Scheme::Musig,
        16,
        8,
        Mode::WholeSet,
        11,
        "0a597c4d64108d41257f49540fd39856841770aefedb51b462f0fdbdb5d54b07",
    ),
    (
        Scheme::Schnorr,
        1 << 20,
        2,
        Mode::Path,
        11,
        "69bf41c4bc7f9df2492b665f5562c612a182d5976c8dde98d27ec4b34039cc06",
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
