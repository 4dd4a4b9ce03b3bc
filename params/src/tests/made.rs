//! An SRS that is made, completed or cut here is the one that the library makes of the same secret.

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr},
        ff::Field,
    },
    poly::{commitment::Params, kzg::commitment::ParamsKZG},
    SerdeFormat,
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use sha2::{Digest, Sha256};

use crate::{parts::Parts, Origin, Srs};

#[test]
fn points_are_those_of_the_library() {
    for k in [1, 2, 5, 9] {
        let library = bytes(&library(k));
        assert!(bytes(&Parts::of_secret(k, secret(k)).assembled().params) == library, "k = {k}");
        let without = Parts { g_lagrange: None, ..Parts::of_secret(k, secret(k)) };
        assert!(bytes(&without.assembled().params) == library, "from the powers, k = {k}");
    }
}

#[test]
fn a_cut_is_that_of_the_library() {
    for (k, cut) in [(2, 1), (5, 4), (9, 2), (9, 7)] {
        let made = Parts::of_secret(k, secret(k)).assembled();
        let srs = Srs::new(made, Origin::Insecure).downsized(cut).unwrap();
        let mut library = library(k);
        library.downsize(cut);
        assert!(bytes(srs.params()) == bytes(&library), "from {k} to {cut}");
        assert_eq!(srs.digest()[..], Sha256::digest(bytes(&library))[..]);
    }
}

/// Keys are bound to them, whether or not there are further powers.
#[test]
fn digests_stay_what_they_were() {
    let pins = [
        (1, "878f1dfca6763668b073da34d5f5106c800d3686ebc76197df2f4fd187be3f96"),
        (5, "47d6c826232ebe2467e9bc19aac0744730d53edfb80c500ca58832221738724c"),
    ];
    for (k, pin) in pins {
        let parts = Parts::of_secret(k, secret(k));
        let without = Parts { further: vec![], ..Parts::of_secret(k, secret(k)) };
        for parts in [parts, without] {
            let srs = Srs::new(parts.assembled(), Origin::Insecure);
            assert_eq!(hex::encode(srs.digest()), pin, "k = {k}");
        }
    }
}

fn secret(k: u32) -> Fr {
    Fr::random(rng(k))
}

/// What the library makes of [`secret`], which it draws first.
fn library(k: u32) -> ParamsKZG<Bn256> {
    ParamsKZG::setup(k, rng(k))
}

fn rng(k: u32) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(u64::from(k))
}

fn bytes(params: &ParamsKZG<Bn256>) -> Vec<u8> {
    let mut bytes = vec![];
    params.write_custom(&mut bytes, SerdeFormat::RawBytes).unwrap();
    bytes
}
