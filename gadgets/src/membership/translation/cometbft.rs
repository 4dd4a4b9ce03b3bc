//! The `validators_hash` of CometBFT, for keys of Ed25519.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::fe_to_biguint,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_traits::ToPrimitive;

use super::{
    distinct_members,
    tree::{root, Digest, NODE_BLOCKS},
    AssignedPlace, AssignedTranslation, CommitmentInstructions, TranslatedSet, MAX_PLACES,
};
use crate::hash::{
    padding::{Message, HALF},
    poseidon::chip,
    sha256::chip::digest_up_to,
    text::Varint,
};
use muster_gates::{chain, power_of_two, vertical, Chips};
use muster_schemes::{
    hash::{poseidon::domain, sha256::Midstate},
    membership::{commitment::CometbftValidators, PublicKey, WEIGHT_BITS},
    signature::ed25519::{self, NAME_DOMAIN},
};

/// Bytes of a key.
const KEY: usize = 32;
/// What is hashed before a key: the prefix of a leaf (RFC 6962, section 2.1), then the tags and lengths of
/// `SimpleValidator.pub_key` and of `PublicKey.ed25519`.
const BEFORE: [u8; 5] = [0, 0x0a, 34, 0x0a, 32];
/// The tag of `SimpleValidator.voting_power`.
const POWER: u8 = 0x10;
/// The greatest power that a set can hold.
const MOST: u64 = (1 << WEIGHT_BITS) - 1;
/// Bytes of that as a varint.
const MOST_BYTES: usize = 9;
/// Bytes of a leaf at most, and its halves.
const BOUND: usize = BEFORE.len() + KEY + 1 + MOST_BYTES;
const HALVES: usize = BOUND.div_ceil(HALF);

const _: () = {
    assert!(WEIGHT_BITS as usize <= 7 * MOST_BYTES, "nine bytes are enough");
    // The key ends within the last half, and so does the power.
    assert!(BEFORE.len() + KEY > HALF * (HALVES - 1) && BOUND <= HALF * HALVES);
};

impl CommitmentInstructions for CometbftValidators {
    const KEY_BYTES: usize = KEY;
    const MAX_PLACES: usize = MAX_PLACES;
    const SEATS: bool = false;
    const KECCAK: bool = false;

    /// A block for each leaf, and two for each node above.
    fn sha256_chains(places: usize) -> Vec<(usize, usize)> {
        vec![(places, 1), (places.saturating_sub(1), NODE_BLOCKS)]
    }

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        Some(key.of::<ed25519::PublicKey>()?.to_bytes().to_vec())
    }

    fn assert_translates(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedTranslation,
        set: &TranslatedSet<'_>,
        keys: &[Vec<u8>],
    ) {
        assert_eq!(keys.len(), set.capacity, "a key a place");
        let places = distinct_members(ctx, chips, claim, set);
        assert_eq!(chips.range.rounded(8), 8, "whole limbs have no bits to spare");
        let leaves = places.iter().zip(keys).map(|(place, key)| leaf(ctx, chips, place, key));
        let leaves: Vec<_> = leaves.collect();
        let used: Vec<_> = places.iter().map(|place| place.used).collect();
        let root = root(ctx, chips, leaves, &used);
        for (half, claimed) in root.iter().zip(&claim.commitment) {
            vertical::assert_equal(ctx, half, claimed);
        }
    }
}

/// The hash of a validator's leaf, whose key has the name in the place and whose power is the weight there. Of a place that is
/// not used it says nothing but that it weighs nothing: no hash over it reaches the root.
fn leaf(ctx: &mut Context<Fr>, chips: &Chips, place: &AssignedPlace, key: &[u8]) -> Digest {
    let [zero, one] = [Fr::zero(), Fr::one()].map(Constant);
    let used = Existing(place.used.cell());
    let weight = Existing(place.weight);
    chain::assert_sum(ctx, zero, &[(used, weight)], weight);
    let bytes: Vec<_> =
        key.iter().map(|byte| chips.range.check(Witness(Fr::from(u64::from(*byte))), 8)).collect();
    let name = name(ctx, chips, &bytes);
    let named = (used, Existing(name));
    chain::assert_sum(ctx, zero, &[named], Existing(place.name));
    let value = fe_to_biguint(place.weight.value()).to_u64().unwrap_or_default();
    let power = Varint::new(ctx, chips, value.min(MOST), MOST);
    let number = power.value(ctx);
    vertical::assert_equal(ctx, &number, &place.weight);
    let power = power.behind(ctx, &[POWER]);
    let mut halves = vec![];
    for half in 0..HALVES {
        let mut constant = Fr::zero();
        let mut terms = vec![];
        for place in 0..HALF {
            let at = HALF * half + place;
            let factor = power_of_two(8 * (HALF - 1 - place));
            if let Some(byte) = BEFORE.get(at) {
                constant += Fr::from(u64::from(*byte)) * factor;
            } else if let Some(byte) = bytes.get(at - BEFORE.len()) {
                terms.push((Existing(*byte), Constant(factor)));
            }
        }
        if half + 1 == HALVES {
            // The string of the power ends where the leaf may end at most.
            let end = power_of_two(8 * (HALF * HALVES - BOUND));
            terms.push((Existing(power.cell()), Constant(end)));
        }
        halves.push(chain::sum(ctx, Constant(constant), &terms));
    }
    let before = Constant(Fr::from((BEFORE.len() + KEY) as u64));
    let length = chain::sum(ctx, before, &[(one, Existing(power.length()))]);
    let message = Message { halves: &halves, length, bound: BOUND };
    digest_up_to(ctx, chips, &Midstate::START, message)
}

/// The name of the key of these bytes, the twin of [`ed25519::PublicKey::name`].
fn name(ctx: &mut Context<Fr>, chips: &Chips, bytes: &[AssignedValue<Fr>]) -> AssignedValue<Fr> {
    let (low, high) = bytes.split_at(KEY / 2);
    let [high, low] = [high, low].map(|half| {
        let places = half.iter().enumerate().skip(1);
        let terms = places.map(|(i, byte)| (Existing(*byte), Constant(power_of_two(8 * i))));
        Existing(chain::sum(ctx, Existing(half[0]), &terms.collect::<Vec<_>>()))
    });
    let zero = Constant(Fr::zero());
    chip::hash(chips, domain(NAME_DOMAIN), &[high, low, zero, zero, zero]).digest
}
