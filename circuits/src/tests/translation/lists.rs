//! Validators of Aptos and Sui: keys add up as in a sync committee, but have powers, and places may be empty.

use muster_forgery::testing::Walk;
use muster_schemes::{
    curve::pairing::PairingCurve,
    membership::commitment::{AptosValidators, Commitment, SuiValidators},
    signature::bls::member::key::parts,
};
use muster_testing::sampled;

use super::{
    forged::{circuit, truth, walk, CLAIMS},
    *,
};
use crate::translation::{COMMITMENT_HIGH, COMMITMENT_LOW};

/// One of the two, whose circuits differ in nothing but the coordinates of keys; all of them where tests are exhaustive.
fn kinds() -> Vec<CommitmentKind> {
    sampled([CommitmentKind::Aptos, CommitmentKind::Sui], 2)
}

/// Bytes of a compressed key.
fn key_bytes(kind: CommitmentKind) -> usize {
    if kind == CommitmentKind::Aptos {
        48
    } else {
        96
    }
}

/// The true claim, in a room, with another commitment.
fn claim_of(
    kind: CommitmentKind,
    (own, capacity): (&[Member], usize),
    commitment: [u8; 32],
) -> Claim {
    let mut claim = Claim::new(&shape(kind, capacity), own, own);
    let statement = TranslationStatement::from_public_inputs(&claim.inputs.public);
    let statement = TranslationStatement { commitment, ..statement.expect("it is one") };
    claim.inputs.public = statement.public_inputs();
    claim
}

/// The compressed key and the power of each member.
pub(super) fn strings(kind: CommitmentKind, members: &[Member]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let string = |(place, member)| {
        let leaf = if kind == CommitmentKind::Aptos {
            AptosValidators::leaf(place, member)
        } else {
            SuiValidators::leaf(place, member)
        };
        let mut key = leaf.expect("held");
        let power = key.split_off(key_bytes(kind));
        (key, power)
    };
    members.iter().enumerate().map(string).collect()
}

