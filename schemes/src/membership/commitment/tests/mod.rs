//! Commitments of real committees, and what they cannot hold.

use std::collections::HashSet;

use super::*;
use ff::PrimeField;
use halo2curves::{bls12_381::Fr as Scalar, bn256::Fr};

use crate::{
    curve::edwards::SubgroupPoint,
    hash::{
        poseidon,
        sha256::sha256,
        ssz::{bytes_root, merkleize},
    },
    membership::{PublicKey, WEIGHT_BITS},
    signature::bls::{member::OwnedKey, MinPkPopBls12381, MinSigPopBls12381, SecretKey},
};

mod lists;

/// Wormhole's guardian set 4 in its order, from guardianset/mainnetv2 of wormhole-foundation/wormhole.
const GUARDIANS: [&str; 19] = [
    "5893b5a76c3f739645648885bdccc06cd70a3cd3",
    "ff6cb952589bde862c25ef4392132fb9d4a42157",
    "114de8460193bdf3a2fcf81f86a09765f4762fd1",
    "107a0086b32d7a0977926a205131d8731d39cbeb",
    "8c82b2fd82faed2711d59af0f2499d16e726f6b2",
    "11b39756c042441be6d8650b69b54ebe715e2343",
    "54ce5b4d348fb74b958e8966e2ec3dbd4958a7cd",
    "15e7caf07c4e3dc8e7c469f92c8cd88fb8005a20",
    "74a3bf913953d695260d88bc1aa25a4eee363ef0",
    "000ac0076727b35fbea2dac28fee5ccb0fea768e",
    "af45ced136b9d9e24903464ae889f5c8a723fc14",
    "f93124b7c738843cbb89e864c862c38cddcccf95",
    "d2cc37a4dc036a8d232b48f62cdd4731412f4890",
    "da798f6896a3331f64b48c12d1d57fd9cbe70811",
    "71aa1be1d36cafe3867910f99c09e347899c19c3",
    "8192b6e7387ccd768277c17dab1b7a5027c0b3cf",
    "178e21ad2e77ae06711549cfbb1f9c7a9d8096e8",
    "5e1487f35515d02a92753504a8d75471b9f49edb",
    "6fbebc898f403e4773e95feb15e80c9a99c8348d",
];
/// What a contract of solc 0.8.30 returns for `keccak256(abi.encodePacked(list))` of them, and viem's `encodePacked`
/// too.
const GUARDIANS_HASH: &str = "40cc0dd6d9466f2215c71df7299cdafb69a155404251bcd6176ed4d0dba69854";

/// Authority sets and their `keyset_commitment`: those of `mock_beefy_id` 1 and 2, and 3 and 4, in
/// `should_update_authorities` of substrate/frame/beefy-mmr/src/tests.rs; Alice to Eve of Substrate's development keys, in the leaves of
/// `beefy_light_client_should_work` of ComposableFi/beefy-rs and octopus-network/beefy-light-client; Alice alone, and Alice and Bob,
/// in the tests of substrate/utils/binary-merkle-tree (all but the third in paritytech/polkadot-sdk).
const AUTHORITIES: [(&[&str], &str); 5] = [
    (
        &["dc5b20847f43d67928f49cd4f85d696b5a7617b5", "897df33a7b3c62ade01e22c13d48f98124b4480f"],
        "8db0d5104b090776e5812e995875ba50ff47886f4ba9b6a221596443f01cb258",
    ),
    (
        &["05c987b34c6ef74e0c7e69c6e641120c24164c2d", "eaa3d29d76aff97e8a5a2154094a1e81bf86a2f5"],
        "d4eb50bacc74545046503f26b678fb8e71031a1b5fb6659576eab17521c64d34",
    ),
    (
        &[
            "e04cc55ebee1cbce552f250e85c57b70b2e2625b",
            "25451a4de12dccc2d166922fa938e900fcc4ed24",
            "5630a480727cd7799073b36472d9b1a6031f840b",
            "4bb32a4263e369acbb6c020ffa89a41fd9722894",
            "362855f7c9c5c9d00a84157cdefe889fea436741",
        ],
        "304803fa5a91d9852caafe04b4b867a4ed27a07a5bee3d1507b4b187a68777a2",
    ),
    (
        &["e04cc55ebee1cbce552f250e85c57b70b2e2625b"],
        "aeb47a269393297f4b0a3c9c9cfd00c7a4195255274cf39d83dabc2fcc9ff3d7",
    ),
    (
        &["e04cc55ebee1cbce552f250e85c57b70b2e2625b", "25451a4de12dccc2d166922fa938e900fcc4ed24"],
        "697ea2a8fe5b03468548a7a413424a6292ab44a82a6f5cc594c3fa7dda7ce402",
    ),
];
/// Roots over leaves of other lengths, from the tests of substrate/utils/binary-merkle-tree: three, four and ten.
const TREES: [(&[&str], &str); 3] = [
    (&["a", "b", "c"], "aff1208e69c9e8be9b584b07ebac4e48a1ee9d15ce3afe20b77a4d29e4175aa3"),
    (&["a", "b", "a", "b"], "dc8e73fe6903148ff5079baecc043983625c23b39f31537e322cd0deee09fa9c"),
    (
        &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"],
        "fb3b3be94be9e983ba5e094c9c51a7d96a4fa2e5d8e891df00ca89ba05bb1239",
    ),
];

