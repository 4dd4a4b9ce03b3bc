//! Validators of CometBFT whose keys no set holds: their places are empty, and their weights count.

use halo2curves::{bls12_381, ff::WithSmallOrderMulGroup};
use muster_schemes::{
    hash::poseidon,
    membership::{
        commitment::{CometbftValidators, Commitment},
        NoKey, NotEmpty,
    },
    signature::{
        cometbft::{validators_hash, KeyType, SimpleValidator},
        ed25519::{PointError, NAME_DOMAIN},
    },
};

use super::{
    forged::{circuit, walk, CLAIMS},
    *,
};
use muster_forgery::testing::Walk;
use muster_gadgets::membership::translation::CommitmentInstructions;

const KIND: CommitmentKind = CommitmentKind::Cometbft;
/// `y` of a point of order 8.
const EIGHTH: &str = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";

/// The bytes of `y`, with the sign of `x` on top.
fn point(low: u8, upper: u8, sign: bool) -> Vec<u8> {
    let mut bytes = vec![upper; 32];
    (bytes[0], bytes[31]) = (low, upper & 0x7f | u8::from(sign) << 7);
    bytes
}

/// All encodings of points of small order: `y` is 0, 1, -1, these with the prime added, or one of the points of order 8.
fn small_orders() -> Vec<Vec<u8>> {
    let mut all = vec![];
    for sign in [false, true] {
        all.extend(
            [(0, 0), (1, 0), (0xec, 0xff), (0xed, 0xff), (0xee, 0xff)]
                .map(|(low, upper)| point(low, upper, sign)),
        );
        let eighth = BigUint::from_bytes_le(&hex::decode(EIGHTH).expect("hex"));
        let prime = (BigUint::from(1u8) << 255) - 19u8;
        for y in [eighth.clone(), prime - eighth] {
            let mut bytes = y.to_bytes_le();
            bytes.resize(32, 0);
            bytes[31] |= u8::from(sign) << 7;
            all.push(bytes);
        }
    }
    all
}

fn empty(key_type: KeyType, key: &[u8], weight: u64) -> Member {
    let place = EmptyPlace::new(EmptyKind::Cometbft(key_type), key).expect("no set holds it");
    Member { public_key: place.into(), weight }
}

/// A place for each reason.
fn empties() -> Vec<Member> {
    let published = ed25519::SecretKey::from_seed(&[7; 32]).public_key().to_bytes();
    let all: [(_, &[u8]); 6] = [
        (KeyType::Ed25519, &[0; 32]),
        (KeyType::Ed25519, &[5; 32]),
        (KeyType::Ed25519, &published),
        (KeyType::Secp256k1, &[2; 33]),
        (KeyType::Secp256k1, &[0; 33]),
        (KeyType::Bls12381, &std::array::from_fn::<u8, 96, _>(|i| i as u8 + 1)),
    ];
    all.iter().zip(5_000..).map(|((of, key), weight)| empty(*of, key, weight)).collect()
}

/// Two who can sign, and one place between them that is empty.
fn around(place: &Member) -> Vec<Member> {
    vec![member(KIND, 0), place.clone(), member(KIND, 1)]
}

/// The name of 32 bytes with these behind them.
pub(super) fn name(bytes: &[u8], more: [u64; 3]) -> Fr {
    name_over(bytes, more.map(Fr::from))
}

fn name_over(bytes: &[u8], more: [Fr; 3]) -> Fr {
    let half = |bytes: &[u8]| big_endian(bytes.iter().rev());
    let inputs = [half(&bytes[16..]), half(&bytes[..16])].into_iter().chain(more);
    poseidon::hash_with_domain(poseidon::domain(NAME_DOMAIN), &inputs.collect::<Vec<_>>())
}

fn big_endian<'a>(bytes: impl Iterator<Item = &'a u8>) -> Fr {
    bytes.fold(Fr::zero(), |sum, byte| sum * Fr::from(256) + Fr::from(u64::from(*byte)))
}