/// One, some and all places, and a key in two of them with powers of their own.
#[test]
fn lists_of_every_size_hold_and_say_what_they_are() {
    for kind in kinds() {
        let twice = [member(kind, 0), Member { weight: 5, ..member(kind, 0) }];
        let sets = [
            (members(kind, 1), 1),
            (members(kind, 1), 3),
            (members(kind, 3), 3),
            (twice.to_vec(), 3),
        ];
        for (members, capacity) in sets {
            let (shape, count) = (shape(kind, capacity), members.len());
            let witness = shape.witness(&committee(&members)).unwrap();
            let &statement = witness.statement();
            assert_eq!(statement.commitment, kind.hash(&members).unwrap());
            assert_eq!(statement.members, count as u64);
            assert_eq!(statement.total_weight, members.iter().map(|one| one.weight).sum::<u64>());
            let public = statement.public_inputs();
            assert_eq!(public, Claim::new(&shape, &members, &members).inputs.public);
            let circuit = shape.circuit(&witness, false).unwrap();
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
}

/// The root is the one that `muster root` prints, and keys of the threshold circuit take.
#[test]
fn the_root_is_that_of_the_threshold_circuit() {
    for kind in kinds() {
        let committee = committee(&members(kind, 3));
        let root = Request::new(kind.scheme(), 4, 2).terms().unwrap().tree(&committee).unwrap();
        let witness = shape(kind, 4).witness(&committee).unwrap();
        assert_eq!(witness.statement().key_set_root, root.root());
    }
}

/// A key changed, its opposite in its place, dropped, moved or repeated, and a power changed, in the set or in what the chain has.
#[test]
fn another_list_than_the_chains_is_refused() {
    for kind in kinds() {
        let shape = shape(kind, 3);
        let own = vec![member(kind, 0), listed(kind, Scalar::from(77), 9)];
        let with = |place: usize, one: Member| {
            let mut other = own.clone();
            other[place] = one;
            other
        };
        let heavier = Member { weight: own[0].weight + 1, ..own[0].clone() };
        // A byte of a power in the place of another.
        let turned = Member { weight: own[0].weight.swap_bytes() >> 8, ..own[0].clone() };
        let others = [
            ("changed", with(1, member(kind, 7))),
            ("opposite", with(1, listed(kind, -Scalar::from(77), 9))),
            ("dropped", own[..1].to_vec()),
            ("moved", vec![own[1].clone(), own[0].clone()]),
            ("repeated", vec![own[0].clone(), own[0].clone(), own[1].clone()]),
            ("one more", [own.clone(), vec![member(kind, 5)]].concat()),
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
}

/// The bytes of a member with this key and power.
type Encoding<'a> = dyn Fn(&[u8], &[u8]) -> Vec<u8> + 'a;

/// Hashes of the same members that are another chain's, or of bytes that are no list.
#[test]
fn commitments_of_another_kind_are_refused() {
    for kind in kinds() {
        let own = members(kind, 2);
        let (all, length) = (strings(kind, &own), key_bytes(kind));
        let join = |string: &Encoding<'_>| {
            all.iter().flat_map(|(key, power)| string(key, power)).collect::<Vec<_>>()
        };
        let list = join(&|key, power| [key, power].concat());
        assert_eq!(sha256(&list), kind.hash(&own).unwrap());
        let flags = |mask: u8| {
            let mut list = list.clone();
            list[length + 8] ^= mask;
            sha256(&list)
        };
        let big_endian = join(&|key, power| {
            let power: Vec<_> = power.iter().rev().copied().collect();
            [key, &power].concat()
        });
        // Of Sui that is the real part before the imaginary one.
        let swapped = join(&|key, power| {
            let (first, last) = key.split_at(length / 2);
            [last, first, power].concat()
        });
        let others = [
            ("the sign", flags(0x20)),
            ("the flag of the identity", flags(0x40)),
            ("the flag of compression", flags(0x80)),
            ("powers from the highest byte on", sha256(&big_endian)),
            (
                "entries with addresses",
                sha256(&join(&|key, power| [&[1; 32], key, power].concat())),
            ),
            (
                "with lengths",
                sha256(&join(&|key, power| [&[length as u8][..], key, power].concat())),
            ),
            ("with the number", sha256(&[&[2], &list[..]].concat())),
            ("without powers", sha256(&join(&|key, _| key.to_vec()))),
            ("powers first", sha256(&join(&|key, power| [power, key].concat()))),
            ("a byte more", sha256(&[&list[..], &[0]].concat())),
            ("a byte less", sha256(&list[..list.len() - 1])),
            ("an empty place more", sha256(&[&list[..], &vec![0; length + 8]].concat())),
            ("another hash", keccak256(&list)),
            ("halves of keys swapped", sha256(&swapped)),
        ];
        for (name, other) in sampled(others, 3) {
            assert!(!claim_of(kind, (&own, 3), other).holds(), "{name}");
        }
    }
}

/// What a leaf holds of a key with these numbers.
fn parts_of(kind: CommitmentKind, numbers: &[BigUint]) -> Vec<Fr> {
    if kind == CommitmentKind::Aptos {
        return parts::<MinPkPopBls12381>(&numbers.to_vec().try_into().expect("two numbers"));
    }
    let [x0, x1, y0, y1] = numbers.to_vec().try_into().expect("four numbers");
    parts::<MinSigPopBls12381>(&[[x0, x1], [y0, y1]])
}

/// The number that represents a coordinate modulo the prime is not the one that is hashed.
#[test]
fn coordinates_above_the_prime_are_refused() {
    for kind in kinds() {
        let p = &PairingCurve::Bls12381.parameters().p;
        let room = (BigUint::from(1u8) << 381) - p;
        let numbers = |one: &Member| numbers(&one.public_key).expect("a key");
        let count = key_bytes(kind) / 24;
        for place in 0..count {
            let mut keys = (300..).map(|number| listed(kind, Scalar::from(number), 1));
            let own = [keys.find(|one| numbers(one)[place] < room).expect("there are many")];
            let mut claim = Claim::new(&shape(kind, 1), &own, &own);
            assert!(claim.holds());
            let mut lie = numbers(&own[0]);
            lie[place] += p;
            claim.inputs.keys[0] = lie.iter().flat_map(coordinate).collect();
            // The leaf that goes with it: modulo the prime the sum is the same.
            claim.inputs.leaves[0].keys[0] = parts_of(kind, &lie);
            claim.commit();
            assert!(!claim.holds(), "{place}");
            // What the chain would have if it took such a number for a coordinate.
            if place < count / 2 {
                let (key, power) = &strings(kind, &own)[0];
                let mut other: Vec<_> =
                    lie[..count / 2].iter().rev().flat_map(coordinate).collect();
                other[0] |= key[0] & 0xe0;
                let other = sha256(&[&other, &power[..]].concat());
                claim.inputs.public = claim_of(kind, (&own, 1), other).inputs.public;
                claim.open();
                assert!(!claim.holds(), "hashed");
            }
        }
    }
}

#[test]
fn what_no_list_is_has_no_translation() {
    for kind in kinds() {
        for capacity in [0, 257] {
            let refused = TranslationShape::fit(&TranslationRequest::new(kind, capacity));
            assert_eq!(refused, Err(Error::Places { capacity, most: 256 }));
        }
        let shape = shape(kind, 2);
        let refused = shape.witness(&committee(&members(kind, 3))).err();
        assert_eq!(refused, Some(Error::TooManyMembers { members: 3, capacity: 2 }));
        let refused = shape.witness(&committee(&members(CommitmentKind::Addresses, 2))).err();
        assert!(matches!(refused, Some(Error::Commitment(CommitmentError::OtherKey { .. }))));
    }
}

/// Each public input alone, and all that the root commits to beside the tree. The number of members is not alone: it says where the list ends.
#[test]
fn public_inputs_that_are_not_those_of_the_list() {
    for kind in kinds() {
        let own = truth(kind, 2, 3);
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
}

/// The sum that the root names has an empty place's generator in it, or one less.
#[test]
fn generators_in_the_sum_of_the_root_are_refused() {
    for kind in kinds() {
        let own = truth(kind, 2, 3);
        let seats = members(kind, 2);
        for times in [Scalar::from(1), -Scalar::from(1)] {
            let more = [seats.clone(), vec![listed(kind, times, 0)]].concat();
            let mut lie = own.clone();
            lie.inputs.whole.key = whole(&more).key;
            lie.open();
            walk(&lie);
        }
    }
}

/// An empty place has another point than the generator, which the sum of the root takes into account. All else is true.
#[test]
fn other_points_in_empty_places_are_refused() {
    for kind in kinds() {
        let own = truth(kind, 1, 2);
        let other = member(kind, 4);
        let mut lie = own.clone();
        lie.inputs.keys[1] = key(&other.public_key);
        assert!(!circuit(&lie).is_satisfied());
        let more = [members(kind, 1), vec![other, listed(kind, -Scalar::from(1), 0)]].concat();
        lie.inputs.whole.key = whole(&more).key;
        lie.open();
        let failing = circuit(&lie).failing(vec![]);
        assert_eq!(failing, ["1 column a + b * c = out"]);
        // With the generator itself it is the truth.
        let mut same = own;
        same.inputs.keys[1] = key(&listed(kind, Scalar::from(1), 0).public_key);
        circuit(&same).assert_satisfied();
    }
}

/// The leaf of a place, and where it is there: leaves of Aptos have four members, those of Sui two.
fn leaf_of(lie: &mut Claim, place: usize) -> (&mut Leaf, usize) {
    let members = lie.shape.commitment.scheme().leaf_format().members();
    (&mut lie.inputs.leaves[place / members], place % members)
}

/// Each element of a key in a leaf, the weight in it, and those of places that nobody has: in the room, and behind it.
#[test]
fn leaves_that_are_not_those_of_the_list() {
    for kind in kinds() {
        let own = truth(kind, 2, 3);
        let parts = own.inputs.leaves[0].keys[0].len();
        let elements = (0..4).flat_map(|place| (0..parts).map(move |element| (place, element)));
        for (place, element) in sampled(elements, 4) {
            let mut lie = own.clone();
            let (leaf, at) = leaf_of(&mut lie, place);
            leaf.keys[at][element] += Fr::one();
            lie.commit();
            assert!(!circuit(&lie).is_satisfied(), "{place}, {element}");
        }
        for place in 0..4 {
            let mut lie = own.clone();
            let (leaf, at) = leaf_of(&mut lie, place);
            leaf.weights[at] += 1;
            lie.commit();
            assert!(!circuit(&lie).is_satisfied(), "{place}");
        }
    }
}

/// Members behind a gap, behind the room, and none at all.
#[test]
fn places_that_are_used_in_another_order_are_refused() {
    for kind in kinds() {
        let (one, nobody) =
            (member(kind, 2), shape(kind, 3).commitment.scheme().leaf_format().empty());
        for (from, to) in [(1, 2), (0, 2), (0, 1), (1, 3)] {
            let mut lie = truth(kind, 2, 3);
            let held = [from, to].map(|place| {
                let (leaf, at) = leaf_of(&mut lie, place);
                (leaf.keys[at].clone(), leaf.weights[at])
            });
            for (place, (key, weight)) in [to, from].into_iter().zip(held) {
                let (leaf, at) = leaf_of(&mut lie, place);
                (leaf.keys[at], leaf.weights[at]) = (key, weight);
            }
            lie.inputs.keys.swap(from, to.min(2));
            lie.commit();
            assert!(!circuit(&lie).is_satisfied(), "{from} to {to}");
        }
        let mut lie = truth(kind, 2, 3);
        let (leaf, at) = leaf_of(&mut lie, 3);
        (leaf.keys[at], leaf.weights[at]) = (held(&one.public_key), one.weight);
        lie.commit();
        assert!(!circuit(&lie).is_satisfied(), "behind the room");
        // Nobody, of whom the sum would be the identity.
        let mut lie = truth(kind, 1, 2);
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
}

/// Any cell of the vertical gate, with all that is bound to it and all that follows from it, in a circuit that holds, with an empty place and without.
/// Most are bound by hashes and relations, through which walks do not go, so few constraints refuse alone.
#[test]
fn every_cell_of_the_vertical_gate_is_bound() {
    for kind in kinds() {
        for (count, capacity) in sampled([(1, 1), (2, 2), (1, 2)], 3) {
            let Walk { sums, copies } =
                circuit(&truth(kind, count, capacity)).walk_from_everywhere(CLAIMS);
            assert!(sums > 0 && copies > 0, "{sums} sums, {copies} copies");
        }
    }
}
