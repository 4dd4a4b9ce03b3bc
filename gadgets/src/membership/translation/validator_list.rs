//! The next validators of Aptos or Sui, by their keys and powers.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;

use super::{
    assert_counted, assert_first, points, CommitmentInstructions, TranslatedSet, MAX_PLACES,
};
use crate::{
    field::foreign::halves::below,
    hash::{
        padding::{Message, HALF},
        sha256::digest_up_to,
    },
    membership::tree::{whole_key_set, AssignedWhole},
    signature::bls::member::{assign_entry, assign_name, CiphersuiteChip, Elements},
};
use muster_gates::{chain, foreign::Equation, power_of_two, small::Bit, vertical, GateContext};
use muster_schemes::{
    hash::sha256::native::{Midstate, BLOCK},
    membership::{
        commitment::{AptosValidators, ConstantKey, Listed, SuiValidators, ValidatorList},
        PublicKey,
    },
};

/// Bytes of a power, and of what a half has beside one.
const POWER: usize = 8;
/// Bits of that, and of a byte.
const POWER_BITS: usize = 8 * POWER;
const BYTE: usize = 8;
/// Bytes behind a message that end a block: a 1, and the length.
const END: usize = 9;

const _: () = {
    let is_amid = AptosValidators::LEAF % HALF == POWER && SuiValidators::LEAF % HALF == POWER;
    assert!(is_amid && HALF == 2 * POWER, "a member ends amid a half, and two with one");
};

impl<S: Listed + CiphersuiteChip> CommitmentInstructions for ValidatorList<S> {
    const KEY_BYTES: usize = points::key_bytes::<S>();
    const MAX_PLACES: usize = MAX_PLACES;

    /// All members in one message.
    fn sha256_chains(places: usize) -> Vec<(usize, usize)> {
        vec![(1, (Self::LEAF * places + END).div_ceil(BLOCK))]
    }

    fn equations() -> Vec<Equation> {
        points::equations::<S>()
    }

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        points::bytes::<S>(key)
    }

    fn assert_translates(ctx: &mut GateContext, set: &TranslatedSet<'_>) {
        let &TranslatedSet { ref claim, leaves, keys, whole, arity, depth } = set;
        let capacity = keys.len();
        assert!((1..=MAX_PLACES).contains(&capacity), "there are places, and not too many");
        let whole = AssignedWhole::open(ctx, claim.key_set_root, whole);
        let opened = whole_key_set(ctx, S::LEAF, leaves, (arity, depth));
        vertical::assert_equal(ctx, &opened.root, &whole.tree);
        assert!(opened.entries.len() >= capacity, "the leaves have all places");
        let (held, beyond) = opened.entries.split_at(capacity);
        points::assert_nobody(ctx, beyond);
        let is_there = |held: &Vec<AssignedValue<Fr>>| u64::from(*held[0].value() != -Fr::one());
        let used = used(ctx, &held.iter().map(is_there).collect::<Vec<_>>());
        let unused = ConstantKey::<S>::generator();
        let weights: Vec<_> = leaves.iter().flat_map(|leaf| &leaf.weights).collect();
        let places = held.iter().zip(&used).zip(keys.iter().zip(weights));
        let places = ctx.each(places, |ctx, ((held, used), (key, weight))| {
            place(ctx, held, *used, &unused, key, *weight)
        });
        assert_counted(ctx, claim, places.iter().map(|place| (place.used, place.weight)));
        vertical::assert_equal(ctx, &claim.members, &whole.members);
        vertical::assert_equal(ctx, &claim.total_weight, &whole.weight);
        assert_sum(ctx, (&places, &unused), whole.key);
        let bytes: Vec<_> = places.into_iter().map(|place| place.bytes).collect();
        let halves = halves(ctx, &bytes);
        let leaf = Constant(Fr::from(Self::LEAF as u64));
        let length = ctx.gate.mul(ctx, claim.members, leaf);
        let message = Message { halves: &halves, length, bound: Self::LEAF * capacity };
        let digest = digest_up_to(ctx, &Midstate::START, message);
        claim.assert_commitment(ctx, &digest);
    }
}

/// A place with its member; the generator and zeros in one that is not used.
#[derive(Clone)]
struct Place<S: CiphersuiteChip> {
    point: Elements<S>,
    used: Bit,
    weight: AssignedValue<Fr>,
    bytes: Bytes,
}