/// What is in the name of this key of BLS12-381 between its last bytes and its type.
fn before_the_last(key: &[u8]) -> Fr {
    let place = bls_place(key);
    let (state, before) = place[35..].split_at(32);
    let words = state[..24].chunks(4).rev();
    big_endian(words.flatten().chain(before))
}

#[test]
fn empty_places_are_made_of_what_no_set_holds() {
    let own = ed25519::SecretKey::from_seed(&sha256(b"own")).public_key().to_bytes();
    assert_eq!(EmptyPlace::new(EmptyKind::Cometbft(KeyType::Ed25519), &own), Err(NotEmpty::Held));
    for (key_type, length) in
        [(KeyType::Ed25519, 33), (KeyType::Secp256k1, 32), (KeyType::Bls12381, 48)]
    {
        let refused = EmptyPlace::new(EmptyKind::Cometbft(key_type), &vec![2; length]);
        assert!(matches!(refused, Err(NotEmpty::Length { found, .. }) if found == length));
    }
    let small = small_orders();
    assert_eq!(small.len(), 14);
    for bytes in &small {
        let place = EmptyPlace::new(EmptyKind::Cometbft(KeyType::Ed25519), bytes).unwrap();
        assert_eq!(place.reason(), NoKey::Point(PointError::SmallOrder));
        assert_eq!(PublicKey::from(place).name(), name(bytes, [0, 1, 0]));
    }
    let of = |number: usize| {
        let member = empties().swap_remove(number);
        let place = member.public_key.of::<EmptyPlace>().expect("an empty place").clone();
        (place.reason(), member.public_key.name(), place.key().to_vec())
    };
    let (reason, found, bytes) = of(1);
    assert_eq!((reason, found), (NoKey::Point(PointError::OffCurve), name(&bytes, [0; 3])));
    let (reason, found, bytes) = of(2);
    let key = ed25519::PublicKey::from_bytes(&bytes).unwrap();
    assert!(matches!(reason, NoKey::Published(_)) && found == key.name());
    let (reason, found, bytes) = of(3);
    assert_eq!(reason, NoKey::OtherType(KeyType::Secp256k1));
    assert_eq!(found, name(&bytes[..32], [2, 0, 1]));
    assert_eq!(of(4).1, name(&[0; 32], [0, 1, 1]));
    let (reason, found, bytes) = of(5);
    assert_eq!(reason, NoKey::OtherType(KeyType::Bls12381));
    let more = [before_the_last(&bytes), Fr::zero(), Fr::from(2)];
    assert_eq!(found, name_over(&bytes[64..], more));
}

/// Points of BLS12-381 have the same y if an endomorphism takes one to the other. Both are validators.
#[test]
fn keys_with_the_same_y_have_places_of_their_own() {
    let point = bls12_381::G1Affine::generator();
    let mut image = point;
    image.x *= bls12_381::Fq::ZETA;
    let places = [point, image].map(|point| {
        let key = point.to_uncompressed_be();
        assert!(bool::from(bls12_381::G1Affine::from_uncompressed_be(&key).is_some()));
        empty(KeyType::Bls12381, &key, 7)
    });
    let own = [places[0].clone(), member(KIND, 0), places[1].clone()];
    assert!(Claim::new(&shape(KIND, 3), &own, &own).holds());
}

