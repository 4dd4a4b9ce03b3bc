//! Translations that are false, with witnesses that are forged as far as they go: a [`Walk`] passes what refuses one from
//! constraint to constraint, and panics if a witness is accepted on the way.

use halo2_base::{halo2_proofs::halo2curves::ff::PrimeField, utils::modulus};
use muster_forgery::testing::{layout, TestCircuit, Walk, SHA256_GATE};
use muster_gadgets::membership::translation::{
    AssignedTranslation, CommitmentInstructions, TranslatedSet,
};
use muster_gates::{
    foreign::{Equation, ForeignLayout},
    GateContext, Layout,
};
use muster_schemes::membership::{
    commitment::{
        AddressList, AptosValidators, AxelarSigners, BeefyAuthorities, CometbftValidators,
        SemaphoreGroup, SuiValidators, SyncCommittee,
    },
    KeyFormat,
};

use super::*;
use crate::translation::{COMMITMENT_HIGH, COMMITMENT_LOW};

/// The rows of the public inputs.
pub(super) const CLAIMS: std::ops::Range<usize> = 0..5;

/// Columns of the range gate in circuits of CometBFT and of points.
pub(super) const RANGE_COLUMNS: usize = 2;

fn build<C: CommitmentInstructions>(ctx: &mut GateContext, claim: &Claim) {
    let TranslationInputs { public, leaves, whole, keys } = &claim.inputs;
    let &TranslationShape { arity, depth, .. } = &claim.shape;
    let [key_set_root, high, low, members, total_weight] =
        ctx.assign_witnesses(*public).try_into().expect("five inputs");
    let commitment = [high, low];
    let claim = AssignedTranslation { key_set_root, commitment, members, total_weight };
    let set = TranslatedSet { claim, leaves, whole, keys, arity, depth };
    C::assert_translates(ctx, &set);
}

/// The claim in a circuit with one vertical column.
pub(super) fn circuit(claim: &Claim) -> TestCircuit {
    let open = Layout { constant_rows: 400, ..layout(13, &[6]) };
    match claim.shape.commitment {
        CommitmentKind::Addresses => {
            let layout = Layout { keccak_lanes: 1, ..open };
            TestCircuit::new(layout, |ctx| build::<AddressList>(ctx, claim))
        }
        CommitmentKind::Axelar => {
            let layout = Layout { keccak_lanes: 2, ..open };
            TestCircuit::new(layout, |ctx| build::<AxelarSigners>(ctx, claim))
        }
        CommitmentKind::Beefy => {
            let layout = Layout { keccak_lanes: 2, ..open };
            TestCircuit::new(layout, |ctx| build::<BeefyAuthorities>(ctx, claim))
        }
        CommitmentKind::Semaphore => {
            let layout = Layout { constant_rows: 400, ..layout(13, &[6, 3]) };
            TestCircuit::new(layout, |ctx| build::<SemaphoreGroup>(ctx, claim))
        }
        CommitmentKind::Cometbft => {
            let layout = Layout { sha256: Some(SHA256_GATE), range_columns: RANGE_COLUMNS, ..open };
            TestCircuit::new(layout, |ctx| build::<CometbftValidators>(ctx, claim))
        }
        CommitmentKind::SyncCommittee => {
            let layout = of_points(SyncCommittee::equations());
            TestCircuit::new(layout, |ctx| build::<SyncCommittee>(ctx, claim))
        }
        CommitmentKind::Aptos => {
            let layout = of_points(AptosValidators::equations());
            TestCircuit::new(layout, |ctx| build::<AptosValidators>(ctx, claim))
        }
        CommitmentKind::Sui => {
            let layout = of_points(SuiValidators::equations());
            TestCircuit::new(layout, |ctx| build::<SuiValidators>(ctx, claim))
        }
    }
}

/// A layout with relations.
fn of_points(equations: Vec<Equation>) -> Layout {
    let native = modulus::<Fr>();
    Layout {
        foreign: vec![ForeignLayout::new(&native, 8, 2, &equations)],
        sha256: Some(SHA256_GATE),
        range_columns: RANGE_COLUMNS,
        ..Layout { constant_rows: 400, ..layout(13, &[6, KeyFormat::WIDTH]) }
    }
}

/// The first `count` members in a set with room for `capacity`.
pub(super) fn truth(kind: CommitmentKind, count: u8, capacity: usize) -> Claim {
    let own = members(kind, count);
    Claim::new(&shape(kind, capacity), &own, &own)
}

/// Walks from the one constraint that refuses a lie.
#[track_caller]
pub(super) fn walk(claim: &Claim) -> Walk {
    circuit(claim).walk(CLAIMS)
}