/// Public keys of `new Identity("muster 1")` to 5 by @semaphore-protocol/identity 4.14.3, and the roots that `Group` of
/// @semaphore-protocol/group 4.14.3 has of the first one, two, … of them.
const IDENTITIES: [[&str; 2]; 5] = [
    [
        "23948b454bad18cb2b5950f8be4c8bbe93b24cc69ea54d52257679c8aac2e3e5",
        "1987e2a2431d4196f3aeb11cd60063ff20a65b6dda1762508ba0e18e4d38244f",
    ],
    [
        "22d3487c082045692eec4730e7577834064c57bd61f6f6b2c6f1eb1584bc3b3e",
        "081fa1b4e0f9884003f7bd806f61b3857dad3a53a102f4228578678def7efeb9",
    ],
    [
        "06a9802048b6e6039144a7eb4387b5a584ac6cffc10a4d4b949520e3e9ace18d",
        "18916af1b02fb805d35a1abc51f01b96c8cb289e94f7f1612a335808f19d886d",
    ],
    [
        "051ea761c872a57aebe5b2d2da70372b6f445c0dcca32af413048cf0484780e8",
        "2cb06f855df903768b31cdb6623b59fb053f09d9d9d3f189d768756ce308cca2",
    ],
    [
        "1f710d9b181c058997d4b8af066ea4d3694f26911dc936adcccb316f0589a3b0",
        "0c9d32ac7b75abb1e10db2f8bab98b6cf5a2626fd6c3529addea2a433f08b4d5",
    ],
];
const GROUPS: [&str; 5] = [
    "2dd0f32ff811e76b71dfa2ab6fe4d5681ddcbd74f5d45e7eb1ca2383c328de38",
    "1ffc03f2efec8c757a6b97427ee507f2f5248bf41d80f054c1723b60e0ab2ab8",
    "1e00a0dad5df9bdfa2658b9d6686486721b3fafa81bea420156298b896f9c424",
    "140b1f68b43f294ce34b0ba05937a062fe2eb9e49d32e38a017139c6ad52ea3e",
    "18470acacefd2f74e78b4359f39ea1c9b8bd8e9457644f7cced653dd4a0bb30d",
];

/// The validators of mocha-4 at height 10500, in the order of `/validators`, and the `validators_hash` of its header:
/// circuits/fixtures of succinctlabs/tendermintx.
const VALIDATORS: [(&str, u64); 3] = [
    ("9e3ab72fac9069b58c8e687d4230686e9d9739d372b5a2cfa3116063641dde2f", 25_100_000),
    ("97fa8d69fe090f19e13fee8f7fed8e48025892c488923c9e7d8083bd93e86a10", 25_000_000),
    ("e9b7638ca1c42da37d728970632fda77ec61dcc520395ab5d3a645b9c2b8e8b1", 25_000_000),
];
const VALIDATORS_HASH: &str = "10ef7e029575a3b9d6653d3a3f9c9732a9f7646e13df3a380a2d026b61a24acf";

/// `validators_hash` of block 157001.
const HUNDRED_HASH: &str = "e0b759134dbd6ac23568eee696f319322704545f3f14b51b44ae1d630acfe59b";

