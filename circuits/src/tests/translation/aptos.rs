//! Validators of Aptos: keys add up as in a sync committee, but have powers, and places may be empty.

use muster_forgery::testing::Walk;
use muster_schemes::{
    curve::pairing::PairingCurve,
    membership::commitment::{AptosValidators, Commitment},
};
use muster_testing::sampled;

use super::{
    forged::{circuit, truth, walk, CLAIMS},
    *,
};
use crate::translation::{COMMITMENT_HIGH, COMMITMENT_LOW};

const KIND: CommitmentKind = CommitmentKind::Aptos;

/// The true claim, in a room, with another commitment.
fn claim_of(own: &[Member], capacity: usize, commitment: [u8; 32]) -> Claim {
    let mut claim = Claim::new(&shape(KIND, capacity), own, own);
    let statement = TranslationStatement::from_public_inputs(&claim.inputs.public);
    let statement = TranslationStatement { commitment, ..statement.expect("it is one") };
    claim.inputs.public = statement.public_inputs();
    claim
}

/// The compressed key and the power of each member.
fn strings(members: &[Member]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let string = |(place, member)| {
        let mut key = AptosValidators::leaf(place, member).expect("held");
        let power = key.split_off(48);
        (key, power)
    };
    members.iter().enumerate().map(string).collect()
}

/// One, some and all places, and a key in two of them with powers of their own.
#[test]
fn lists_of_every_size_hold_and_say_what_they_are() {
    let twice = [member(KIND, 0), Member { weight: 5, ..member(KIND, 0) }];
    let sets =
        [(members(KIND, 1), 1), (members(KIND, 1), 3), (members(KIND, 3), 3), (twice.to_vec(), 3)];
    for (members, capacity) in sets {
        let (shape, count) = (shape(KIND, capacity), members.len());
        let witness = shape.witness(&committee(&members)).unwrap();
        let &statement = witness.statement();
        assert_eq!(statement.commitment, KIND.hash(&members).unwrap());
        assert_eq!(statement.members, count as u64);
        assert_eq!(statement.total_weight, members.iter().map(|one| one.weight).sum::<u64>());
        let public = statement.public_inputs();
        assert_eq!(public, Claim::new(&shape, &members, &members).inputs.public);
        let circuit = shape.check_circuit(&witness).unwrap();
        let mut judge = Judge::new(shape.degree(), &circuit, vec![public.to_vec()]);
        assert_eq!(judge.failures(), [], "{count} of {capacity}");
        assert!(judge.is_confirmed(&circuit, &[]), "{count} of {capacity}");
        for place in 0..public.len() {
            let mut other = public.to_vec();
            other[place] += Fr::one();
            assert!(!judge.holds_for(vec![other]), "{count} of {capacity}: {place}");
        }
    }
}

/// The root is the one that `muster root` prints, and keys of the threshold circuit take.
#[test]
fn the_root_is_that_of_the_threshold_circuit() {
    let committee = committee(&members(KIND, 3));
    let root = Request::new(Scheme::BlsBls12381, 4, 2).terms().unwrap().tree(&committee).unwrap();
    let witness = shape(KIND, 4).witness(&committee).unwrap();
    assert_eq!(witness.statement().key_set_root, root.root());
}

/// A key changed, its opposite in its place, dropped, moved or repeated, and a power changed, in the set or in what the chain has.
#[test]
fn another_list_than_the_chains_is_refused() {
    let shape = shape(KIND, 3);
    let own = vec![member(KIND, 0), Member { weight: 9, ..seat(Scalar::from(77)) }];
    let with = |place: usize, one: Member| {
        let mut other = own.clone();
        other[place] = one;
        other
    };
    let heavier = Member { weight: own[0].weight + 1, ..own[0].clone() };
    // A byte of a power in the place of another.
    let turned = Member { weight: own[0].weight.swap_bytes() >> 8, ..own[0].clone() };
    let others = [
        ("changed", with(1, member(KIND, 7))),
        ("opposite", with(1, Member { weight: 9, ..seat(-Scalar::from(77)) })),
        ("dropped", own[..1].to_vec()),
        ("moved", vec![own[1].clone(), own[0].clone()]),
        ("repeated", vec![own[0].clone(), own[0].clone(), own[1].clone()]),
        ("one more", [own.clone(), vec![member(KIND, 5)]].concat()),
        ("power", with(0, heavier)),
        ("turned power", with(0, turned)),
    ];
    for (name, other) in sampled(others, 3) {
        assert!(!Claim::new(&shape, &other, &own).holds(), "{name}, in the set");
        assert!(!Claim::new(&shape, &own, &other).holds(), "{name}, in the chain's");
        // With the keys that go with the set in place of those that go with the commitment.
        let mut claim = Claim::new(&shape, &other, &own);
        claim.inputs.keys = Claim::new(&shape, &other, &other).inputs.keys;
        assert!(!claim.holds(), "{name}, with its own keys");
    }
}

