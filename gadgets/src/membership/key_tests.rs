//! Roots of sets of every kind of key, computed again from light-poseidon and integers alone.

use ark_ff::{BigInteger as _, PrimeField as _};
use halo2curves::bn256::Fr;
use light_poseidon::{Poseidon, PoseidonHasher};

use super::*;
use crate::{
    curve::weierstrass::{Address, Curve, Point},
    signature::bip340,
};

/// x and y of G and of 2G, of secp256k1 (SEC 2) and of P-256 (FIPS 186).
const SECP256K1: [[&str; 2]; 2] = [
    [
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
    ],
    [
        "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
        "1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a",
    ],
];
const P256: [[&str; 2]; 2] = [
    [
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
    ],
    [
        "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
        "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1",
    ],
];
/// Ethereum's addresses of the secret keys 1 and 2.
const ADDRESSES: [&str; 2] =
    ["7e5f4552091a69125d5dfcb7b8c2659029395bdf", "2b5ad5c4795c026514f8317c7a215e218dccd6cf"];

type Ark = ark_bn254::Fr;

fn integer(bytes: &[u8]) -> Ark {
    Ark::from_be_bytes_mod_order(bytes)
}

fn hash(tag: &str, inputs: &[Ark]) -> Ark {
    let hasher = Poseidon::<Ark>::with_domain_tag_circom(inputs.len(), integer(tag.as_bytes()));
    hasher.unwrap().hash(inputs).unwrap()
}

/// The tag, the four halves, and a zero.
fn name([x, y]: [&str; 2]) -> Ark {
    let bytes = hex::decode([x, y].concat()).unwrap();
    let mut inputs: Vec<_> = bytes.chunks(16).map(integer).collect();
    inputs.push(Ark::from(0u8));
    hash("muster.key.weierstrass.v1", &inputs)
}

/// The root over two members of the weights 1 and 2 with the arity 5 and the depth 1.
fn root(names: [Ark; 2]) -> String {
    let zero = Ark::from(0u8);
    let weights = Ark::from(2u8) * Ark::from(1u128 << 64) + Ark::from(1u8);
    let leaf = hash("muster.leaf.v1", &[names[0], names[1], zero, zero, weights]);
    let empty = hash("muster.leaf.v1", &[zero; 5]);
    let root = hash("", &[leaf, empty, empty, empty, empty]);
    hex::encode(root.into_bigint().to_bytes_be())
}

fn committed(keys: [PublicKey; 2]) -> String {
    let members = keys.into_iter().zip([1, 2]);
    let members = members.map(|(public_key, weight)| Member { public_key, weight });
    let root: Fr = KeySet::new(members.collect()).unwrap().tree(5, 1).unwrap().root();
    hex::encode(ff::PrimeField::to_repr(&root).iter().rev().copied().collect::<Vec<_>>())
}

fn point(curve: Curve, coordinates: [&str; 2]) -> Point {
    let [x, y] = coordinates.map(|text| hex::decode(text).unwrap().try_into().unwrap());
    Point::from_coordinates(curve, &x, &y).unwrap()
}

#[test]
fn sets_of_points() {
    for (curve, keys) in [(Curve::Secp256k1, SECP256K1), (Curve::P256, P256)] {
        let points = keys.map(|key| point(curve, key));
        assert_eq!(committed(points.map(PublicKey::from)), root(keys.map(name)));
    }
    let golden = "2294ca0e123b897bf8084ca6adc2dacf61f7ee8f11311cbf87385094e682b90f";
    assert_eq!(root(SECP256K1.map(name)), golden);
    // Keys of BIP-340 with these x are these very points: both y are even.
    let keys = SECP256K1.map(|[x, _]| bip340::PublicKey::from_bytes(&hex::decode(x).unwrap()));
    assert_eq!(committed(keys.map(|key| key.unwrap().into())), golden);
}

#[test]
fn sets_of_addresses() {
    let names = ADDRESSES.map(|address| integer(&hex::decode(address).unwrap()));
    let addresses = ADDRESSES.map(|text| format!("0x{text}").parse::<Address>().unwrap());
    assert_eq!(committed(addresses.map(PublicKey::from)), root(names));
    let keys = SECP256K1.map(|key| point(Curve::Secp256k1, key).address());
    assert_eq!(keys, addresses);
}

#[test]
fn a_key_and_its_opposite_are_two_keys() {
    let key = point(Curve::Secp256k1, SECP256K1[0]);
    assert_ne!(PublicKey::from(key).name(), PublicKey::from(-key).name());
    let members = [key, -key].map(|key| Member { public_key: key.into(), weight: 1 });
    assert!(KeySet::new(members.to_vec()).is_ok());
    let twice = [key, key].map(|key| Member { public_key: key.into(), weight: 1 });
    let fault = KeySetError::DuplicateKey { first: 0, second: 1 };
    assert_eq!(KeySet::new(twice.to_vec()), Err(fault));
}
