//! Sync committees: each member is a seat, a key may have several of them, and the root and the chain's commitment both hold the sum of
//! all keys.

use muster_forgery::testing::Walk;
use muster_gates::Forged;
use muster_schemes::{
    curve::pairing::PairingCurve,
    hash::ssz::{bytes_root, merkleize},
};
use muster_testing::sampled;

use super::{
    forged::{circuit, truth, walk, CLAIMS},
    *,
};
use crate::translation::{COMMITMENT_HIGH, COMMITMENT_LOW};

const KIND: CommitmentKind = CommitmentKind::SyncCommittee;

/// The chain's commitment to these keys of 48 bytes and to this sum.
fn root_of(keys: &[Vec<u8>], sum: &[u8]) -> [u8; 32] {
    let leaves: Vec<_> = keys.iter().map(|key| bytes_root(key)).collect();
    merkleize(&[merkleize(&leaves), bytes_root(sum)])
}

/// The keys of members, and their sum, compressed.
fn compressed(members: &[Member]) -> (Vec<Vec<u8>>, Vec<u8>) {
    let seats: Vec<_> =
        members.iter().map(|one| one.public_key.of::<Seat>().expect("a seat")).collect();
    let keys: Vec<_> = seats.iter().map(|seat| *seat.key()).collect();
    let sum = muster_schemes::signature::bls::PublicKey::sum(&keys).expect("they do not cancel");
    (keys.iter().map(|key| key.to_bytes()).collect(), sum.to_bytes())
}

/// The true claim with another commitment.
fn claim_of(own: &[Member], commitment: [u8; 32]) -> Claim {
    let mut claim = Claim::new(&shape(KIND, own.len()), own, own);
    let statement = TranslationStatement::from_public_inputs(&claim.inputs.public);
    let statement = TranslationStatement { commitment, ..statement.expect("it is one") };
    claim.inputs.public = statement.public_inputs();
    claim
}

/// One seat, and four of two keys.
#[test]
fn committees_hold_and_say_what_they_are() {
    let four = [0, 1, 1, 0].map(|number| member(KIND, number)).to_vec();
    for members in [members(KIND, 1), four] {
        let seats = members.len();
        let shape = shape(KIND, seats);
        let witness = shape.witness(&committee(&members)).unwrap();
        let &statement = witness.statement();
        assert_eq!(statement.commitment, KIND.hash(&members).unwrap());
        assert_eq!((statement.members, statement.total_weight), (seats as u64, seats as u64));
        let public = statement.public_inputs();
        assert_eq!(public, Claim::new(&shape, &members, &members).inputs.public);
        let circuit = shape.circuit(&witness, false).unwrap();
        let mut judge = Judge::new(shape.degree(), &circuit, vec![public.to_vec()]);
        assert_eq!(judge.failures(), [], "{seats}");
        assert!(judge.is_confirmed(&circuit, &[]), "{seats}");
        for place in 0..public.len() {
            let mut other = public.to_vec();
            other[place] += Fr::one();
            assert!(!judge.holds_for(vec![other]), "{seats}: {place}");
        }
    }
}

/// The root is the one that `muster root` prints, and keys of the threshold circuit take.
#[test]
fn the_root_is_that_of_the_threshold_circuit() {
    let committee = committee(&members(KIND, 4));
    let root = Request::new(Scheme::BlsBls12381, 4, 2).terms().unwrap().tree(&committee).unwrap();
    let witness = shape(KIND, 4).witness(&committee).unwrap();
    assert_eq!(witness.statement().key_set_root, root.root());
}

/// A key changed, its opposite in its place, moved or repeated, in the set or in what the chain hashes.
#[test]
fn another_committee_than_the_chains_is_refused() {
    let shape = shape(KIND, 2);
    let own = members(KIND, 2);
    let opposite = seat(-Scalar::from(77));
    let signed = [own[0].clone(), seat(Scalar::from(77))];
    assert!(Claim::new(&shape, &own, &own).holds());
    let changed = [own[0].clone(), member(KIND, 7)];
    let moved = [own[1].clone(), own[0].clone()];
    let repeated = [own[0].clone(), own[0].clone()];
    let turned = [own[0].clone(), opposite];
    let pairs = [
        ("changed", own.clone(), changed.to_vec()),
        ("moved", own.clone(), moved.to_vec()),
        ("repeated", own.clone(), repeated.to_vec()),
        ("turned", signed.to_vec(), turned.to_vec()),
    ];
    for (name, one, other) in sampled(pairs.to_vec(), 2) {
        assert!(!Claim::new(&shape, &other, &one).holds(), "{name}, in the set");
        assert!(!Claim::new(&shape, &one, &other).holds(), "{name}, in the chain's");
        // With the keys that go with the set in place of those that go with the commitment.
        let mut claim = Claim::new(&shape, &other, &one);
        claim.inputs.keys = Claim::new(&shape, &other, &other).inputs.keys;
        assert!(!claim.holds(), "{name}, with its own keys");
    }
}