/// Halves of what is hashed.
type Halves = Vec<AssignedValue<Fr>>;

/// What is hashed of a member.
#[derive(Clone)]
pub(super) struct Bytes {
    /// The halves of the compressed key.
    pub(super) key: Halves,
    /// The bytes of the power, as a big-endian integer.
    pub(super) power: AssignedValue<Fr>,
}

/// Whether each place is used: those are the first ones. What a leaf holds of the others is -1, which no part of a member is.
pub(super) fn used(ctx: &mut GateContext, hints: &[u64]) -> Vec<Bit> {
    let used: Vec<_> = ctx.each(hints, |ctx, hint| {
        let bit = ctx.load_witness(Fr::from(*hint));
        Bit::checked(ctx, bit)
    });
    assert_first(ctx, &used);
    used
}

/// The member that the set holds in a place.
fn place<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    held: &[AssignedValue<Fr>],
    bit: Bit,
    unused: &ConstantKey<S>,
    key: &[u8],
    weight: u64,
) -> Place<S> {
    let is_empty = key.iter().all(|byte| *byte == 0);
    let point = if is_empty {
        points::elements::<S>(ctx.chips, &unused.coordinates)
    } else {
        points::point::<S>(ctx.chips, key)
    };
    let entry = assign_entry::<S>(ctx, &point, weight);
    assert!([held.len(), unused.parts.len()] == [entry.elements.len(); 2], "the same parts");
    for ((element, held), unused) in entry.elements.iter().zip(held).zip(&unused.parts) {
        assert_held(ctx, bit, [element, held], unused);
    }
    let power = power(ctx, weight, entry.weight);
    let bytes = points::compressed::<S>(ctx, &point);
    let key = of_used(ctx, bit, bytes.halves());
    Place { point, used: bit, weight: entry.weight, bytes: Bytes { key, power } }
}

/// These halves if a place is used, and zeros if not.
pub(super) fn of_used(ctx: &mut Context<Fr>, bit: Bit, halves: &[AssignedValue<Fr>]) -> Halves {
    let (zero, used) = (Constant(Fr::zero()), Existing(bit.cell()));
    halves.iter().map(|half| chain::sum(ctx, zero, &[(used, Existing(*half))])).collect()
}

/// Constrains an element of a member's entry to be what the leaf holds.
pub(super) fn assert_held(
    ctx: &mut Context<Fr>,
    bit: Bit,
    [element, held]: [&AssignedValue<Fr>; 2],
    unused: &Fr,
) {
    let [one, minus_one] = [Fr::one(), -Fr::one()].map(Constant);
    let used = Existing(bit.cell());
    let product = (used, Existing(*element));
    // In a used place `held = element`, and in others `held = -1`.
    chain::assert_sum(ctx, minus_one, &[product, (one, used)], Existing(*held));
    // In others, too, `element = unused`.
    let terms = [product, (Constant(-*unused), used)];
    chain::assert_sum(ctx, Constant(*unused), &terms, Existing(*element));
}

/// The little-endian bytes of a weight, as a big-endian integer.
pub(super) fn power(
    ctx: &mut GateContext,
    hint: u64,
    weight: AssignedValue<Fr>,
) -> AssignedValue<Fr> {
    let byte = |byte| below(ctx, Witness(Fr::from(u64::from(byte))), BYTE);
    let bytes = hint.to_le_bytes().map(byte);
    let [first, .., last] = bytes;
    let at = |place: usize| Constant(power_of_two(BYTE * place));
    let rest = bytes.iter().enumerate();
    let terms: Vec<_> = rest.clone().skip(1).map(|(i, byte)| (Existing(*byte), at(i))).collect();
    chain::assert_sum(ctx, Existing(first), &terms, Existing(weight));
    let terms = rest.take(POWER - 1).map(|(i, byte)| (Existing(*byte), at(POWER - 1 - i)));
    chain::sum(ctx, Existing(last), &terms.collect::<Vec<_>>())
}

