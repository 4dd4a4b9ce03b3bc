//! Authorities of BEEFY whose keys are no points: the chain has no address for them, so their places are empty.

use muster_gates::power_of_two;
use muster_schemes::membership::{NoKey, NotEmpty};

use super::{
    forged::{circuit, walk, CLAIMS},
    *,
};
use muster_forgery::testing::Walk;
use muster_gadgets::membership::translation::CommitmentInstructions;
use muster_schemes::membership::commitment::{BeefyAuthorities, CometbftValidators};

const KIND: CommitmentKind = CommitmentKind::Beefy;
/// What chains hash in an empty place, the older ones last.
const LEAVES: [&[u8]; 2] = [&[0; 20], &[]];

/// A key in the bytes that a circuit is filled from.
pub(super) fn key(key: &PublicKey) -> Vec<u8> {
    let (address, flags) = match key.of::<EmptyPlace>() {
        Some(place) => ([0; 20], [1, place.key().is_empty().into()]),
        None => (key.of::<Address>().expect("an address").to_bytes(), [0; 2]),
    };
    [&address[..], &flags].concat()
}

fn empty(number: usize, leaf: &[u8]) -> Member {
    let place = EmptyPlace::new(EmptyKind::Beefy, leaf).expect("no address");
    Member { public_key: place.at(number).into(), weight: 1 }
}

/// The name of an empty place.
fn name(place: u64, is_bare: bool) -> Fr {
    power_of_two(160 + usize::from(is_bare)) + Fr::from(place)
}

/// Two in a set with room for them: an authority, and behind it an empty place.
fn pair(leaf: &[u8]) -> [Member; 2] {
    [member(KIND, 0), empty(1, leaf)]
}

fn claim(own: &[Member]) -> Claim {
    Claim::new(&shape(KIND, own.len()), own, own)
}

#[test]
fn empty_places_are_made_of_what_is_no_address() {
    let kind = EmptyKind::Beefy;
    for leaf in LEAVES {
        let place = EmptyPlace::new(kind, leaf).unwrap();
        assert_eq!((place.kind(), place.key(), place.reason()), (kind, leaf, NoKey::Address));
        for number in [0, 7] {
            let place = place.clone().at(number);
            assert_eq!(place.number(), Some(number));
            assert_eq!(PublicKey::from(place).name(), name(number as u64, leaf.is_empty()));
        }
    }
    let address = key(&member(KIND, 0).public_key);
    assert_eq!(EmptyPlace::new(kind, &address[..20]), Err(NotEmpty::Held));
    for length in [1, 19, 21, 33] {
        assert_eq!(EmptyPlace::new(kind, &vec![0; length]), Err(NotEmpty::Authority(length)));
    }
}

/// The weight is in the total, the place in the number, and the hash is the chain's, wherever the places are.
#[test]
fn empty_places_keep_their_weight() {
    let shape = shape(KIND, 4);
    for leaf in LEAVES {
        for places in sampled([&[0][..], &[1], &[2], &[0, 1, 2]], 2) {
            let own: Vec<_> = (0..3)
                .map(|place| {
                    let is_empty = places.contains(&place);
                    if is_empty {
                        empty(place, leaf)
                    } else {
                        member(KIND, place as u8)
                    }
                })
                .collect();
            let witness = shape.witness(&committee(&own)).unwrap();
            let &statement = witness.statement();
            let hashed = own.iter().map(|one| match one.public_key.of::<Address>() {
                Some(address) => keccak256(&address.to_bytes()),
                None => keccak256(leaf),
            });
            let [first, second, third] = hashed.collect::<Vec<_>>().try_into().unwrap();
            let node = keccak256(&[first, second].concat());
            assert_eq!(statement.commitment, keccak256(&[node, third].concat()));
            assert_eq!((statement.members, statement.total_weight), (3, 3));
            let circuit = shape.circuit(&witness, false).unwrap();
            let public = statement.public_inputs().to_vec();
            assert_eq!(Judge::new(shape.degree(), &circuit, vec![public]).failures(), []);
            let claim = Claim::new(&shape, &own, &own);
            assert!(claim.inputs.public[crate::KEY_SET_ROOT] == statement.key_set_root);
        }
    }
}

