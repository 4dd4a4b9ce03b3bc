//! One set, and the chain's hash of another: all that is hashed is true, and so is the set. What stands between the two refuses.

use std::collections::HashMap;

use muster_forgery::{
    forger::Place,
    testing::{TestCircuit, Walk, SHA256_GATE},
};
use muster_schemes::signature::cometbft::{validators_hash, KeyType, SimpleValidator};
use muster_testing::sampled;

use super::{
    forged::{circuit, list, truth, CLAIMS, RANGE_COLUMNS},
    lists::strings,
    places::name,
    *,
};

const KIND: CommitmentKind = CommitmentKind::Cometbft;

/// 32 bytes for a key, whether or not they are one, and a power.
type Validator = (Vec<u8>, u64);

/// These validators in the set and in the hash.
fn claim(validators: &[Validator]) -> Claim {
    let own: Vec<_> = (0..validators.len() as u8).map(|number| member(KIND, number)).collect();
    let mut claim = Claim::new(&shape(KIND, own.len()), &own, &own);
    for (place, (bytes, power)) in validators.iter().enumerate() {
        claim.inputs.keys[place][..32].copy_from_slice(bytes);
        claim.inputs.leaves[0].keys[place][0] = name(bytes, [0; 3]);
        claim.inputs.leaves[0].weights[place] = *power;
    }
    claim.inputs.public[TOTAL_WEIGHT] = Fr::from(validators.iter().map(|one| one.1).sum::<u64>());
    let leaf = |(key, power): &(Vec<u8>, u64)| SimpleValidator {
        key_type: KeyType::Ed25519,
        key: key.clone(),
        power: *power,
    };
    claim.hashes(validators_hash(&validators.iter().map(leaf).collect::<Vec<_>>()));
    claim.commit();
    claim
}

/// The set of `set` with the hash of `chain`: between a key and the digest one constraint refuses, and whichever the forger satisfies, the
/// next one does.
fn walk_between(set: &[Validator], chain: &[Validator]) -> Walk {
    let (mut lie, truth) = (claim(set), claim(chain));
    let statement = TranslationStatement::from_public_inputs(&truth.inputs.public);
    lie.hashes(statement.expect("a statement").commitment);
    let (lie, truth) = (circuit(&lie), circuit(&truth));
    truth.assert_satisfied();
    let rows = rows_of((&lie, &truth), set.len());
    lie.walk_across(&truth, CLAIMS, |place| rows.get(&place).copied())
}

/// With which row of the vertical column a cell goes that is bound to none: those of a range check with what is checked, which stands above
/// its limbs, words with the limbs that they are copied from, and all else of a chain of SHA-256 with the first that it reads and that the
/// two do not share.
fn rows_of((lie, truth): (&TestCircuit, &TestCircuit), members: usize) -> HashMap<Place, usize> {
    let (forger, vertical) = (lie.forger(), lie.vertical().start);
    let (own, others) = (lie.advice(), truth.advice());
    let mut rows = HashMap::new();
    let range = own.iter().enumerate().take(vertical).skip(vertical - RANGE_COLUMNS);
    for (column, cells) in range {
        let mut checked = None;
        for place in (0..cells.len()).map(|row| (column, row)) {
            let bound = forger.bound_to(place).into_iter();
            let row = bound.filter(|one| one.0 == vertical).map(|one| one.1).min();
            checked = row.or(checked);
            rows.extend(checked.map(|row| (place, row)));
        }
    }
    // Chains of one block, for leaves, stand before those of two, for nodes.
    let rows_taken = |test: &TestCircuit| test.gates().chips().sha256().rows();
    let leaf = rows_taken(&circuit(&claim(&[validator(0)])));
    let mut starts: Vec<_> = (0..=members).map(|above| leaf * above).collect();
    starts.extend((members > 1).then_some(rows_taken(lie)));
    for chain in starts.windows(2) {
        let columns = 0..SHA256_GATE.columns();
        let places: Vec<_> =
            columns.flat_map(|column| (chain[0]..chain[1]).map(move |row| (column, row))).collect();
        let read = |place: &Place| {
            let bound = forger.bound_to(*place).into_iter();
            let row = |one: Place| (one.0 == vertical).then_some(one.1).or(rows.get(&one).copied());
            bound.filter_map(row).min()
        };
        let differ = |place: &&Place| own[place.0][place.1] != others[place.0][place.1];
        let first = places.iter().filter(differ).filter_map(read).min();
        let of_chain = places.iter().filter_map(|place| Some((*place, read(place).or(first)?)));
        let of_chain: Vec<_> = of_chain.collect();
        rows.extend(of_chain);
    }
    rows
}

/// A byte of each half of a leaf, and the power.
#[test]
fn members_who_differ_from_those_in_the_hash() {
    let set = validator(0);
    for chain in sampled(others(&set, [3, 18, 30]), 2) {
        let Walk { sums, copies } = walk_between(std::slice::from_ref(&set), &[chain]);
        assert!(sums > 30 && copies > 30, "{sums} sums, {copies} copies");
    }
}

