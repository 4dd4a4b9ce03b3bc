//! BLS12-381 against blst, and what circuits take for granted of its maps.

use blst::{min_pk, min_sig};
use ff::Field;
use halo2curves::bls12_381::{Fq, Fq2};
use rand::RngCore;

use super::*;
use crate::hash::to_curve::bls12381::{Isogenous, Isogeny};

/// The hash is the signature of the secret 1.
#[test]
fn agree_with_blst() {
    let mut rng = muster_testing::rng();
    let mut one = [0; 32];
    one[31] = 1;
    let to_g1 = min_sig::SecretKey::from_bytes(&one).expect("a secret");
    let to_g2 = min_pk::SecretKey::from_bytes(&one).expect("a secret");
    for length in [0, 1, 31, 32, 33, 55, 64, 119, 627, 1024] {
        let mut message = vec![0; length];
        rng.fill_bytes(&mut message);
        let mut tag = vec![0; 1 + (rng.next_u32() % 255) as usize];
        rng.fill_bytes(&mut tag);
        let bytes = |all: Vec<BigUint>| -> Vec<u8> {
            all.iter()
                .flat_map(|one| {
                    [&vec![0; 48 - one.to_bytes_be().len()][..], &one.to_bytes_be()].concat()
                })
                .collect()
        };
        let named = Tag::new(&tag).expect("a tag");
        let g1 = integers::<Bls12381G1>(&hash_to_curve::<Bls12381G1>(&message, &named));
        assert_eq!(bytes(g1), to_g1.sign(&message, &tag, &[]).serialize());
        let g2 = integers::<Bls12381G2>(&hash_to_curve::<Bls12381G2>(&message, &named));
        let [x0, x1, y0, y1] = <[_; 4]>::try_from(g2).expect("four");
        assert_eq!(bytes(vec![x1, x0, y1, y0]), to_g2.sign(&message, &tag, &[]).serialize());
    }
}

/// Elements for which the map has no denominator go the way of section 6.6.2, and so do their neighbours.
#[test]
fn exceptional_elements() {
    let isogenous = &Isogeny::get().curve;
    let x = isogenous.b * (isogenous.z * isogenous.a).invert().expect("not 0");
    let root = (-isogenous.z.invert().expect("not 0")).sqrt().expect("-1/11 is a square");
    for u in [Fq::ZERO, root, -root] {
        let [found, y] = isogenous.map(&u);
        assert_eq!(found, x);
        assert_eq!(bool::from(y.sign()), bool::from(u.sign()));
    }
    assert_ne!(isogenous.map(&Fq::ONE)[0], x);
    let two = |c0: u64, c1: u64| Fq2 { c0: Fq::from(c0), c1: Fq::from(c1) };
    let z = -two(2, 1);
    let isogenous = Isogenous { a: two(0, 240), b: two(1012, 1012), z };
    let x = isogenous.b * (z * isogenous.a).invert().expect("not 0");
    assert_eq!(isogenous.map(&Fq2::ZERO)[0], x);
    // 0 alone: -1/z is no square.
    assert!(bool::from((-z.invert().expect("not 0")).sqrt().is_none()));
}