/// The weight is in the total, the place in the number, and the hash is the chain's. Nobody signs for it.
#[test]
fn empty_places_keep_their_weight() {
    let shape = shape(KIND, 4);
    for place in empties() {
        let set = around(&place);
        let witness = shape.witness(&committee(&set)).unwrap();
        let &statement = witness.statement();
        let hashed = set.iter().map(|one| match one.public_key.of::<EmptyPlace>() {
            Some(place) => SimpleValidator {
                key_type: key_type(place),
                key: place.key().to_vec(),
                power: one.weight,
            },
            None => SimpleValidator {
                key_type: KeyType::Ed25519,
                key: key(&one.public_key)[..32].to_vec(),
                power: one.weight,
            },
        });
        assert_eq!(statement.commitment, validators_hash(&hashed.collect::<Vec<_>>()));
        assert_eq!(statement.members, 3);
        assert_eq!(statement.total_weight, set.iter().map(|one| one.weight).sum::<u64>());
        let circuit = shape.circuit(&witness, false).unwrap();
        let public = statement.public_inputs().to_vec();
        assert_eq!(Judge::new(shape.degree(), &circuit, vec![public]).failures(), []);
        let own = Claim::new(&shape, &set, &set);
        assert!(own.inputs.public[crate::KEY_SET_ROOT] == statement.key_set_root);
    }
    // A key in print, once as it is and once as an empty place.
    let place = empties().swap_remove(2);
    let bytes = place.public_key.of::<EmptyPlace>().unwrap().key().to_vec();
    let held = ed25519::PublicKey::from_bytes(&bytes).unwrap();
    let twice = [(PublicKey::from(held), 1), (place.public_key, 1)];
    let admission = Admission { published: PublishedKeys::Accepted, ..Admission::default() };
    let refused = Committee::admitting(&twice, admission).err();
    assert!(matches!(refused, Some(Error::KeySet(KeySetError::DuplicateKey { .. }))));
}

/// Every encoding of small order has the other name, the same with one bit changed has not.
#[test]
fn points_of_small_order_are_told_from_others() {
    let shape = shape(KIND, 1);
    for bytes in sampled(small_orders(), 4) {
        let own = [empty(KeyType::Ed25519, &bytes, 9)];
        let claim = Claim::new(&shape, &own, &own);
        assert!(claim.holds());
        let mut lie = claim.clone();
        lie.inputs.leaves[0].keys[0][0] = name(&bytes, [0; 3]);
        lie.commit();
        assert!(!lie.holds());
    }
    for (bytes, bit) in sampled(small_orders().into_iter().zip([0, 9, 127, 128, 200, 254]), 2) {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        if small_orders().contains(&other) {
            continue;
        }
        let mut claim = Claim::new(&shape, &empties()[1..2], &empties()[1..2]);
        claim.inputs.keys[0][..32].copy_from_slice(&other);
        let leaf = SimpleValidator { key_type: KeyType::Ed25519, key: other.clone(), power: 5_001 };
        claim.hashes(validators_hash(&[leaf]));
        for (mark, holds) in [(0, true), (1, false)] {
            claim.inputs.leaves[0].keys[0][0] = name(&other, [0, mark, 0]);
            claim.commit();
            assert_eq!(claim.holds(), holds, "{bit}: {mark}");
        }
    }
}

impl Claim {
    /// Says that this is the chain's hash.
    pub(super) fn hashes(&mut self, commitment: [u8; 32]) {
        let own = TranslationStatement::from_public_inputs(&self.inputs.public);
        let own = own.expect("a statement");
        self.inputs.public = TranslationStatement { commitment, ..own }.public_inputs();
    }
}