/// The same of each of two members, whose leaves have a node above them.
#[test]
fn one_of_two_members_differs_from_the_one_in_the_hash() {
    let set = [validator(0), validator(1)];
    let pairs =
        (0..2).flat_map(|place| others(&set[place], [18]).into_iter().map(move |one| (place, one)));
    for (place, other) in sampled(pairs.collect::<Vec<_>>(), 4) {
        let mut chain = set.clone();
        chain[place] = other;
        let Walk { sums, copies } = walk_between(&set, &chain);
        assert!(sums > 30 && copies > 30, "{place}: {sums} sums, {copies} copies");
    }
}

/// Walks from witnesses that begin as `lie` and go on as `truth`, of whose commitment `lie` says that it is its own.
fn walk_to(mut lie: Claim, truth: &Claim) -> Walk {
    let statement = TranslationStatement::from_public_inputs(&truth.inputs.public);
    lie.hashes(statement.expect("a statement").commitment);
    // The hash itself is the truth's.
    circuit(&lie).walk_across(&circuit(truth), CLAIMS, |_| Some(usize::MAX))
}

/// A list that goes on with nobody: the set counts its members, and what is hashed is as long as if there were one more.
#[test]
fn lists_that_end_behind_the_set() {
    let kinds = [CommitmentKind::Addresses, CommitmentKind::Axelar];
    for kind in sampled(kinds, 2) {
        let own = truth(kind, 2, 3);
        let mut longer = own.clone();
        longer.hashes(keccak256(&list(&longer)));
        longer.inputs.public[MEMBERS] += Fr::one();
        let Walk { sums, copies } = walk_to(own, &longer);
        assert!(sums > 20 && copies > 20, "{kind}: {sums} sums, {copies} copies");
    }
}

/// The same of a list of keys that add up, where the root says how many members there are.
#[test]
fn lists_of_keys_that_end_behind_the_set() {
    let kind = CommitmentKind::Aptos;
    let own = truth(kind, 1, 2);
    let [(key, power)] = &strings(kind, &members(kind, 1))[..] else { panic!("one member") };
    let mut longer = own.clone();
    longer.hashes(sha256(&[&key[..], power, &[0; 56]].concat()));
    longer.inputs.public[MEMBERS] += Fr::one();
    let Walk { sums, copies } = walk_to(own, &longer);
    assert!(sums > 0 && copies > 2, "{sums} sums, {copies} copies");
}

/// Of keys that add up, the chain has another member, the same in another order, one of them twice, one less, or another power. There is
/// a witness of which all holds but one constraint.
#[test]
fn lists_of_other_members() {
    let lists = [CommitmentKind::Aptos, CommitmentKind::Sui];
    let lies = |kind| {
        let [one, two] = [0, 1].map(|number| member(kind, number));
        let heavier = Member { weight: two.weight + 1, ..two.clone() };
        let mut lies = vec![
            ("changed", vec![one.clone(), member(kind, 7)]),
            ("moved", vec![two, one.clone()]),
            ("repeated", vec![one.clone(), one.clone()]),
        ];
        // A committee has all its seats, and each of them weighs one.
        if lists.contains(&kind) {
            lies.extend([("heavier", vec![one.clone(), heavier]), ("dropped", vec![one])]);
        }
        lies.into_iter().map(move |(name, chain)| (kind, name, chain))
    };
    let kinds = lists.into_iter().chain([CommitmentKind::SyncCommittee]);
    for (kind, name, chain) in sampled(kinds.flat_map(lies).collect::<Vec<_>>(), 13) {
        let [set, other] = [members(kind, 2), chain]
            .map(|members| Claim::new(&shape(kind, 2), &members, &members));
        let Walk { copies, .. } = walk_to(set, &other);
        assert!(copies > 0, "{kind}, {name}");
    }
}

/// A list with another weight than the set.
#[test]
fn weights_that_are_not_those_of_the_list() {
    let kind = CommitmentKind::Axelar;
    let chain = [Member { weight: 5, ..member(kind, 0) }];
    let other = Claim::new(&shape(kind, 1), &chain, &chain);
    let Walk { sums, copies } = walk_to(truth(kind, 1, 1), &other);
    assert!(copies > 0, "{sums} sums, {copies} copies");
}

/// Validators with other bytes in these places of the key, and another power.
fn others(own: &Validator, places: impl IntoIterator<Item = usize>) -> Vec<Validator> {
    let byte = |at: usize| {
        let mut other = own.clone();
        other.0[at] ^= 1;
        other
    };
    let power = (own.0.clone(), own.1 + 1);
    places.into_iter().map(byte).chain([power]).collect()
}

fn validator(number: u8) -> Validator {
    let own = member(KIND, number);
    (key(&own.public_key)[..32].to_vec(), own.weight)
}