/// The root, each half of the commitment and the total alone. The number of members is not alone in a list: it says where that
/// ends.
#[test]
fn public_inputs_that_are_not_those_of_the_set() {
    for kind in KINDS {
        let own = truth(kind, 2, 3);
        circuit(&own).assert_satisfied();
        let mut places = vec![crate::KEY_SET_ROOT, COMMITMENT_HIGH, COMMITMENT_LOW, TOTAL_WEIGHT];
        let is_list = matches!(kind, CommitmentKind::Addresses | CommitmentKind::Axelar);
        places.extend((!is_list).then_some(MEMBERS));
        for place in places {
            let mut lie = own.clone();
            lie.inputs.public[place] += Fr::one();
            walk(&lie);
        }
    }
}

/// Who is in a leaf, and what the chain hashes: another name, with the root that goes with it.
#[test]
fn a_member_in_the_place_of_another() {
    for kind in KINDS {
        for place in [0, 1] {
            let mut lie = truth(kind, 2, 3);
            lie.inputs.leaves[0].keys[place][0] = member(kind, 9).public_key.name();
            lie.commit();
            walk(&lie);
        }
    }
}

/// Weights of those who are there, and of nobody.
#[test]
fn weights_that_the_chain_does_not_have() {
    for (kind, place) in
        [CommitmentKind::Addresses, CommitmentKind::Beefy, CommitmentKind::Semaphore]
            .into_iter()
            .flat_map(|kind| [0, 1, 2].map(|place| (kind, place)))
    {
        let mut lie = truth(kind, 2, 3);
        let before = lie.inputs.leaves[0].weights[place];
        lie.inputs.leaves[0].weights[place] = 2;
        lie.inputs.public[TOTAL_WEIGHT] += Fr::from(2 - before);
        lie.commit();
        walk(&lie);
    }
    for (kind, place) in
        [(CommitmentKind::Cometbft, 1), (CommitmentKind::Cometbft, 2), (CommitmentKind::Axelar, 2)]
    {
        let mut lie = truth(kind, place as u8, 3);
        lie.inputs.leaves[0].weights[place] = 5;
        lie.inputs.public[TOTAL_WEIGHT] += Fr::from(5);
        lie.commit();
        walk(&lie);
    }
    let mut lie = truth(CommitmentKind::Axelar, 2, 3);
    lie.inputs.leaves[0].weights[1] += 1;
    lie.inputs.public[TOTAL_WEIGHT] += Fr::one();
    lie.commit();
    assert!(!circuit(&lie).is_satisfied(), "a weight");
}

/// The last leaf has places behind the room of the set.
#[test]
fn a_member_behind_the_room_of_the_set() {
    for kind in KINDS {
        let changes: [fn(&mut Leaf); 2] =
            [|leaf| leaf.keys[3][0] = Fr::from(77), |leaf| leaf.weights[3] = 7];
        for change in changes {
            let mut lie = truth(kind, 2, 3);
            change(&mut lie.inputs.leaves[0]);
            lie.commit();
            walk(&lie);
        }
    }
}

/// Who is in both places behind the room, and a name that is also the weight: then the one zero that both are copies of is all that refuses.
#[test]
fn members_in_every_place_behind_the_room() {
    for place in [2, 3] {
        let changes: [fn(&mut Leaf, usize); 3] = [
            |leaf, place| leaf.keys[place][0] = Fr::from(77),
            |leaf, place| leaf.weights[place] = 7,
            |leaf, _| {
                for place in [2, 3] {
                    (leaf.keys[place][0], leaf.weights[place]) = (Fr::from(7), 7);
                }
            },
        ];
        for change in changes {
            let mut lie = truth(CommitmentKind::Semaphore, 2, 2);
            change(&mut lie.inputs.leaves[0], place);
            lie.commit();
            walk(&lie);
        }
    }
}

/// Nobody between two members, whose group has the root that nodes over these places make: only the bits of the places refuse it.
#[test]
fn a_gap_between_members() {
    let kind = CommitmentKind::Semaphore;
    let own = members(kind, 3);
    let two = [own[0].clone(), own[2].clone()];
    let mut lie = truth(kind, 3, 3);
    lie.inputs.public = Claim::new(&lie.shape, &two, &two).inputs.public;
    lie.inputs.leaves[0].keys[1][0] = Fr::zero();
    lie.inputs.leaves[0].weights[1] = 0;
    lie.inputs.keys[1].fill(0);
    lie.commit();
    walk(&lie);
}

/// What the chain commits to has a key twice. All else is true.
#[test]
fn a_key_twice_in_the_set_and_in_the_chains_commitment() {
    for kind in KINDS {
        let one = member(kind, 1);
        let twice = [one.clone(), member(kind, 2), one];
        walk(&Claim::new(&shape(kind, 3), &twice, &twice));
    }
}

