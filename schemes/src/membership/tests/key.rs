//! Roots of sets of every kind of key, computed again from light-poseidon and integers, and from our permutation where that has none
//! of as many elements.

use ark_ff::{BigInteger as _, Field as _, PrimeField as _};
use blst::min_pk;
use halo2curves::bn256::Fr;
use muster_testing::circom::{self, PoseidonHasher};

use super::super::*;
use crate::{
    curve::weierstrass::{Address, Curve, Point},
    hash::poseidon,
    signature::{
        bip340,
        bls::{member::OwnedKey, MinPkPopBls12381},
        ed25519,
    },
};

/// x and y of the multiples of G of secp256k1 by 112233445566778899 and by the secret key of the second
/// account of Hardhat and Anvil, 0x59c6995e…; both y are even.
const SECP256K1: [[&str; 2]; 2] = [
    [
        "a90cc3d3f3e146daadfc74ca1372207cb4b725ae708cef713a98edd73d99ef29",
        "5a79d6b289610c68bc3b47f3d72f9788a26a06868b4d8e433e1e2ad76fb7dc76",
    ],
    [
        "ba5734d8f7091719471e7f7ed6b9df170dc70cc661ca05e688601ad984f068b0",
        "d67351e5f06073092499336ab0839ef8a521afd334e53807205fa2f08eec74f4",
    ],
];
/// The same of P-256 by 112233445566778899 and by 112233445566778899112233445566778899.
const P256: [[&str; 2]; 2] = [
    [
        "339150844ec15234807fe862a86be77977dbfb3ae3d96f4c22795513aeaab82f",
        "b1c14ddfdc8ec1b2583f51e85a5eb3a155840f2034730e9b5ada38b674336a21",
    ],
    [
        "1b7e046a076cc25e6d7fa5003f6729f665cc3241b5adab12b498cd32f2803264",
        "bfea79be2b666b073db69a2a241adab0738fe9d2dd28b5604eb8c8cf097c457b",
    ],
];
/// Ethereum's addresses of the keys over secp256k1.
const ADDRESSES: [&str; 2] =
    ["5957c8ea078e7028592513a616dbaf470622a4fa", "70997970c51812dc3a010c7d01b50e0d17dc79c8"];
/// Ed25519: the key of a validator of Oraichain, and that of Project Wycheproof's first vectors.
const ED25519: [&str; 2] = [
    "10b8dfde73aeda38f81c5ce9c181ccaf2e25d0c66b8d4bfb41732f0ae61ee566",
    "7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa",
];

type Ark = ark_bn254::Fr;

fn integer(bytes: &[u8]) -> Ark {
    Ark::from_be_bytes_mod_order(bytes)
}

fn hash(tag: &str, inputs: &[Ark]) -> Ark {
    circom::poseidon(inputs.len(), integer(tag.as_bytes())).hash(inputs).unwrap()
}

/// The tag, the four halves, and a zero.
fn name([x, y]: [&str; 2]) -> Ark {
    let bytes = hex::decode([x, y].concat()).unwrap();
    let mut inputs: Vec<_> = bytes.chunks(16).map(integer).collect();
    inputs.push(Ark::from(0u8));
    hash("muster.key.weierstrass.v1", &inputs)
}

/// The root of the tree over two members of the weights 1 and 2 with the arity 5 and the depth 1.
fn tree(names: [Ark; 2]) -> Ark {
    let zero = Ark::from(0u8);
    let weights = Ark::from(2u8) * Ark::from(1u128 << 64) + Ark::from(1u8);
    let leaf = hash("muster.leaf.v1", &[names[0], names[1], zero, zero, weights]);
    let empty = hash("muster.leaf.v1", &[zero; 5]);
    hash("", &[leaf, empty, empty, empty, empty])
}

fn root(names: [Ark; 2]) -> String {
    in_hex(tree(names))
}

fn in_hex(root: Ark) -> String {
    hex::encode(root.into_bigint().to_bytes_be())
}

/// Members of the weights 1 and 2.
fn weighted(keys: [PublicKey; 2]) -> Vec<Member> {
    let members = keys.into_iter().zip([1, 2]);
    members.map(|(public_key, weight)| Member { public_key, weight }).collect()
}

