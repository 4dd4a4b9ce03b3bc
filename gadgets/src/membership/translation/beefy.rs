//! The `keyset_commitment` of BEEFY, for authorities that are named by their Ethereum addresses.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    Context,
    QuantumCell::{Constant, Existing, Witness},
};

use super::{
    distinct_members,
    tree::{root, Digest},
    AssignedPlace, AssignedTranslation, CommitmentInstructions, TranslatedSet, MOST_PLACES,
};
use crate::hash::{keccak, padding::HALF};
use muster_gates::{chain, power_of_two, vertical, Chips};
use muster_schemes::{
    curve::weierstrass::Address,
    membership::{
        commitment::{BeefyAuthorities, AUTHORITY_LEAF},
        PublicKey,
    },
};

/// Bytes of an address behind its first half.
const LAST: usize = AUTHORITY_LEAF - HALF;

const _: () = assert!(8 * AUTHORITY_LEAF < Fr::CAPACITY as usize, "an address is an element");

impl CommitmentInstructions for BeefyAuthorities {
    const KEY_BYTES: usize = AUTHORITY_LEAF;
    /// Polkadot has some 600 authorities (`beefy-validator-set.json` in the tests of Snowfork/snowbridge).
    const MAX_PLACES: usize = MOST_PLACES;
    const KECCAK: bool = true;

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        Some(key.of::<Address>()?.to_bytes().to_vec())
    }

    fn assert_translates(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedTranslation,
        set: &TranslatedSet<'_>,
    ) {
        let places = distinct_members(ctx, chips, claim, set);
        let used: Vec<_> = places.iter().map(|place| place.used).collect();
        let pairs = places.iter().zip(set.keys);
        let leaves = chips.each(ctx, pairs, |ctx, (place, key)| leaf(ctx, chips, place, key));
        let root = root(ctx, chips, leaves, &used, node);
        claim.assert_commitment(ctx, &root);
    }
}

/// The Keccak-256 of the address that is the name in the place. A place that is not used weighs nothing, and no hash over its leaf
/// reaches the root.
fn leaf(ctx: &mut Context<Fr>, chips: &Chips, place: &AssignedPlace, key: &[u8]) -> Digest {
    // Everybody weighs 1, and nobody 0.
    vertical::assert_equal(ctx, &place.weight, &place.used.cell());
    let number = |bytes: &[u8]| {
        let byte = |byte: &u8| Fr::from(u64::from(*byte));
        bytes.iter().fold(Fr::zero(), |number, next| number * Fr::from(1 << 8) + byte(next))
    };
    let (first, last) = key.split_at(HALF);
    // Both are checked by the hash, the first half to be below `2^128` and what is behind it to have no more bytes: the name has one
    // such sum.
    let first = ctx.load_witness(number(first));
    let terms = [(Existing(first), Constant(power_of_two(8 * LAST)))];
    let last = chain::assert_sum(ctx, Witness(number(last)), &terms, Existing(place.name));
    keccak::keccak256_with_last(ctx, chips, &[Existing(first)], (last, LAST)).halves()
}

/// `Keccak-256(left ‖ right)`.
fn node(ctx: &mut Context<Fr>, chips: &Chips, children: [&Digest; 2]) -> Digest {
    let halves: Vec<_> = children.into_iter().flatten().copied().map(Existing).collect();
    keccak::keccak256(ctx, chips, &halves).halves()
}