/// Constrains `name` to be that of the sum of the keys in used places. Of all places that is the sum with a generator for each that is not used;
/// one generator more, and what takes them all out is a point even if all places are used.
fn assert_sum<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    (places, generator): (&[Place<S>], &ConstantKey<S>),
    name: AssignedValue<Fr>,
) {
    let mut points: Vec<_> = places.iter().map(|place| place.point.clone()).collect();
    let more = constant::<S>(ctx, generator);
    // With no member, with one, …: at last a generator is taken out, the one more.
    let mut multiples = ConstantKey::<S>::negatives(places.len() + 1);
    multiples.reverse();
    let used: Vec<_> = places.iter().map(|place| place.used).collect();
    let members = used.iter().filter(|used| *used.cell().value() == Fr::one()).count();
    let taken_out = points::elements::<S>(ctx.chips, &multiples[members].coordinates);
    let part = |part: usize| {
        let numbers: Vec<_> = multiples.iter().map(|key| key.parts[part]).collect();
        of_count(ctx, &used, &numbers)
    };
    let expected: Vec<_> = (0..generator.parts.len()).map(part).collect();
    assert_parts::<S>(ctx, &taken_out, &expected);
    points.extend([more, taken_out]);
    let sum = points::sum::<S>(ctx.chips, &points);
    // Of the bytes only that they are those of a point with coordinates below the prime, which has one name.
    points::compressed::<S>(ctx, &sum);
    let found = assign_name::<S>(ctx, &sum);
    vertical::assert_equal(ctx, &found, &name);
}

/// A point with these coordinates.
pub(super) fn constant<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    key: &ConstantKey<S>,
) -> Elements<S> {
    let point = points::elements::<S>(ctx.chips, &key.coordinates);
    let parts: Vec<_> = key.parts.iter().map(|part| vertical::load_constant(ctx, *part)).collect();
    assert_parts::<S>(ctx, &point, &parts);
    point
}

/// The number that goes with how many bits are 1, which are the first ones: with none, with one, …
pub(super) fn of_count(ctx: &mut Context<Fr>, used: &[Bit], numbers: &[Fr]) -> AssignedValue<Fr> {
    let changes = used.iter().zip(numbers.windows(2));
    let changes = changes.map(|(bit, two)| (Existing(bit.cell()), Constant(two[1] - two[0])));
    chain::sum(ctx, Constant(numbers[0]), &changes.collect::<Vec<_>>())
}

/// Constrains a point to have the coordinates of which these are the parts.
pub(super) fn assert_parts<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    point: &Elements<S>,
    parts: &[AssignedValue<Fr>],
) {
    let entry = assign_entry::<S>(ctx, point, 0);
    for (element, part) in entry.elements.iter().zip(parts) {
        vertical::assert_equal(ctx, element, part);
    }
}

/// All members' bytes. The power of each first one of two ends amid a half.
pub(super) fn halves(ctx: &mut GateContext, members: &[Bytes]) -> Halves {
    let pairs = members.chunks_exact(2);
    let alone = pairs.remainder();
    let shift = Constant(power_of_two(POWER_BITS));
    let halves = ctx.each(pairs, |ctx, pair| {
        let mut halves = pair[0].key.clone();
        let mut before = pair[0].power;
        for half in &pair[1].key {
            let [upper, lower] = cut(ctx, *half);
            halves.push(chain::sum(ctx, Existing(upper), &[(Existing(before), shift)]));
            before = lower;
        }
        let last = Existing(pair[1].power);
        halves.push(chain::sum(ctx, last, &[(Existing(before), shift)]));
        halves
    });
    let mut halves = halves.concat();
    for member in alone {
        halves.extend(&member.key);
        let power = (Existing(member.power), shift);
        halves.push(chain::sum(ctx, Constant(Fr::zero()), &[power]));
    }
    halves
}

/// The first and the last eight bytes of a half.
pub(super) fn cut(ctx: &mut GateContext, half: AssignedValue<Fr>) -> [AssignedValue<Fr>; 2] {
    let value = fe_to_biguint(half.value());
    let low = &value % (BigUint::from(1u8) << POWER_BITS);
    let parts = [value >> POWER_BITS, low].map(|part| Witness(biguint_to_fe(&part)));
    let [upper, lower] = parts.map(|part| below(ctx, part, POWER_BITS));
    let shifted = (Existing(upper), Constant(power_of_two(POWER_BITS)));
    chain::assert_sum(ctx, Existing(lower), &[shifted], Existing(half));
    [upper, lower]
}

const _: () = assert!(2 * POWER_BITS < Fr::CAPACITY as usize, "no half wraps");