fn committed(keys: [PublicKey; 2]) -> String {
    root_of(&KeySet::new(weighted(keys)).unwrap())
}

fn root_of(set: &KeySet) -> String {
    let root: Fr = set.tree(5, 1).unwrap().root();
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
    let golden = "2644163a2ee838d321816c5f9eca8c73e1be007eb2f0c5e7cb87da4037e6b4e8";
    assert_eq!(root(SECP256K1.map(name)), golden);
    let of_p256 = "17b66713bff87e05283b24f480318a71a5d6d8a592fb6b3e41320b3565071bb2";
    assert_eq!(root(P256.map(name)), of_p256);
    // Keys of BIP-340 with these x are these very points: both y are even.
    let keys = SECP256K1.map(|[x, _]| bip340::PublicKey::from_bytes(&hex::decode(x).unwrap()));
    assert_eq!(committed(keys.map(|key| key.unwrap().into())), golden);
}

#[test]
fn sets_of_addresses() {
    let names = ADDRESSES.map(|address| integer(&hex::decode(address).unwrap()));
    let addresses = ADDRESSES.map(|text| format!("0x{text}").parse::<Address>().unwrap());
    assert_eq!(committed(addresses.map(PublicKey::from)), root(names));
    let golden = "13027dce7d0374d911d32e7e573087530068f601ac45409fcc3d1c4a285713d6";
    assert_eq!(root(names), golden);
    let keys = SECP256K1.map(|key| point(Curve::Secp256k1, key).address());
    assert_eq!(keys, addresses);
}

/// The halves of the little-endian integer, the high one first, and three zeros.
#[test]
fn sets_of_ed25519() {
    let bytes = ED25519.map(|digits| hex::decode(digits).unwrap());
    let names = bytes.each_ref().map(|key| {
        let [low, high] = [&key[..16], &key[16..]].map(Ark::from_le_bytes_mod_order);
        let zero = Ark::from(0u8);
        hash("muster.key.ed25519.v1", &[high, low, zero, zero, zero])
    });
    let keys = bytes.map(|key| ed25519::PublicKey::from_bytes(&key).unwrap());
    assert_eq!(committed(keys.map(PublicKey::from)), root(names));
    let golden = "205533b5658419d919e07eac06ddab7d0ae1e1ec6c35d3de45c89df3480cc3df";
    assert_eq!(root(names), golden);
}

fn key_of_bls(secret: u8) -> min_pk::PublicKey {
    min_pk::SecretKey::key_gen(&[secret; 32], &[]).unwrap().sk_to_pk()
}

fn member_of_bls(key: &min_pk::PublicKey) -> PublicKey {
    OwnedKey::<MinPkPopBls12381>::from_bytes(&key.to_bytes()).unwrap().into()
}

/// Sixteen elements under a tag: more than the other library hashes. What ours makes of as many is compared with circomlib beside it.
fn hash_of_16(tag: &str, inputs: &[Ark; 16]) -> Ark {
    let element = |input: &Ark| {
        let repr = input.into_bigint().to_bytes_le().try_into().unwrap();
        <Fr as ff::PrimeField>::from_repr(repr).unwrap()
    };
    let inputs = inputs.each_ref().map(element);
    let digest = poseidon::hash_with_domain(poseidon::domain(tag), &inputs);
    Ark::from_le_bytes_mod_order(&ff::PrimeField::to_repr(&digest))
}

/// The root of the tree over both keys, of the weights 1 and 2: each in words of 24 bytes, the lowest first, its weight above the last
/// of these. The other two places of the leaf have -1.
fn tree_of_bls(keys: [&min_pk::PublicKey; 2]) -> Ark {
    let tag = "muster.leaf.bls12-381-g1.v1";
    let shift = Ark::from(1u128 << 96).square();
    let nobody = -Ark::from(1u8);
    let mut elements = [nobody; 16];
    for (i, key) in keys.iter().enumerate() {
        let [x, y] = [&key.serialize()[..48], &key.serialize()[48..]].map(<[u8]>::to_vec);
        let words = [&x[24..], &x[..24], &y[24..], &y[..24]].map(integer);
        elements[4 * i..][..4].copy_from_slice(&words);
        elements[4 * i + 3] += shift * Ark::from(1 + i as u8);
    }
    let [leaf, empty] = [elements, [nobody; 16]].map(|inputs| hash_of_16(tag, &inputs));
    hash("", &[leaf, empty, empty, empty, empty])
}