/// The chain commits to nobody, and the set is empty. All else is true.
#[test]
fn nobody_in_the_set() {
    let mut lie = truth(CommitmentKind::Addresses, 1, 2);
    lie.inputs = TranslationInputs {
        public: TranslationStatement {
            key_set_root: Fr::zero(),
            commitment: keccak256(&[]),
            members: 0,
            total_weight: 0,
        }
        .public_inputs(),
        leaves: vec![],
        whole: Whole::default(),
        keys: vec![],
    }
    .padded(&lie.shape);
    lie.commit();
    walk(&lie);
}

/// The list of what a circuit is filled with: of each place the word of the address, and behind it the weight's where there is one.
pub(super) fn list(claim: &Claim) -> Vec<u8> {
    let TranslationInputs { keys, leaves, .. } = &claim.inputs;
    let word = |(key, weight): (&Vec<u8>, &u64)| match claim.shape.commitment {
        CommitmentKind::Axelar => [key, &[0; 24][..], &weight.to_be_bytes()].concat(),
        _ => key.clone(),
    };
    keys.iter().zip(&leaves[0].weights).flat_map(word).collect()
}

/// A word of the list that is no address: its name is the word modulo the circuit's prime.
#[test]
fn words_that_are_no_addresses() {
    // A byte more, or the prime more, with which the name stays what it was.
    let changes: [fn(&mut Vec<u8>); 3] = [
        |word| word[11] = 1,
        |word| word[0] = 1,
        |word| *word = (BigUint::from_bytes_be(word) + modulus::<Fr>()).to_bytes_be(),
    ];
    let kinds = [CommitmentKind::Addresses, CommitmentKind::Axelar];
    let lies = kinds.into_iter().flat_map(|kind| changes.map(|change| (kind, change)));
    for ((kind, change), place) in lies.flat_map(|lie| [(lie, 0), (lie, 1)]) {
        let mut lie = truth(kind, 2, 2);
        change(&mut lie.inputs.keys[place]);
        let shift = Fr::from(256);
        let add = |number, byte: &u8| number * shift + Fr::from(u64::from(*byte));
        lie.inputs.leaves[0].keys[place][0] = lie.inputs.keys[place].iter().fold(Fr::zero(), add);
        lie.hashes(keccak256(&list(&lie)));
        lie.commit();
        let failing = circuit(&lie).failing(vec![]);
        assert_eq!(failing, ["range: limb is below 2^b"], "{kind}");
    }
}

/// A leaf of 21 bytes in the place of an address: its name is what its first 16 and the rest, without the byte that follows the message,
/// would add up to. All else is true.
#[test]
fn leaves_that_are_no_addresses() {
    let mut lie = truth(CommitmentKind::Beefy, 2, 2);
    let [own, other] = [0, 1].map(|place: usize| lie.inputs.keys[place][..20].to_vec());
    let leaf = [&other[..], &[7]].concat();
    let number =
        |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte));
    let (first, rest) = leaf.split_at(16);
    let shift = |bits: usize| muster_gates::power_of_two(bits);
    // Five bytes and the 1 behind them, of which the circuit takes away a 1 behind four.
    let padded = Fr::from_u128(number(rest)) * shift(88) + shift(80) - shift(88);
    let rest = padded * shift(96).invert().unwrap();
    lie.inputs.leaves[0].keys[1][0] = Fr::from_u128(number(first)) * shift(32) + rest;
    let leaves = [keccak256(&own), keccak256(&leaf)];
    let mut rest = rest.to_repr();
    rest.reverse();
    lie.inputs.keys[1] = [first, &rest, &[0; 2]].concat();
    let commitment = keccak256(&leaves.concat());
    let own = TranslationStatement::from_public_inputs(&lie.inputs.public).unwrap();
    lie.inputs.public = TranslationStatement { commitment, ..own }.public_inputs();
    lie.commit();
    let failing = circuit(&lie).failing(vec![]);
    assert_eq!(failing, ["range: limb is below 2^b"]);
}

/// Groups whose hash is of a key's opposite height, which has the same name and is outside the subgroup: a true root, and a witness with any of
/// the points that have the name.
#[test]
fn keys_outside_the_subgroup_in_a_group() {
    let own = truth(CommitmentKind::Semaphore, 2, 2);
    let set = members(CommitmentKind::Semaphore, 2);
    let [first, second] = [0, 1].map(|i: usize| *set[i].public_key.of::<SubgroupPoint>().unwrap());
    let leaves =
        [poseidon::hash(&[first.x(), first.y()]), poseidon::hash(&[second.x(), -second.y()])];
    let mut commitment = poseidon::hash(&leaves).to_repr();
    commitment.reverse();
    let mut lie = own.clone();
    let statement = TranslationStatement::from_public_inputs(&own.inputs.public).unwrap();
    lie.inputs.public = TranslationStatement { commitment, ..statement }.public_inputs();
    walk(&lie);
    // Both heights on the way, and a point that is none.
    let eighth = second.to_affine().divide_by_cofactor();
    for (x, y) in [
        (eighth.x(), -eighth.y()),
        (-eighth.x(), eighth.y()),
        (second.x(), -second.y()),
        (eighth.x(), eighth.x()),
    ] {
        lie.inputs.keys[1] = [x, y].iter().flat_map(PrimeField::to_repr).collect();
        assert!(!circuit(&lie).is_satisfied());
    }
    // Eight points have the same multiple, and each shows the key.
    let mut same = own;
    same.inputs.keys[1] = [-eighth.x(), -eighth.y()].iter().flat_map(PrimeField::to_repr).collect();
    circuit(&same).assert_satisfied();
}

