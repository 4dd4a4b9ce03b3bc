//! Keys against those of halo2, byte for byte.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::G1Affine,
    plonk::{keygen_pk2, ProvingKey},
    SerdeFormat,
};
use muster_circuits::{Request, Scheme, Shape, ThresholdCircuit};
use muster_engine::Backend;
use muster_params::Srs;

use crate::plonk::proving_key;

fn assert_same(scheme: Scheme, signing: usize, signers: usize) {
    let shape = Shape::fit(&Request::new(scheme, signers, signing)).unwrap();
    let srs = Srs::insecure(shape.degree()).unwrap();
    let bytes = |pk: ProvingKey<G1Affine>| pk.to_bytes(SerdeFormat::RawBytesUnchecked);
    let circuit = ThresholdCircuit::keygen(&shape);
    let library = keygen_pk2(srs.params(), &circuit, false).unwrap();
    let placement = circuit.placement();
    let constraints = format!("{:?}", library.get_vk().pinned());
    let representative = library.get_vk().transcript_repr();
    let expected = bytes(library);
    for backend in [Backend::portable(), Backend::best()] {
        let circuit = ThresholdCircuit::keygen(&shape);
        let made = proving_key(backend, srs.params(), &circuit).unwrap();
        assert_eq!(circuit.placement(), placement);
        assert_eq!(made.get_vk().transcript_repr(), representative);
        assert!(format!("{:?}", made.get_vk().pinned()) == constraints);
        assert!(bytes(made) == expected, "{scheme} {signing} of {signers} on {backend:?}");
    }
}

#[test]
fn keys_are_those_of_the_library() {
    assert_same(Scheme::Schnorr, 2, 3);
}

/// More schemes, in both modes of membership; a minute:
///
/// ```sh
/// cargo test -p muster-prover --lib plonk::tests::keygen -- --ignored
/// ```
#[test]
#[ignore = "it takes a minute"]
fn keys_of_more_schemes() {
    for (scheme, signing, signers) in [
        (Scheme::Schnorr, 2, 5000),
        (Scheme::Musig, 8, 16),
        (Scheme::EcdsaSecp256k1, 1, 1),
        (Scheme::EcdsaP256, 1, 2),
        (Scheme::SchnorrSecp256k1, 2, 2),
        (Scheme::Ed25519, 1, 2),
    ] {
        assert_same(scheme, signing, signers);
    }
}