/// The secrets of the seats of the sync committee in ethereum/consensus-spec-tests,
/// `minimal/deneb/light_client/sync/pyspec_tests/light_client_sync/bootstrap.ssz_snappy`.
const SEATS: [u64; 32] = [
    51, 55, 45, 52, 16, 7, 14, 12, 39, 42, 15, 28, 64, 32, 2, 44, 38, 23, 49, 3, 53, 33, 22, 8, 61,
    1, 63, 58, 25, 40, 37, 10,
];
/// Its first and its last key, and the sum of all, in the same file.
const SEAT_KEYS: [&str; 2] = [
    "8aea7d8eb22063bcfe882e2b7efc0b3713e1a48dd8343bed523b1ab4546114be84d00f896d33c605d1f67456e8e2ed93",
    "af81da25ecf1c84b577fefbedd61077a81dc43b00304015b2b596ab67f00e41c86bb00ebd0f90d4b125eb0539891aeed",
];
const SEAT_SUM: &str =
    "b8b78d0310bc7728281a91533ab8ef277cf44ecbaf566934ca4b7686d3d4d3f60da542084d0a3463445a0103b90aca1b";
/// `current_sync_committee_branch`, and the root of the state to which it leads from the committee: the header's `state_root`.
const BRANCH: [&str; 5] = [
    "d2efd48644ae17eb5563eb072155795618ffbbea1739e45d4c5c53b5a5e0f715",
    "3ed3e6d46498f819d98c40f8540f76c1ec93d9a14a83696f87fd5cf6ccc139cd",
    "002c1fe5bc0bd62db6f299a582f2a80a6d5748ccc82e7ed843eaf0ae0739f74a",
    "ccfa07a4d675460846cbaf9562dd692ea583096447cccf8f45177ae10005a0e8",
    "b8b8e696b32d689124277fd992895a4f7f75e90b80bcc16badad0c16e84299a6",
];
const STATE_ROOT: &str = "ba46a929a1bb1f4cf13fafb53feadfb4ef00428f91e81d9b6a5fb52146e6eb2e";
/// The place of the branch, the generalized index 54 less 32.
const BRANCH_PLACE: usize = 22;

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).expect("hex of so many bytes");
    bytes
}

fn guardian(text: &str) -> Member {
    let address = Address::from_bytes(bytes(text)).expect("not zero");
    Member { public_key: address.into(), weight: 1 }
}

fn validator((key, weight): (&str, u64)) -> Member {
    let key = ed25519::PublicKey::from_bytes(&bytes::<32>(key)).expect("a key");
    Member { public_key: key.into(), weight }
}

fn identity(coordinates: [&str; 2]) -> Member {
    let [x, y] = coordinates.map(|text| {
        let mut bytes = bytes::<32>(text);
        bytes.reverse();
        Fr::from_repr(bytes).expect("an element")
    });
    let key = SubgroupPoint::from_coordinates(x, y).expect("in the subgroup");
    Member { public_key: key.into(), weight: 1 }
}

fn seat(secret: u64) -> Member {
    seat_of(Scalar::from(secret))
}

fn seat_of(secret: Scalar) -> Member {
    let secret = SecretKey::from_scalar(&secret).expect("not zero");
    let key = OwnedKey::<MinPkPopBls12381>::of(&secret);
    Member { public_key: key.into(), weight: 1 }
}

#[test]
fn guardians_have_the_hash_that_solidity_gives() {
    let members = GUARDIANS.map(guardian);
    assert_eq!(hex::encode(AddressList::hash(&members).unwrap()), GUARDIANS_HASH);
}

#[test]
fn authorities_have_the_commitment_that_substrate_gives() {
    for (addresses, root) in AUTHORITIES {
        let members: Vec<_> = addresses.iter().map(|text| guardian(text)).collect();
        assert_eq!(hex::encode(BeefyAuthorities::hash(&members).unwrap()), root);
    }
    for (leaves, root) in TREES {
        let leaves: Vec<_> = leaves.iter().map(|leaf| leaf.as_bytes().to_vec()).collect();
        assert_eq!(hex::encode(BeefyAuthorities::root(&[], &leaves).unwrap()), root);
    }
}

#[test]
fn groups_have_the_root_that_semaphore_gives() {
    let members = IDENTITIES.map(identity);
    for (count, root) in (1..).zip(GROUPS) {
        assert_eq!(hex::encode(SemaphoreGroup::hash(&members[..count]).unwrap()), root, "{count}");
    }
}

