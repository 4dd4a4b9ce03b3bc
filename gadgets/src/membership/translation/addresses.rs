//! The Keccak-256 of a list of addresses, with weights or without.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};

use super::{distinct_members, CommitmentInstructions, TranslatedSet, MAX_PLACES};
use crate::hash::{
    keccak,
    padding::{Message, HALF},
};
use muster_gates::{chain, power_of_two, vertical, GateContext};
use muster_schemes::{
    curve::weierstrass::Address,
    membership::{
        commitment::{AbiList, ABI_WORD},
        PublicKey,
    },
};

/// Bits of the first half of a word with an address: the other half has the last 16 of its 20 bytes.
const HIGH_BITS: usize = 32;

const _: () = {
    assert!(ABI_WORD == 2 * HALF, "a word has two halves");
    assert!(HIGH_BITS + 8 * HALF < Fr::CAPACITY as usize, "an address is an element");
};

impl<const WEIGHTED: bool> CommitmentInstructions for AbiList<WEIGHTED> {
    const KEY_BYTES: usize = ABI_WORD;
    const MAX_PLACES: usize = MAX_PLACES;
    const KECCAK: bool = true;

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        Some([&[0; ABI_WORD - 20][..], &key.of::<Address>()?.to_bytes()].concat())
    }

    fn assert_translates(ctx: &mut GateContext, set: &TranslatedSet<'_>) {
        let (places, _) = distinct_members(ctx, set);
        assert_eq!(ctx.range.rounded(HIGH_BITS), HIGH_BITS, "whole limbs have no bits to spare");
        let zero = WEIGHTED.then(|| vertical::load_zero(ctx));
        let mut halves = vec![];
        for (place, key) in places.iter().zip(set.keys) {
            if !WEIGHTED {
                // Everybody weighs 1, and nobody 0.
                vertical::assert_equal(ctx, &place.weight, &place.used.cell());
            }
            halves.extend(halves_of(ctx, place.name, key));
            // Of nobody the weight is 0, like all that is behind the list.
            halves.extend(zero.iter().flat_map(|zero| [*zero, place.weight]));
        }
        let bound = HALF * halves.len();
        let leaf = Constant(Fr::from((bound / places.len()) as u64));
        let length = ctx.gate.mul(ctx, set.claim.members, leaf);
        let list = Message { halves: &halves, length, bound };
        let digest = keccak::keccak256_up_to(ctx, list);
        set.claim.assert_commitment(ctx, &digest.halves());
    }
}

/// The halves of the word that holds an address. That the second one is below `2^128` is shown by whatever hashes it.
fn halves_of(ctx: &mut GateContext, name: AssignedValue<Fr>, key: &[u8]) -> [AssignedValue<Fr>; 2] {
    let [high, low] = [&key[..HALF], &key[HALF..]].map(|half| {
        Fr::from_u128(u128::from_be_bytes(half.try_into().expect("a half has 16 bytes")))
    });
    let high = ctx.range.check(Witness(high), HIGH_BITS);
    let shift = Constant(power_of_two(8 * HALF));
    let low = chain::assert_sum(ctx, Witness(low), &[(Existing(high), shift)], Existing(name));
    [high, low]
}
