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
        assert!(bytes(&Parts::of_secret(k, secret(k)).assembled()) == library, "k = {k}");
        let without = Parts { g_lagrange: None, ..Parts::of_secret(k, secret(k)) };
        assert!(bytes(&without.assembled()) == library, "from the powers, k = {k}");
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