/// A place whose name has another number, or of another chain, is refused before there is a witness.
#[test]
fn places_of_others_have_no_translation() {
    let refused = |own: &[Member]| KIND.hash(own).unwrap_err();
    let moved = [empty(1, LEAVES[0]), member(KIND, 0)];
    assert_eq!(refused(&moved), CommitmentError::Place { member: 0 });
    let other = EmptyPlace::new(EmptyKind::Cometbft(KeyType::Ed25519), &[5; 32]).unwrap();
    let other = [Member { public_key: other.into(), weight: 1 }];
    assert!(matches!(refused(&other), CommitmentError::OtherKey { member: 0, .. }));
    let own = [empty(0, LEAVES[0])];
    for kind in [CommitmentKind::Addresses, CommitmentKind::Axelar, CommitmentKind::Cometbft] {
        let refused = kind.hash(&own).unwrap_err();
        assert!(matches!(refused, CommitmentError::OtherKey { member: 0, .. }), "{kind}");
    }
    assert_eq!(BeefyAuthorities::key(&other[0].public_key), None);
    assert_eq!(CometbftValidators::key(&own[0].public_key), None);
}

/// What circuits are filled from is what these tests have.
#[test]
fn keys_are_read_in_22_bytes() {
    for one in LEAVES.iter().flat_map(|leaf| pair(leaf)) {
        let own = BeefyAuthorities::key(&one.public_key).unwrap();
        assert_eq!(own, key(&one.public_key));
        assert_eq!(own.len(), BeefyAuthorities::KEY_BYTES);
    }
}

/// The set has an authority where the chain has none, or the other way round; an empty place of another kind or another number. The bytes
/// are the chain's, so the one sum that compares the names refuses.
#[test]
fn names_that_say_of_a_place_what_is_not_so() {
    let [good, other] = [5, 6].map(|number| member(KIND, number));
    let address = good.public_key.name();
    let [zeros, bare] = LEAVES.map(|leaf| empty(1, leaf));
    let lies = [
        ("an authority in an empty place", &good, name(1, false)),
        ("an authority in an older one", &good, name(1, true)),
        ("its address above all", &good, address + power_of_two(160)),
        ("nobody's place with an authority", &zeros, address),
        ("an older one with an authority", &bare, address),
        ("an older place", &zeros, name(1, true)),
        ("a younger place", &bare, name(1, false)),
        ("another's number", &zeros, name(0, false)),
        ("another's number, older", &bare, name(2, true)),
        ("not used", &zeros, Fr::zero()),
    ];
    for (what, there, said) in sampled(lies, 3) {
        let mut lie = claim(&[other.clone(), there.clone()]);
        assert!(lie.holds(), "{what}");
        lie.inputs.leaves[0].keys[1][0] = said;
        lie.commit();
        assert!(!lie.holds(), "{what}");
        if said != Fr::zero() {
            walk(&lie);
        }
    }
}

/// The same with flags that go with the names: then it is the chain's hash that refuses.
#[test]
fn flags_that_say_of_a_place_what_is_not_so() {
    let good = member(KIND, 5);
    let [zeros, bare] = LEAVES.map(|leaf| empty(1, leaf));
    let all = [&good, &zeros, &bare];
    for (there, said) in (0..3).flat_map(|i| [1, 2].map(|by| (all[i], all[(i + by) % 3]))) {
        let [there, said] = [there, said].map(|one| [member(KIND, 0), one.clone()]);
        let mut lie = Claim::new(&shape(KIND, 2), &said, &there);
        lie.inputs.keys = Claim::new(&shape(KIND, 2), &said, &said).inputs.keys;
        assert!(!lie.holds());
    }
}

/// An empty place dropped, moved, or in another one's stead: in the set, and in the chain's hash.
#[test]
fn empty_places_are_where_the_chain_has_them() {
    let shape = shape(KIND, 4);
    for leaf in LEAVES {
        let [first, last] = [0, 1].map(|number| member(KIND, number));
        let own = [first.clone(), empty(1, leaf), last.clone()];
        let others = [
            vec![first.clone(), last.clone()],
            vec![empty(0, leaf), first.clone(), last.clone()],
            vec![first.clone(), member(KIND, 7), last.clone()],
            vec![first.clone(), empty(1, leaf), empty(2, leaf), last],
        ];
        for other in sampled(others, 2) {
            assert!(!Claim::new(&shape, &other, &own).holds());
            assert!(!Claim::new(&shape, &own, &other).holds());
        }
    }
}

/// Any cell of the vertical gate, where places are empty.
#[test]
fn every_cell_of_the_vertical_gate_is_bound_with_empty_places() {
    for leaf in LEAVES {
        let Walk { sums, copies } = circuit(&claim(&pair(leaf))).walk_from_everywhere(CLAIMS);
        assert!(sums > 5 && copies > 5, "{sums} sums, {copies} copies");
    }
}