/// The set has what it should not: who can sign is in an empty place, or the other way round. The rest is true, so the one sum that
/// compares the names refuses.
#[test]
fn names_that_say_of_a_key_what_is_not_so() {
    let good = member(KIND, 5);
    let bytes = key(&good.public_key);
    let [small, other, bls] = [0, 3, 5].map(|number| empties().swap_remove(number));
    let last = key(&bls.public_key)[..32].to_vec();
    let lies = [
        ("a good key of small order", &good, name(&bytes[..32], [0, 1, 0])),
        ("a good key of another type", &good, name(&bytes[..32], [0, 0, 1])),
        ("a good key with more behind it", &good, name(&bytes[..32], [3, 0, 0])),
        ("small order that can sign", &small, name(&[0; 32], [0; 3])),
        ("another type that can sign", &other, name(&[2; 32], [0; 3])),
        ("another type with another end", &other, name(&[2; 32], [3, 0, 1])),
        ("a good key of BLS12-381", &good, name(&bytes[..32], [0, 0, 2])),
        ("a key of BLS12-381 that can sign", &bls, name(&last, [0; 3])),
        ("a key of BLS12-381 of the other type", &bls, name(&last, [0, 0, 1])),
        ("a key of BLS12-381 by its last bytes", &bls, name(&last, [0, 0, 2])),
        ("nobody", &small, Fr::zero()),
    ];
    for (what, place, name) in lies {
        let own = [place.clone(), member(KIND, 0)];
        let mut lie = Claim::new(&shape(KIND, 2), &own, &own);
        assert!(lie.holds(), "{what}");
        lie.inputs.leaves[0].keys[0][0] = name;
        lie.commit();
        assert!(!lie.holds(), "{what}");
        if name != Fr::zero() {
            walk(&lie);
        }
    }
}

/// The same with the bytes that go with the names: then what is hashed is not what the chain hashes. A last byte that such a key does not have is
/// refused by itself.
#[test]
fn keys_of_one_type_that_are_said_to_be_of_the_other() {
    let [other, bls] = [3, 5].map(|number| empties().swap_remove(number));
    let good = member(KIND, 5);
    for (place, last, types) in [
        (&good, 0, [1, 0]),
        (&good, 0, [0, 1]),
        (&other, 0, [0, 0]),
        (&other, 2, [0, 0]),
        (&other, 2, [0, 1]),
        (&bls, 0, [0, 0]),
        (&bls, 0, [1, 0]),
    ] {
        let own = [place.clone(), member(KIND, 0)];
        let mut lie = Claim::new(&shape(KIND, 2), &own, &own);
        let bytes = lie.inputs.keys[0][..32].to_vec();
        lie.inputs.keys[0][32..35].copy_from_slice(&[last, types[0], types[1]]);
        let number = types[0] + 2 * types[1];
        lie.inputs.leaves[0].keys[0][0] = name(&bytes, [last, 0, number].map(u64::from));
        lie.commit();
        assert!(!lie.holds());
    }
}

/// A good key that is said to be one of BLS12-381, with a beginning of its leaf like that of any other: the lengths are not the same.
#[test]
fn a_good_key_in_the_place_of_one_of_bls12_381() {
    let own = [member(KIND, 5), member(KIND, 0)];
    let mut lie = Claim::new(&shape(KIND, 2), &own, &own);
    let initial = native::INITIAL.map(u32::to_be_bytes);
    let before = [0, 0x0a, 34, 0x0a, 32];
    let place = [&[0, 0, 1], initial.as_flattened(), &before].concat();
    lie.inputs.keys[0][32..].copy_from_slice(&place);
    let words = initial[..6].iter().rev().flatten();
    let rest = big_endian(words.chain(&before));
    let more = [rest, Fr::zero(), Fr::from(2)];
    lie.inputs.leaves[0].keys[0][0] = name_over(&lie.inputs.keys[0][..32], more);
    lie.commit();
    assert!(!lie.holds());
}

/// The weight of an empty place dropped or changed, and the place dropped or moved: in the set, and in the chain's hash.
#[test]
fn empty_places_are_where_the_chain_has_them() {
    let shape = shape(KIND, 4);
    for place in sampled(empties(), 2) {
        let own = around(&place);
        let mut lighter = own.clone();
        lighter[1].weight -= 1;
        let dropped = vec![own[0].clone(), own[2].clone()];
        let moved = vec![own[1].clone(), own[0].clone(), own[2].clone()];
        for other in [lighter, dropped, moved] {
            assert!(!Claim::new(&shape, &other, &own).holds());
            assert!(!Claim::new(&shape, &own, &other).holds());
        }
    }
    for place in sampled(empties(), 2) {
        let own = [member(KIND, 0), place];
        let truth = Claim::new(&self::shape(KIND, 2), &own, &own);
        // Without its weight, which other bytes say.
        let mut lie = truth.clone();
        let weight = std::mem::take(&mut lie.inputs.leaves[0].weights[1]);
        lie.inputs.public[TOTAL_WEIGHT] -= Fr::from(weight);
        lie.commit();
        assert!(!circuit(&lie).is_satisfied());
        // In the total alone, and in the number alone.
        for (public, less) in [(TOTAL_WEIGHT, Fr::from(weight)), (MEMBERS, Fr::one())] {
            let mut lie = truth.clone();
            lie.inputs.public[public] -= less;
            walk(&lie);
        }
    }
}