/// The chain has more seats than the set, or fewer.
#[test]
fn seats_more_or_less_are_refused() {
    let four = members(KIND, 4);
    let commitment = KIND.hash(&four).unwrap();
    assert!(!claim_of(&four[..2], commitment).holds());
    // Leaves that are nodes of the other tree, in order.
    let commitment = KIND.hash(&four[..2]).unwrap();
    assert!(!claim_of(&four, commitment).holds());
}

/// Roots over the same keys that are no commitment of this kind: without the sum, with another sum, with flags that are not those of the
/// points, with coordinates that were not compressed, or hashed by another chain.
#[test]
fn commitments_of_another_kind_are_refused() {
    let own = members(KIND, 2);
    let (keys, sum) = compressed(&own);
    assert_eq!(root_of(&keys, &sum), KIND.hash(&own).unwrap());
    let flags = |mask: u8| {
        let mut keys = keys.clone();
        keys[0][0] ^= mask;
        root_of(&keys, &sum)
    };
    let mut turned = sum.clone();
    turned[0] ^= 0x20;
    let leaves: Vec<_> = keys.iter().map(|key| bytes_root(key)).collect();
    let numbers: Vec<_> = own.iter().map(|one| key(&one.public_key)).collect();
    let others = [
        ("the sign", flags(0x20)),
        ("the flag of the identity", flags(0x40)),
        ("the flag of compression", flags(0x80)),
        ("the sign of the sum", root_of(&keys, &turned)),
        ("a key for the sum", root_of(&keys, &keys[0])),
        ("no sum", merkleize(&leaves)),
        ("both coordinates", root_of(&numbers, &sum)),
        ("a list", sha256(&keys.concat())),
        ("another hash", keccak256(&[keys.concat(), sum.clone()].concat())),
    ];
    for (name, other) in sampled(others.to_vec(), 2) {
        assert!(!claim_of(&own, other).holds(), "{name}");
    }
}

/// The number that represents a coordinate modulo the prime is not the one that is hashed.
#[test]
fn coordinates_above_the_prime_are_refused() {
    let p = &PairingCurve::Bls12381.parameters().p;
    let room = (BigUint::from(1u8) << 381) - p;
    for place in [0, 1] {
        let seats = (300..).map(|number| seat(Scalar::from(number)));
        let numbers = |one: &Member| one.public_key.of::<Seat>().expect("a seat").coordinates();
        let mut seats = seats.filter(|one| numbers(one)[place] < room);
        let own = [seats.next().expect("there are many")];
        let mut claim = Claim::new(&shape(KIND, 1), &own, &own);
        assert!(claim.holds());
        let mut lie = numbers(&own[0]);
        lie[place] += p;
        claim.inputs.keys[0] = lie.iter().flat_map(coordinate).collect();
        // What the chain would have if it took such a number for a coordinate.
        if place == 0 {
            let (keys, sum) = compressed(&own);
            let mut other = coordinate(&lie[0]);
            other[0] |= keys[0][0] & 0xe0;
            let of_key = claim_of(&own, root_of(&[other.clone()], &sum)).inputs.public;
            assert!(!Claim {
                inputs: TranslationInputs { public: of_key, ..claim.inputs.clone() },
                ..claim.clone()
            }
            .holds());
        }
        assert!(!claim.holds(), "{place}");
    }
}

#[test]
fn what_no_committee_is_has_no_translation() {
    for capacity in [0, 3, 48, 513, 1024] {
        let refused = TranslationShape::fit(&TranslationRequest::new(KIND, capacity));
        assert_eq!(refused, Err(Error::NoCommittee { seats: capacity, most: 512 }));
    }
    let shape = shape(KIND, 4);
    for count in [2, 8] {
        let refused = shape.witness(&committee(&members(KIND, count))).err();
        assert_eq!(refused, Some(Error::OtherSeats { members: count.into(), seats: 4 }));
    }
    let guardians = committee(&members(CommitmentKind::Addresses, 4));
    let refused = shape.witness(&guardians).err();
    assert!(matches!(refused, Some(Error::Commitment(CommitmentError::OtherKey { .. }))));
    let mut heavy = members(KIND, 4);
    heavy[2].weight = 2;
    let refused = shape.witness(&committee(&heavy)).err();
    assert!(matches!(refused, Some(Error::Commitment(CommitmentError::Weight { weight: 2, .. }))));
}