/// A group with any elements for members, as a contract of Semaphore inserts them one by one: the last node of an even place of each level
/// is remembered, and a node in an odd place is hashed with it.
fn inserted(members: &[Fr]) -> Fr {
    let mut remembered = vec![];
    let mut root = Fr::zero();
    for (place, member) in members.iter().enumerate() {
        let depth = (place + 1).next_power_of_two().ilog2();
        // A new level has the root so far.
        remembered.resize(depth as usize, root);
        root = *member;
        for (level, before) in remembered.iter_mut().enumerate() {
            if place >> level & 1 == 1 {
                root = poseidon::hash(&[*before, root]);
            } else {
                *before = root;
            }
        }
    }
    root
}

/// Why the number of members has to come from the contract: it takes any element for a member. A group of three with a node for a member has
/// the root of four keys, and one of six with the coordinates of a key for two members that of five keys.
#[test]
fn the_root_of_a_group_does_not_say_how_many_members_it_has() {
    let keys = IDENTITIES.map(identity);
    let commitments = keys.each_ref().map(|one| {
        let key = one.public_key.of::<SubgroupPoint>().expect("a key of EdDSA");
        poseidon::hash(&[key.x(), key.y()])
    });
    let hash = |elements: &[Fr]| {
        let mut bytes = inserted(elements).to_repr();
        bytes.as_mut().reverse();
        hex::encode(bytes)
    };
    for (count, root) in (1..).zip(GROUPS) {
        assert_eq!(hash(&commitments[..count]), root, "{count}");
    }
    let [first, second, third, fourth, _] = commitments;
    let four = GROUPS[3];
    assert_eq!(hash(&[first, second, poseidon::hash(&[third, fourth])]), four);
    let last = keys[4].public_key.of::<SubgroupPoint>().expect("a key of EdDSA");
    let six = [first, second, third, fourth, last.x(), last.y()];
    assert_eq!(hash(&six), GROUPS[4]);
    let numbers = [
        AddressList::FIXES_NUMBER,
        BeefyAuthorities::FIXES_NUMBER,
        CometbftValidators::FIXES_NUMBER,
        SemaphoreGroup::FIXES_NUMBER,
    ];
    assert_eq!(numbers, [true, true, true, false]);
}

#[test]
fn validators_have_the_hash_of_their_header() {
    let members = VALIDATORS.map(validator);
    assert_eq!(hex::encode(CometbftValidators::hash(&members).unwrap()), VALIDATORS_HASH);
    // A hundred of the same testnet, later.
    let file = include_str!("../../../signature/cometbft/tests/mocha-4-157001.txt");
    let lines = file.lines().filter_map(|line| line.split_once(' ').filter(|(key, _)| *key != "#"));
    let members: Vec<_> =
        lines.map(|(key, power)| validator((key, power.parse().unwrap()))).collect();
    assert_eq!(members.len(), 100);
    assert_eq!(hex::encode(CometbftValidators::hash(&members).unwrap()), HUNDRED_HASH);
}

/// The keys are those of the file, and the branch of the file leads from their root to that of the state.
#[test]
fn a_sync_committee_has_the_root_that_is_in_its_state() {
    let seats = SEATS.map(seat);
    for (place, key) in [(0, SEAT_KEYS[0]), (31, SEAT_KEYS[1])] {
        assert_eq!(hex::encode(SyncCommittee::leaf(place, &seats[place]).unwrap()), key);
    }
    let root = SyncCommittee::hash(&seats).unwrap();
    let leaves = seats.each_ref().map(|seat| bytes_root(&SyncCommittee::leaf(0, seat).unwrap()));
    let sum = bytes_root(&bytes::<SYNC_COMMITTEE_LEAF>(SEAT_SUM));
    assert_eq!(root, sha256(&[merkleize(&leaves), sum].concat()));
    let up = |node: [u8; 32], (level, sibling): (usize, &&str)| {
        let sibling = bytes::<32>(sibling);
        let pair = if BRANCH_PLACE >> level & 1 == 0 { [node, sibling] } else { [sibling, node] };
        sha256(&pair.concat())
    };
    let state = BRANCH.iter().enumerate().fold(root, up);
    assert_eq!(hex::encode(state), STATE_ROOT);
}

