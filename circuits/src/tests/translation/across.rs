//! One set, and the chain's hash of another: all that is hashed is true, and so is the set. What stands between the two refuses.

use muster_forgery::testing::{Walk, SHA256_GATE};
use muster_schemes::signature::cometbft::{validators_hash, KeyType, SimpleValidator};
use muster_testing::sampled;

use super::{
    forged::{circuit, CLAIMS, RANGE_COLUMNS},
    places::name,
    *,
};

const KIND: CommitmentKind = CommitmentKind::Cometbft;

/// Validators with these bytes for keys, whether or not they are any, and these powers, in the set and in the hash.
fn claim(validators: &[(Vec<u8>, u64)]) -> Claim {
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

/// The set of `set` with the hash of `chain`, of one member each: between the key and the digest one constraint refuses, and whichever
/// the forger satisfies, the next one does.
fn walk_between(set: (Vec<u8>, u64), chain: (Vec<u8>, u64)) -> Walk {
    let (mut lie, truth) = (claim(&[set]), claim(&[chain]));
    let statement = TranslationStatement::from_public_inputs(&truth.inputs.public);
    lie.hashes(statement.expect("a statement").commitment);
    let (lie, truth) = (circuit(&lie), circuit(&truth));
    truth.assert_satisfied();
    // Of what is bound to no cell of the vertical gate, SHA-256 and the range checks of what it hashes are the chain's.
    let vertical = lie.vertical().start;
    let range = vertical - RANGE_COLUMNS..vertical;
    let is_others = |(column, _)| column < SHA256_GATE.columns() || range.contains(&column);
    lie.walk_across(&truth, CLAIMS, is_others)
}

/// A byte of each half of a leaf, and the power.
#[test]
fn members_who_differ_from_those_in_the_hash() {
    let own = member(KIND, 0);
    let set = (key(&own.public_key)[..32].to_vec(), own.weight);
    let byte = |at: usize| {
        let mut chain = set.clone();
        chain.0[at] ^= 1;
        chain
    };
    let others = [byte(3), byte(18), byte(30), (set.0.clone(), set.1 + 1)];
    for chain in sampled(others, 1) {
        let Walk { sums, copies } = walk_between(set.clone(), chain);
        assert!(sums > 30 && copies > 30, "{sums} sums, {copies} copies");
    }
}
