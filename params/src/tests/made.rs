//! An SRS that is made here is the one that the library makes of the same secret.

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr},
        ff::Field,
    },
    poly::kzg::commitment::ParamsKZG,
    SerdeFormat,
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::parts::Parts;

#[test]
fn points_are_those_of_the_library() {
    for k in [1, 2, 5, 9] {
        let rng = ChaCha20Rng::seed_from_u64(u64::from(k));
        let tau = Fr::random(rng.clone());
        let bytes = |params: ParamsKZG<Bn256>| {
            let mut bytes = vec![];
            params.write_custom(&mut bytes, SerdeFormat::RawBytes).unwrap();
            bytes
        };
        let library = bytes(ParamsKZG::setup(k, rng));
        assert!(bytes(Parts::of_secret(k, tau).assembled()) == library, "k = {k}");
    }
}