/// A proof of possession is no part of it.
#[test]
fn keys_of_seats_are_hashed_without_their_proofs() {
    let proven = seat(5);
    let bytes = proven.public_key.of::<OwnedKey<MinPkPopBls12381>>().unwrap().to_bytes();
    let bare = OwnedKey::<MinPkPopBls12381>::from_bytes(&bytes[..SYNC_COMMITTEE_LEAF]).unwrap();
    let bare = Member { public_key: bare.into(), weight: 1 };
    assert!(bytes.len() > SYNC_COMMITTEE_LEAF);
    assert_eq!(SyncCommittee::leaf(0, &proven), SyncCommittee::leaf(0, &bare));
}

/// A key has as many seats as it has, and each counts: in the tree and in the sum.
#[test]
fn all_of_a_sync_committee_counts() {
    let list = |secrets: [u64; 4]| SyncCommittee::hash(&secrets.map(seat)).unwrap();
    let lists = [
        [3, 4, 5, 6],
        [4, 3, 5, 6],
        [3, 4, 6, 5],
        [5, 6, 3, 4],
        [3, 3, 5, 6],
        [3, 4, 5, 5],
        [3, 4, 5, 7],
    ];
    let hashes: HashSet<_> = lists.into_iter().map(list).collect();
    assert_eq!(hashes.len(), lists.len());
    let fewer = SyncCommittee::hash(&[3, 4].map(seat)).unwrap();
    assert!(!hashes.contains(&fewer));
    // The opposite of a key has the same x.
    let opposite = SyncCommittee::hash(&[seat(3), seat_of(-Scalar::from(4))]).unwrap();
    assert_ne!(fewer, opposite);
}

fn aptos(secret: u64, weight: u64) -> Member {
    Member { weight, ..seat(secret) }
}

fn sui(secret: u64, weight: u64) -> Member {
    let secret = SecretKey::<MinSigPopBls12381>::from_scalar(&Scalar::from(secret));
    Member { public_key: OwnedKey::of(&secret.expect("not zero")).into(), weight }
}

/// A key changed, dropped, repeated or moved, and a weight changed: each has another hash.
fn assert_all_counts<C: Commitment>(members: &[Member], other: &PublicKey, weights: &[u64]) {
    let mut lists = vec![members.to_vec()];
    for place in 0..members.len() {
        let mut changed = members.to_vec();
        changed[place].public_key = other.clone();
        lists.push(changed);
        let mut dropped = members.to_vec();
        let one = dropped.remove(place);
        lists.push(dropped.clone());
        dropped.insert((place + 1) % members.len(), one.clone());
        lists.push(dropped);
        let mut repeated = members.to_vec();
        repeated.insert(place, one);
        lists.push(repeated);
        for weight in weights {
            let mut heavier = members.to_vec();
            heavier[place].weight = *weight;
            lists.push(heavier);
        }
    }
    let hashes: HashSet<_> = lists.iter().map(|list| C::hash(list).expect("held")).collect();
    assert_eq!(hashes.len(), lists.len());
}

#[test]
fn all_of_a_committee_counts() {
    let guardians = GUARDIANS[..4].iter().map(|text| guardian(text)).collect::<Vec<_>>();
    let other = guardian(GUARDIANS[7]).public_key;
    assert_all_counts::<AddressList>(&guardians, &other, &[]);
    assert_all_counts::<AxelarSigners>(&guardians, &other, &[2, 256, (1 << WEIGHT_BITS) - 1]);
    for count in [3, 4] {
        assert_all_counts::<BeefyAuthorities>(&guardians[..count], &other, &[]);
    }
    let [first, second, third, fourth, another] = IDENTITIES.map(identity);
    let group = [first, second, third, fourth];
    assert_all_counts::<SemaphoreGroup>(&group[..3], &another.public_key, &[]);
    assert_all_counts::<SemaphoreGroup>(&group, &another.public_key, &[]);
    let validators = VALIDATORS.map(validator);
    let seed = ed25519::SecretKey::from_seed(&sha256(b"another"));
    let weights = [1, 127, 128, 300, (1 << WEIGHT_BITS) - 1];
    let own = [aptos(3, 7), aptos(4, 7), aptos(5, 1 << 59)];
    assert_all_counts::<AptosValidators>(&own, &seat(6).public_key, &[1, 256, 7 << 56]);
    let own = [sui(3, 7), sui(4, 7), sui(5, 1 << 59)];
    assert_all_counts::<SuiValidators>(&own, &sui(6, 1).public_key, &[1, 256, 7 << 56]);
    assert_all_counts::<CometbftValidators>(&validators, &seed.public_key().into(), &weights);
}

