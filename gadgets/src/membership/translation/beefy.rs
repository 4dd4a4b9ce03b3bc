//! The `keyset_commitment` of BEEFY, for authorities that are named by their Ethereum addresses.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    QuantumCell::{Constant, Existing},
};

use super::{
    distinct_members,
    tree::{root, Digest},
    AssignedPlace, CommitmentInstructions, TranslatedSet, MOST_PLACES,
};
use crate::hash::{
    keccak,
    padding::{big_endian, HALF},
};
use muster_gates::{chain, power_of_two, small::Bit, vertical, GateContext};
use muster_schemes::{
    curve::weierstrass::Address,
    hash::keccak::keccak256,
    membership::{
        commitment::{BeefyAuthorities, AUTHORITY_LEAF},
        EmptyKind, EmptyPlace, PublicKey,
    },
};

/// Bytes of an address behind its first half.
const LAST: usize = AUTHORITY_LEAF - HALF;

const _: () = assert!(8 * AUTHORITY_LEAF < Fr::CAPACITY as usize, "an address is an element");

impl CommitmentInstructions for BeefyAuthorities {
    /// The address, whether the place is empty, and whether the chain hashes no bytes there.
    const KEY_BYTES: usize = AUTHORITY_LEAF + 2;
    /// Polkadot has some 600 authorities (`beefy-validator-set.json` in the tests of Snowfork/snowbridge).
    const MAX_PLACES: usize = MOST_PLACES;
    const KECCAK: bool = true;

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        let (address, flags) = match key.of::<EmptyPlace>() {
            Some(empty) if empty.kind() != EmptyKind::Beefy => return None,
            Some(empty) => ([0; AUTHORITY_LEAF], [1, empty.key().is_empty().into()]),
            None => (key.of::<Address>()?.to_bytes(), [0, 0]),
        };
        Some([&address[..], &flags].concat())
    }

    fn assert_translates(ctx: &mut GateContext, set: &TranslatedSet<'_>) {
        let (places, used) = distinct_members(ctx, set);
        let pairs = places.iter().zip(set.keys).enumerate();
        let leaves = ctx.each(pairs, |ctx, (number, (place, key))| leaf(ctx, (number, place), key));
        let root = root(ctx, leaves, &used, node);
        set.claim.assert_commitment(ctx, &root);
    }
}

/// The Keccak-256 of the address that is the name in the place; in an empty one of zeros, or of nothing. A place that is not used weighs
/// nothing, and no hash over its leaf reaches the root.
pub(super) fn leaf(
    ctx: &mut GateContext,
    (number, place): (usize, &AssignedPlace),
    key: &[u8],
) -> Digest {
    // Everybody weighs 1, and nobody 0.
    vertical::assert_equal(ctx, &place.weight, &place.used.cell());
    let (address, flags) = key.split_at(key.len() - 2);
    let [first, last] =
        [&address[..HALF], &address[HALF..]].map(|bytes| ctx.load_witness(big_endian(bytes)));
    let [is_empty, hashes_nothing] = [0, 1].map(|flag| {
        let bit = ctx.load_witness(Fr::from(u64::from(flags[flag])));
        Existing(Bit::checked(ctx, bit).cell())
    });
    let shift = Constant(power_of_two(8 * LAST));
    let address = Existing(chain::sum(ctx, Existing(last), &[(Existing(first), shift)]));
    // The hash checks the first half to be below `2^128`, and what is behind it to have no more bytes. So the address is below `2^160`, and
    // the name is in an empty place alone not: it says which of the three it is.
    let zero = Constant(Fr::zero());
    chain::assert_sum(ctx, zero, &[(is_empty, address)], zero);
    chain::assert_sum(ctx, zero, &[(is_empty, hashes_nothing)], hashes_nothing);
    let above = power_of_two(8 * AUTHORITY_LEAF);
    let empty = (is_empty, Constant(above + Fr::from(number as u64)));
    let terms = [empty, (hashes_nothing, Constant(above))];
    chain::assert_sum(ctx, address, &terms, Existing(place.name));
    let hash = keccak::keccak256_with_last(ctx, &[Existing(first)], (last, LAST)).halves();
    // Where no bytes are hashed, the address is 0.
    let [zeros, none] = [&[0; AUTHORITY_LEAF][..], &[]].map(|leaf| {
        let hash = keccak256(leaf);
        [&hash[..HALF], &hash[HALF..]].map(big_endian)
    });
    [0, 1].map(|half| {
        let instead = Constant(none[half] - zeros[half]);
        chain::sum(ctx, Existing(hash[half]), &[(hashes_nothing, instead)])
    })
}

/// `Keccak-256(left ‖ right)`.
fn node(ctx: &mut GateContext, children: [&Digest; 2]) -> Digest {
    let halves: Vec<_> = children.into_iter().flatten().copied().map(Existing).collect();
    keccak::keccak256(ctx, &halves).halves()
}
