//! Digests of keys whose columns are all zero: what constraints, lookups and copies circuits have, as verifiers read them.
//!
//! A change of one means that keys in use no longer belong to the circuit. If that is meant, it has a line under *Verifying keys* in the changelog.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{G2Affine, G2},
    ff::PrimeField,
    group::Curve,
};
use muster_circuits::{Request, Scheme, Shape};
use muster_verifier::{Key, KeyParts};

use crate::logup::Reading;

/// Of 1 of 2.
const PINS: [(Scheme, &str); 4] = [
    (Scheme::Schnorr, "3763cdc4a7ffeb427b400e0683547417284536a6e57323e501db82c54b1b08ef"),
    (Scheme::EcdsaSecp256k1, "704dc31b88641f22c5782626326c410fd489c9837fe076bcb3739d59c95f1db1"),
    (Scheme::Ed25519, "fb312e86bf15e821488b7e0fb62241603addf03d866fa718d453465d3dd42f9e"),
    (Scheme::BlsBls12381, "f9e43cc11e85aa0bedc8acec465e64724efaae03195e8d12934896888da49f29"),
];

fn digest(scheme: Scheme) -> String {
    let shape = Shape::fit(&Request::new(scheme, 2, 1)).unwrap();
    let constraints = shape.layout.constraints();
    let protocol =
        Reading::of(&constraints, shape.degree(), shape.public_inputs()).unwrap().protocol;
    let [fixed, sigma] =
        [protocol.fixed(), protocol.copied().len()].map(|count| vec![[0; 64]; count]);
    let (description, is_ceremony, tau_g2) = (vec![], false, two());
    let parts = KeyParts { protocol, description, is_ceremony, tau_g2, fixed, sigma };
    hex::encode(Key::new(parts).unwrap().digest())
}

/// `2·[1]₂`.
fn two() -> [u8; 128] {
    let G2Affine { x, y } = (G2::from(G2Affine::generator()) + G2Affine::generator()).to_affine();
    let coordinates = [x.c1, x.c0, y.c1, y.c0].map(|coordinate| {
        let mut bytes = coordinate.to_repr();
        bytes.reverse();
        bytes
    });
    coordinates.concat().try_into().unwrap()
}

#[test]
fn protocols_are_those_of_before() {
    let made = PINS.map(|(scheme, _)| (scheme, digest(scheme)));
    assert_eq!(made, PINS.map(|(scheme, pin)| (scheme, pin.to_owned())));
}