/// A contract's group of three, of which the last brought the node over two commitments, has the root of these four members: true of four, and false of
/// the three that the contract counts.
#[test]
fn members_of_a_group_who_are_nodes() {
    let four = truth(CommitmentKind::Semaphore, 4, 4);
    circuit(&four).assert_satisfied();
    let commitment = |one: &Member| {
        let key = one.public_key.of::<SubgroupPoint>().expect("a key of EdDSA");
        poseidon::hash(&[key.x(), key.y()])
    };
    let set = members(CommitmentKind::Semaphore, 4);
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|i: usize| commitment(&set[i]));
    let node = poseidon::hash(&[third, fourth]);
    let root = poseidon::hash(&[poseidon::hash(&[first, second]), node]);
    let statement = TranslationStatement::from_public_inputs(&four.inputs.public).unwrap();
    let mut bytes = root.to_repr();
    bytes.reverse();
    assert_eq!(statement.commitment, bytes);
    // The same members with the number of the contract.
    let three = TranslationStatement { members: 3, ..statement };
    let mut lie = four;
    lie.inputs.public = three.public_inputs();
    walk(&lie);
    // Three members, of whom the last has the node's children for coordinates, or one of the two keys.
    let lie = truth(CommitmentKind::Semaphore, 3, 4);
    let three = TranslationStatement { total_weight: 3, ..three };
    for (name, [x, y]) in [(third, [third, fourth]), (set[2].public_key.name(), [third, fourth])] {
        let mut lie = lie.clone();
        lie.inputs.public = three.public_inputs();
        lie.inputs.leaves[0].keys[2][0] = name;
        lie.inputs.keys[2] = [x, y].iter().flat_map(PrimeField::to_repr).collect();
        lie.commit();
        assert!(!circuit(&lie).is_satisfied());
    }
}

/// The bytes of a root plus the prime.
#[test]
fn roots_in_other_bytes() {
    let own = truth(CommitmentKind::Semaphore, 2, 2);
    let statement = TranslationStatement::from_public_inputs(&own.inputs.public).unwrap();
    let modulus = modulus::<Fr>();
    let other = BigUint::from_bytes_be(&statement.commitment) + modulus;
    let commitment = other.to_bytes_be().try_into().expect("below 2^256");
    let mut lie = own;
    lie.inputs.public = TranslationStatement { commitment, ..statement }.public_inputs();
    let failing = circuit(&lie).failing(vec![]);
    assert_eq!(failing, ["range: limb is below 2^b"]);
}

/// A name above all addresses.
#[test]
fn names_that_are_no_addresses() {
    let mut lie = truth(CommitmentKind::Beefy, 2, 2);
    lie.inputs.leaves[0].keys[1][0] += muster_gates::power_of_two(160);
    lie.commit();
    walk(&lie);
}

/// Bytes of a key of Ed25519 that are none, in a hint.
#[test]
fn places_that_are_used_with_a_gap() {
    for kind in KINDS {
        let mut lie = truth(kind, 3, 3);
        lie.inputs.leaves[0].keys[1][0] = Fr::zero();
        lie.inputs.leaves[0].weights[1] = 0;
        lie.commit();
        assert!(!circuit(&lie).is_satisfied(), "{kind}");
    }
}

/// Any cell of the vertical gate, with all that is bound to it and all that follows from it, in circuits that hold.
#[test]
fn every_cell_of_the_vertical_gate_is_bound() {
    for kind in KINDS {
        // With a place that is empty, the inverse of its name would be free.
        let Walk { sums, copies } = circuit(&truth(kind, 2, 2)).walk_from_everywhere(CLAIMS);
        // Where all but sums refuses what follows from a cell, too, few are alone.
        let has_few = matches!(kind, CommitmentKind::Beefy | CommitmentKind::Semaphore);
        let least = if has_few { 5 } else { 20 };
        assert!(sums > least && copies > least, "{kind}: {sums} sums, {copies} copies");
    }
}