/// Each public input alone, and all that the root commits to beside the tree.
#[test]
fn public_inputs_that_are_not_those_of_the_committee() {
    let own = truth(KIND, 2, 2);
    circuit(&own).assert_satisfied();
    for place in sampled([crate::KEY_SET_ROOT, COMMITMENT_HIGH, COMMITMENT_LOW], 2) {
        let mut lie = own.clone();
        lie.inputs.public[place] += Fr::one();
        walk(&lie);
    }
    // Both are copies of one constant, so a walk takes the one for what the other should be.
    for place in [MEMBERS, TOTAL_WEIGHT] {
        let mut lie = own.clone();
        lie.inputs.public[place] += Fr::one();
        assert_eq!(circuit(&lie).failing(vec![]), ["copy"], "{place}");
    }
    let changes: [fn(&mut Whole); 4] = [
        |whole| whole.tree += Fr::one(),
        |whole| whole.key += Fr::one(),
        |whole| whole.weight += 1,
        |whole| whole.members += 1,
    ];
    for change in sampled(changes, 2) {
        let mut lie = own.clone();
        change(&mut lie.inputs.whole);
        lie.open();
        walk(&lie);
    }
}

/// A seat more than there is in all that says how many there are, and places that nobody has with the same in every element: the constant that
/// all of them are copies of refuses it.
#[test]
fn what_is_wrong_everywhere_is_no_constant() {
    let own = truth(KIND, 2, 2);
    let mut more = own.clone();
    for place in [MEMBERS, TOTAL_WEIGHT] {
        more.inputs.public[place] += Fr::one();
    }
    more.inputs.whole.weight += 1;
    more.inputs.whole.members += 1;
    more.open();
    let mut other = own;
    for place in [2, 3] {
        other.inputs.leaves[0].keys[place].fill(Fr::from(5));
    }
    other.commit();
    for (lie, constant, number) in
        [(more, Fr::from(2), Fr::from(3)), (other, -Fr::one(), Fr::from(5))]
    {
        let mut circuit = circuit(&lie);
        assert_eq!(circuit.failing(vec![]), ["copy"]);
        // The constant's copy alone, with the number that all others have.
        let column = circuit.vertical().start;
        let cells = circuit.advice()[column].clone();
        for row in (0..cells.len()).filter(|row| cells[*row] == constant) {
            let forged = circuit.in_row(row, number);
            assert!(!circuit.is_satisfied_with(forged), "{row}");
        }
    }
}

/// A seat that weighs more than one, in the leaf and in what is packed into it.
#[test]
fn each_seat_weighs_one() {
    let own = truth(KIND, 1, 1);
    let mut heavy = own.clone();
    heavy.inputs.leaves[0].weights[0] = 2;
    heavy.commit();
    let last = |claim: &Claim| *claim.inputs.leaves[0].entry(0).last().expect("some elements");
    let mut circuit = circuit(&heavy);
    // The last term of that is the weight, which is checked to be an amount, and compared with a constant: two of the cells that are 1.
    let packed = circuit.replace(&[(last(&own), last(&heavy))]);
    let [Forged { column, row, .. }] = packed[..] else { panic!("{packed:?}") };
    let bound = circuit.forger().bound_to((column, row - 2));
    let (ones, checked): (Vec<_>, Vec<_>) = bound.into_iter().partition(|cell| cell.0 == column);
    for (checked, one) in checked.iter().flat_map(|checked| ones.iter().map(move |o| (checked, o)))
    {
        let weight = [(column, row - 2), *checked, *one];
        let weight = weight.map(|(column, row)| Forged { column, row, value: Fr::from(2) });
        let failing = circuit.failing([&packed[..], &weight].concat());
        assert!(failing.contains(&"copy".to_owned()), "{weight:?}");
    }
}

/// Each element of a key in a leaf, the weight in it, and those of places that nobody has.
#[test]
fn leaves_that_are_not_those_of_the_committee() {
    let own = truth(KIND, 2, 2);
    let elements = (0..4).flat_map(|place| (0..4).map(move |element| (place, element)));
    for (place, element) in sampled(elements, 4) {
        let mut lie = own.clone();
        lie.inputs.leaves[0].keys[place][element] += Fr::one();
        lie.commit();
        walk(&lie);
    }
    for place in sampled(0..4, 2) {
        let mut lie = own.clone();
        lie.inputs.leaves[0].weights[place] += 1;
        lie.commit();
        walk(&lie);
    }
}

/// Any cell of the vertical gate, with all that is bound to it and all that follows from it, in a circuit that holds. Most are bound
/// by hashes and relations, through which walks do not go, so few constraints refuse alone.
#[test]
fn every_cell_of_the_vertical_gate_is_bound() {
    let Walk { sums, copies } = circuit(&truth(KIND, 1, 1)).walk_from_everywhere(CLAIMS);
    assert!(sums > 0 && copies > 0, "{sums} sums, {copies} copies");
}