/// The root is that of the tree, with the name of the sum of both keys, the sum of both weights, and their number. The words of
/// both coordinates name a key.
fn root_of_bls(keys: [&min_pk::PublicKey; 2]) -> String {
    let name = |key: &min_pk::PublicKey| {
        let mut words: Vec<_> = key.serialize().chunks(24).map(integer).collect();
        words.push(Ark::from(0u8));
        hash("muster.key.bls12-381-g1.v1", &words)
    };
    let sum = min_pk::AggregatePublicKey::aggregate(&keys, false).unwrap();
    let [zero, weight, members] = [0u8, 3, 2].map(Ark::from);
    let whole = [tree_of_bls(keys), name(&sum.to_public_key()), weight, members, zero];
    in_hex(hash("muster.set.v1", &whole))
}

#[test]
fn sets_of_bls() {
    let keys = [1, 2].map(key_of_bls);
    let expected = root_of_bls(keys.each_ref());
    assert_eq!(committed(keys.each_ref().map(member_of_bls)), expected);
    assert_eq!(expected, "1a57fd13d4b88d96553f0242ee839427853d4b2af09e466936d4436f466397d7");
}

/// Two places in the tree, and twice in the sum.
#[test]
fn seats_of_a_key() {
    let [key, other] = [1, 2].map(key_of_bls);
    let twice = || weighted([&key, &key].map(member_of_bls));
    let set = KeySet::with_seats(twice(), Seats::Several).unwrap();
    assert_eq!(root_of(&set), root_of_bls([&key, &key]));
    assert_eq!((set.members(), set.total_weight()), (&twice()[..], 3));
    let same = KeySetError::DuplicateKey { first: 0, second: 1 };
    for seats in [Seats::One, Seats::default()] {
        assert_eq!(KeySet::with_seats(twice(), seats), Err(same));
    }
    let distinct = || weighted([&key, &other].map(member_of_bls));
    assert_eq!(KeySet::with_seats(distinct(), Seats::Several), KeySet::new(distinct()));
    // Keys that do not add up, whether they are distinct or not.
    let points = SECP256K1.map(|key| PublicKey::from(point(Curve::Secp256k1, key)));
    let [first, _] = points.clone();
    let mixed = [member_of_bls(&key), first.clone()];
    for keys in [points, [first.clone(), first], mixed] {
        let refused = KeySet::with_seats(weighted(keys), Seats::Several);
        assert_eq!(refused, Err(KeySetError::Seats));
    }
}

/// A set whose keys cancel has no sum, which would be without a name; one that holds other keys besides has none that counts.
#[test]
fn sets_without_a_sum() {
    let (key, other) = (key_of_bls(1), key_of_bls(2));
    let mut opposite = key.to_bytes();
    opposite[0] ^= 0x20;
    let opposite = min_pk::PublicKey::from_bytes(&opposite).unwrap();
    let set = |keys: &[&min_pk::PublicKey]| {
        let member = |key: &&_| Member { public_key: member_of_bls(key), weight: 1 };
        KeySet::new(keys.iter().map(member).collect())
    };
    assert_eq!(set(&[&key, &opposite]), Err(KeySetError::Identity));
    let whole = |set: &KeySet| set.tree(5, 1).unwrap().whole().copied();
    assert!(whole(&set(&[&key, &opposite, &other]).unwrap()).is_some());
    let secp256k1 = point(Curve::Secp256k1, SECP256K1[0]).into();
    let mixed = [member_of_bls(&key), secp256k1];
    let mixed = mixed.map(|public_key| Member { public_key, weight: 1 });
    assert_eq!(whole(&KeySet::new(mixed.to_vec()).unwrap()), None);
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