/// A string of 48 bytes for the leaf of a set of one, and what the prover says of its key.
fn leaf_of(string: &BigUint, length: usize, key: &[u8; 72]) -> Claim {
    let own = [member(KIND, 5)];
    let mut claim = Claim::new(&shape(KIND, 1), &own, &own);
    let bytes = string.to_bytes_be();
    let mut leaf = vec![0; 48 - bytes.len()];
    leaf.extend(bytes);
    assert!(leaf[length..].iter().all(|byte| *byte == 0));
    claim.hashes(sha256(&leaf[..length]));
    claim.inputs.keys[0] = key.to_vec();
    let more = [key[32], 0, key[33]].map(u64::from);
    claim.inputs.leaves[0].keys[0][0] = name(&key[..32], more);
    claim.commit();
    claim
}

/// Bytes behind a key of Ed25519, and types that are none: the string that comes of it is committed to, so that all else is true.
#[test]
fn the_type_is_a_bit_and_a_shorter_key_has_nothing_behind_it() {
    let own = member(KIND, 5);
    let leaf = CometbftValidators::leaf(0, &own).unwrap();
    let key: [u8; 72] = key(&own.public_key).try_into().unwrap();
    let power = BigUint::from_bytes_be(&leaf[36..]) << (8 * (10 - (leaf.len() - 36)));
    let byte = |number: u32, at: usize| BigUint::from(number) << (8 * (47 - at));
    let mut string = BigUint::from(0u8);
    for (at, number) in [0, 0x0a, 34, 0x0a, 32].into_iter().chain(key[..32].to_vec()).enumerate() {
        string += byte(number.into(), at);
    }
    let length = leaf.len() + 1;
    let truth = &string + (&power << 8);
    circuit(&leaf_of(&truth, length, &key)).assert_satisfied();

    let mut longer = key;
    longer[32] = 7;
    let lie = leaf_of(&(&truth + byte(7, 37)), length, &longer);
    assert_eq!(circuit(&lie).failing(vec![]).len(), 1);
    walk(&lie);

    let mut third = key;
    third[33] = 2;
    // Twice what a longer key adds, and the power times 256 - 2·255.
    let more = byte(2, 2) + byte(16, 3) + byte(2, 4);
    let lie = leaf_of(&(&string + more - &power * 254u32), length + 2, &third);
    assert_eq!(circuit(&lie).failing(vec![]).len(), 1);
}

/// Any cell of the vertical gate, where a key is longer.
#[test]
fn every_cell_of_the_vertical_gate_is_bound_with_empty_places() {
    for place in [3, 5] {
        let own = [empties().swap_remove(place), member(KIND, 0)];
        let truth = Claim::new(&shape(KIND, 2), &own, &own);
        let Walk { sums, copies } = circuit(&truth).walk_from_everywhere(CLAIMS);
        assert!(sums > 20 && copies > 20, "{sums} sums, {copies} copies");
    }
}

/// What circuits are filled from is what these tests have.
#[test]
fn keys_are_read_in_72_bytes() {
    for member in [3, 5].iter().flat_map(|place| around(&empties()[*place])) {
        let own = CometbftValidators::key(&member.public_key).unwrap();
        assert_eq!(own, key(&member.public_key));
        assert_eq!(own.len(), CometbftValidators::KEY_BYTES);
    }
}