/// The bytes of a member with this key and power.
type Encoding = dyn Fn(&[u8], &[u8]) -> Vec<u8>;

/// Hashes of the same members that are another chain's, or of bytes that are no list.
#[test]
fn commitments_of_another_kind_are_refused() {
    let own = members(KIND, 2);
    let all = strings(&own);
    let join = |string: &Encoding| {
        all.iter().flat_map(|(key, power)| string(key, power)).collect::<Vec<_>>()
    };
    let list = join(&|key, power| [key, power].concat());
    assert_eq!(sha256(&list), KIND.hash(&own).unwrap());
    let flags = |mask: u8| {
        let mut list = list.clone();
        list[56] ^= mask;
        sha256(&list)
    };
    let big_endian = join(&|key, power| {
        let power: Vec<_> = power.iter().rev().copied().collect();
        [key, &power].concat()
    });
    let seats: Vec<_> = own.iter().map(|one| Member { weight: 1, ..one.clone() }).collect();
    let others = [
        ("the sign", flags(0x20)),
        ("the flag of the identity", flags(0x40)),
        ("the flag of compression", flags(0x80)),
        ("powers from the highest byte on", sha256(&big_endian)),
        ("whole entries", sha256(&join(&|key, power| [&[1; 32][..], &[48], key, power].concat()))),
        ("with lengths", sha256(&join(&|key, power| [&[48], key, power].concat()))),
        ("with the number", sha256(&[&[2], &list[..]].concat())),
        ("without powers", sha256(&join(&|key, _| key.to_vec()))),
        ("powers first", sha256(&join(&|key, power| [power, key].concat()))),
        ("a byte more", sha256(&[&list[..], &[0]].concat())),
        ("a byte less", sha256(&list[..list.len() - 1])),
        ("an empty place more", sha256(&[&list[..], &[0; 56]].concat())),
        ("another hash", keccak256(&list)),
        ("another chain", CommitmentKind::SyncCommittee.hash(&seats).unwrap()),
    ];
    for (name, other) in sampled(others, 3) {
        assert!(!claim_of(&own, 3, other).holds(), "{name}");
    }
}

/// The number that represents a coordinate modulo the prime is not the one that is hashed.
#[test]
fn coordinates_above_the_prime_are_refused() {
    let p = &PairingCurve::Bls12381.parameters().p;
    let room = (BigUint::from(1u8) << 381) - p;
    let numbers = |one: &Member| one.public_key.of::<Seat>().expect("a key").coordinates();
    for place in [0, 1] {
        let mut keys = (300..).map(|number| seat(Scalar::from(number)));
        let own = [keys.find(|one| numbers(one)[place] < room).expect("there are many")];
        let mut claim = Claim::new(&shape(KIND, 1), &own, &own);
        assert!(claim.holds());
        let mut lie = numbers(&own[0]);
        lie[place] += p;
        claim.inputs.keys[0] = lie.iter().flat_map(coordinate).collect();
        assert!(!claim.holds(), "{place}");
        // What the chain would have if it took such a number for a coordinate.
        if place == 0 {
            let (key, power) = &strings(&own)[0];
            let mut other = coordinate(&lie[0]);
            other[0] |= key[0] & 0xe0;
            let other = sha256(&[&other, &power[..]].concat());
            claim.inputs.public = claim_of(&own, 1, other).inputs.public;
            assert!(!claim.holds(), "hashed");
        }
    }
}

#[test]
fn what_no_list_is_has_no_translation() {
    for capacity in [0, 257] {
        let refused = TranslationShape::fit(&TranslationRequest::new(KIND, capacity));
        assert_eq!(refused, Err(Error::Places { capacity, most: 256 }));
    }
    let shape = shape(KIND, 2);
    let refused = shape.witness(&committee(&members(KIND, 3))).err();
    assert_eq!(refused, Some(Error::TooManyMembers { members: 3, capacity: 2 }));
    let refused = shape.witness(&committee(&members(CommitmentKind::Addresses, 2))).err();
    assert!(matches!(refused, Some(Error::Commitment(CommitmentError::OtherKey { .. }))));
}

/// Each public input alone, and all that the root commits to beside the tree. The number of members is not alone: it says where the list ends.
#[test]
fn public_inputs_that_are_not_those_of_the_list() {
    let own = truth(KIND, 2, 3);
    circuit(&own).assert_satisfied();
    for place in [crate::KEY_SET_ROOT, COMMITMENT_HIGH, COMMITMENT_LOW, TOTAL_WEIGHT] {
        let mut lie = own.clone();
        lie.inputs.public[place] += Fr::one();
        assert!(!circuit(&lie).is_satisfied(), "{place}");
    }
    for by in [Fr::one(), -Fr::one()] {
        let mut lie = own.clone();
        lie.inputs.public[MEMBERS] += by;
        assert!(!circuit(&lie).is_satisfied());
    }
    let changes: [fn(&mut Whole); 4] = [
        |whole| whole.tree += Fr::one(),
        |whole| whole.key += Fr::one(),
        |whole| whole.weight += 1,
        |whole| whole.members += 1,
    ];
    for change in changes {
        let mut lie = own.clone();
        change(&mut lie.inputs.whole);
        lie.open();
        walk(&lie);
    }
}