#[test]
fn what_a_commitment_cannot_hold_is_refused_with_its_place() {
    let (guardian, validator) = (guardian(GUARDIANS[0]), validator(VALIDATORS[0]));
    assert_eq!(AddressList::hash(&[]), Err(CommitmentError::Empty));
    assert_eq!(CometbftValidators::hash(&[]), Err(CommitmentError::Empty));
    let (name, other) = (AddressList::NAME, CometbftValidators::NAME);
    let mixed = [guardian.clone(), validator.clone()];
    let refused = CommitmentError::OtherKey { member: 1, commitment: name };
    assert_eq!(AddressList::hash(&mixed), Err(refused));
    let refused = CommitmentError::OtherKey { member: 0, commitment: other };
    assert_eq!(CometbftValidators::hash(&mixed), Err(refused));
    let heavy = [guardian.clone(), Member { weight: 2, ..guardian }];
    let refused = CommitmentError::Weight { member: 1, weight: 2, commitment: name };
    assert_eq!(AddressList::hash(&heavy), Err(refused));
    assert!(refused.to_string().contains("everybody weighs 1"));
    let commitment = AxelarSigners::NAME;
    assert_eq!(AxelarSigners::hash(&[]), Err(CommitmentError::Empty));
    let refused = CommitmentError::OtherKey { member: 1, commitment };
    assert_eq!(AxelarSigners::hash(&mixed), Err(refused));
    let commitment = BeefyAuthorities::NAME;
    assert_eq!(BeefyAuthorities::hash(&[]), Err(CommitmentError::Empty));
    let refused = CommitmentError::OtherKey { member: 1, commitment };
    assert_eq!(BeefyAuthorities::hash(&mixed), Err(refused));
    let refused = CommitmentError::Weight { member: 1, weight: 2, commitment };
    assert_eq!(BeefyAuthorities::hash(&heavy), Err(refused));
    let commitment = SemaphoreGroup::NAME;
    let one = identity(IDENTITIES[0]);
    assert_eq!(SemaphoreGroup::hash(&[]), Err(CommitmentError::Empty));
    let refused = CommitmentError::OtherKey { member: 1, commitment };
    assert_eq!(SemaphoreGroup::hash(&[one.clone(), heavy[0].clone()]), Err(refused));
    let refused = CommitmentError::Weight { member: 0, weight: 2, commitment };
    assert_eq!(SemaphoreGroup::hash(&[Member { weight: 2, ..one }]), Err(refused));
    let (commitment, one) = (SyncCommittee::NAME, seat(3));
    assert_eq!(SyncCommittee::hash(&[]), Err(CommitmentError::Empty));
    let refused = CommitmentError::OtherKey { member: 1, commitment };
    assert_eq!(SyncCommittee::hash(&[one.clone(), validator]), Err(refused));
    let heavy = Member { weight: 2, ..one.clone() };
    let refused = CommitmentError::Weight { member: 0, weight: 2, commitment };
    assert_eq!(SyncCommittee::hash(&[heavy, one.clone()]), Err(refused));
    let three = [3, 4, 5].map(seat);
    let refused = CommitmentError::Seats { seats: 3, commitment };
    assert_eq!(SyncCommittee::hash(&three), Err(refused));
    let cancel = [one.clone(), seat_of(-Scalar::from(3))];
    assert_eq!(SyncCommittee::hash(&cancel), Err(CommitmentError::Identity { commitment }));
    let commitment = AptosValidators::NAME;
    assert_eq!(AptosValidators::hash(&[]), Err(CommitmentError::Empty));
    let refused = CommitmentError::OtherKey { member: 1, commitment };
    assert_eq!(AptosValidators::hash(&[one, mixed[0].clone()]), Err(refused));
    assert_eq!(AptosValidators::hash(&cancel), Err(CommitmentError::Identity { commitment }));
    let commitment = SuiValidators::NAME;
    assert_eq!(SuiValidators::hash(&[]), Err(CommitmentError::Empty));
    // The same secret in the other group.
    let refused = CommitmentError::OtherKey { member: 1, commitment };
    assert_eq!(SuiValidators::hash(&[sui(3, 1), seat(3)]), Err(refused));
}