/// The sum that the root names has an empty place's generator in it, or one less.
#[test]
fn generators_in_the_sum_of_the_root_are_refused() {
    let own = truth(KIND, 2, 3);
    let seats = members(KIND, 2);
    for times in [Scalar::from(1), -Scalar::from(1)] {
        let more = [seats.clone(), vec![seat(times)]].concat();
        let mut lie = own.clone();
        lie.inputs.whole.key = whole(&more).key;
        lie.open();
        walk(&lie);
    }
}

/// An empty place has another point than the generator, which the sum of the root takes into account. All else is true.
#[test]
fn other_points_in_empty_places_are_refused() {
    let own = truth(KIND, 1, 2);
    let other = member(KIND, 4);
    let mut lie = own.clone();
    lie.inputs.keys[1] = key(&other.public_key);
    assert!(!circuit(&lie).is_satisfied());
    let more = [members(KIND, 1), vec![other, seat(-Scalar::from(1))]].concat();
    lie.inputs.whole.key = whole(&more).key;
    lie.open();
    let failing = circuit(&lie).failing(vec![]);
    assert_eq!(failing, ["1 column a + b * c = out"]);
    // With the generator itself it is the truth.
    let mut same = own;
    same.inputs.keys[1] = key(&seat(Scalar::from(1)).public_key);
    circuit(&same).assert_satisfied();
}

/// Each element of a key in a leaf, the weight in it, and those of places that nobody has: in the room, and behind it.
#[test]
fn leaves_that_are_not_those_of_the_list() {
    let own = truth(KIND, 2, 3);
    let elements = (0..4).flat_map(|place| (0..4).map(move |element| (place, element)));
    for (place, element) in sampled(elements, 4) {
        let mut lie = own.clone();
        lie.inputs.leaves[0].keys[place][element] += Fr::one();
        lie.commit();
        assert!(!circuit(&lie).is_satisfied(), "{place}, {element}");
    }
    for place in 0..4 {
        let mut lie = own.clone();
        lie.inputs.leaves[0].weights[place] += 1;
        lie.commit();
        assert!(!circuit(&lie).is_satisfied(), "{place}");
    }
}

/// Members behind a gap, behind the room, and none at all.
#[test]
fn places_that_are_used_in_another_order_are_refused() {
    let (one, nobody) = (member(KIND, 2), shape(KIND, 3).commitment.scheme().leaf_format().empty());
    for (from, to) in [(1, 2), (0, 2), (0, 1), (1, 3)] {
        let mut lie = truth(KIND, 2, 3);
        let leaf = &mut lie.inputs.leaves[0];
        leaf.keys.swap(from, to);
        leaf.weights.swap(from, to);
        lie.inputs.keys.swap(from, to.min(2));
        lie.commit();
        assert!(!circuit(&lie).is_satisfied(), "{from} to {to}");
    }
    let mut lie = truth(KIND, 2, 3);
    lie.inputs.leaves[0].keys[3] = held(&one.public_key);
    lie.inputs.leaves[0].weights[3] = one.weight;
    lie.commit();
    assert!(!circuit(&lie).is_satisfied(), "behind the room");
    // Nobody, of whom the sum would be the identity.
    let mut lie = truth(KIND, 1, 2);
    let statement = TranslationStatement {
        key_set_root: Fr::zero(),
        commitment: sha256(&[]),
        members: 0,
        total_weight: 0,
    };
    lie.inputs.public = statement.public_inputs();
    lie.inputs.leaves[0] = nobody;
    lie.inputs.whole = Whole { weight: 0, members: 0, ..lie.inputs.whole };
    lie.commit();
    assert!(!circuit(&lie).is_satisfied(), "nobody");
}

/// Any cell of the vertical gate, with all that is bound to it and all that follows from it, in a circuit that holds, with an empty place and without.
/// Most are bound by hashes and relations, through which walks do not go, so few constraints refuse alone.
#[test]
fn every_cell_of_the_vertical_gate_is_bound() {
    for (count, capacity) in sampled([(1, 1), (2, 2), (1, 2)], 1) {
        let Walk { sums, copies } =
            circuit(&truth(KIND, count, capacity)).walk_from_everywhere(CLAIMS);
        assert!(sums > 0 && copies > 0, "{sums} sums, {copies} copies");
    }
}
