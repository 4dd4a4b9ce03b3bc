//! The validators of Aptos' next epoch, by their keys and powers.

use std::sync::LazyLock;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;

use super::{
    points::{self, Point, Suite},
    AssignedTranslation, CommitmentInstructions, TranslatedSet, MAX_PLACES,
};
use crate::{
    curve::pairing::chip::AssignedCompressed,
    field::foreign::halves::below,
    hash::{
        padding::{Message, HALF},
        sha256::chip::digest_up_to,
    },
    membership::chip::{whole_key_set, AssignedWhole},
    signature::bls::member::{assign_entry, assign_name},
};
use muster_gates::{chain, foreign::Equation, power_of_two, small::Bit, vertical, Chips};
use muster_schemes::{
    hash::sha256::native::{Midstate, BLOCK},
    membership::{
        commitment::{AptosValidators, APTOS_LEAF},
        PublicKey,
    },
    signature::bls::{
        member::{key::parts, Possession},
        Ciphersuite, SecretKey,
    },
};

/// Halves of a compressed key.
const KEY_HALVES: usize = 3;
/// Bytes of a power, and of what a half has beside one.
const POWER: usize = 8;
/// Bits of that, and of a byte.
const POWER_BITS: usize = 8 * POWER;
const BYTE: usize = 8;
/// Bytes behind a message that end a block: a 1, and the length.
const END: usize = 9;

const _: () = {
    assert!(APTOS_LEAF == KEY_HALVES * HALF + POWER, "a member ends amid a half");
    assert!(HALF == 2 * POWER, "two members end with one");
};

/// A point that is a constant, and what a leaf holds of it.
struct Fixed {
    numbers: [BigUint; 2],
    /// The elements of its entry with the weight 0.
    parts: Vec<Fr>,
}

impl Fixed {
    /// `-times·G`, where `times` is not 0.
    fn opposite(times: usize) -> Self {
        type Scalar = <Suite as Ciphersuite>::Scalar;
        Self::of(-Scalar::from(times as u64))
    }

    fn of(scalar: <Suite as Ciphersuite>::Scalar) -> Self {
        let secret = SecretKey::<Suite>::from_scalar(&scalar).expect("below the order, and not 0");
        let numbers = Suite::key_coordinates(secret.public_key().point());
        Self { parts: parts::<Suite>(&numbers), numbers }
    }
}

/// The generator `G`, which unused places hold.
static UNUSED: LazyLock<Fixed> =
    LazyLock::new(|| Fixed::of(<Suite as Ciphersuite>::Scalar::from(1)));
/// `-G`, `-2·G`, …: what takes so many unused places out of a sum.
static TAKEN_OUT: LazyLock<Vec<Fixed>> =
    LazyLock::new(|| (1..=MAX_PLACES + 1).map(Fixed::opposite).collect());

impl CommitmentInstructions for AptosValidators {
    /// Both coordinates, `x` first, big-endian.
    const KEY_BYTES: usize = points::KEY_BYTES;
    const MAX_PLACES: usize = MAX_PLACES;
    const SEATS: bool = false;
    const KECCAK: bool = false;

    /// All members in one message.
    fn sha256_chains(places: usize) -> Vec<(usize, usize)> {
        vec![(1, (APTOS_LEAF * places + END).div_ceil(BLOCK))]
    }

    fn equations() -> Vec<Equation> {
        points::equations()
    }

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        points::bytes(key)
    }

    fn assert_translates(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedTranslation,
        set: &TranslatedSet<'_>,
        keys: &[Vec<u8>],
    ) {
        let &TranslatedSet { leaves, whole, arity, depth, capacity } = set;
        assert!((1..=MAX_PLACES).contains(&capacity), "there are places, and not too many");
        assert_eq!(keys.len(), capacity, "a key a place");
        let whole = AssignedWhole::open(ctx, chips, claim.key_set_root, whole);
        let opened = whole_key_set(chips, Suite::LEAF, leaves, (arity, depth));
        vertical::assert_equal(ctx, &opened.root, &whole.tree);
        assert!(opened.entries.len() >= capacity, "the leaves have all places");
        let (held, beyond) = opened.entries.split_at(capacity);
        points::assert_nobody(ctx, beyond);
        let used = used(ctx, chips, held);
        let weights: Vec<_> = leaves.iter().flat_map(|leaf| &leaf.weights).collect();
        let places = held.iter().zip(&used).zip(keys.iter().zip(weights));
        let places = chips.each(ctx, places, |ctx, ((held, used), (key, weight))| {
            place(ctx, chips, (held, *used), (key, *weight))
        });
        let counted = [claim.members, claim.total_weight];
        assert_counted(ctx, &places, counted, [whole.members, whole.weight]);
        assert_sum(ctx, chips, &places, whole.key);
        let halves = halves(ctx, chips, &places);
        let length = Constant(Fr::from(APTOS_LEAF as u64));
        let length = chips.gate.mul(ctx, claim.members, length);
        let message = Message { halves: &halves, length, bound: APTOS_LEAF * capacity };
        let digest = digest_up_to(ctx, chips, &Midstate::START, message);
        for (half, claimed) in digest.iter().zip(&claim.commitment) {
            vertical::assert_equal(ctx, half, claimed);
        }
    }
}

/// A place with its member; the generator and zeros in one that is not used.
#[derive(Clone)]
struct Place {
    point: Point,
    used: Bit,
    weight: AssignedValue<Fr>,
    /// The compressed key.
    key: [AssignedValue<Fr>; KEY_HALVES],
    /// The bytes of the power, as a big-endian integer.
    power: AssignedValue<Fr>,
}

/// Whether each place is used: those are the first ones. What a leaf holds of the others is -1, which no part of a member is.
fn used(ctx: &mut Context<Fr>, chips: &Chips, held: &[Vec<AssignedValue<Fr>>]) -> Vec<Bit> {
    let used: Vec<_> = chips.each(ctx, held, |ctx, elements| {
        let is_there = *elements[0].value() != -Fr::one();
        let bit = ctx.load_witness(Fr::from(u64::from(is_there)));
        Bit::checked(ctx, &chips.gate, bit)
    });
    chips.each(ctx, used.windows(2), |ctx, pair| {
        let [before, behind] = [0, 1].map(|i| Existing(pair[i].cell()));
        chain::assert_sum(ctx, Constant(Fr::zero()), &[(before, behind)], behind);
    });
    used
}

/// The member that the set holds in a place.
fn place(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    (held, bit): (&[AssignedValue<Fr>], Bit),
    (key, weight): (&[u8], u64),
) -> Place {
    let is_empty = key.iter().all(|byte| *byte == 0);
    let point = if is_empty {
        points::of_numbers(chips, &UNUSED.numbers)
    } else {
        points::point(chips, key)
    };
    let entry = assign_entry::<Suite>(ctx, chips, &point, weight);
    let [zero, one, minus_one] = [Fr::zero(), Fr::one(), -Fr::one()].map(Constant);
    let used = Existing(bit.cell());
    for ((element, held), unused) in entry.elements.iter().zip(held).zip(&UNUSED.parts) {
        let product = (used, Existing(*element));
        // In a used place `held = element`, and in others `held = -1`.
        chain::assert_sum(ctx, minus_one, &[product, (one, used)], Existing(*held));
        // In others, too, `element = unused`.
        let terms = [product, (Constant(-*unused), used)];
        chain::assert_sum(ctx, Constant(*unused), &terms, Existing(*element));
    }
    let power = power(ctx, chips, weight, entry.weight);
    let bytes = AssignedCompressed::of(ctx, chips, &point);
    let key = bytes.halves().map(|half| chain::sum(ctx, zero, &[(used, Existing(half))]));
    Place { point, used: bit, weight: entry.weight, key, power }
}

/// The little-endian bytes of a weight, as a big-endian integer.
fn power(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    hint: u64,
    weight: AssignedValue<Fr>,
) -> AssignedValue<Fr> {
    let byte = |byte| below(ctx, chips, Witness(Fr::from(u64::from(byte))), BYTE);
    let bytes = hint.to_le_bytes().map(byte);
    let [first, .., last] = bytes;
    let at = |place: usize| Constant(power_of_two(BYTE * place));
    let rest = bytes.iter().enumerate();
    let terms: Vec<_> = rest.clone().skip(1).map(|(i, byte)| (Existing(*byte), at(i))).collect();
    chain::assert_sum(ctx, Existing(first), &terms, Existing(weight));
    let terms = rest.take(POWER - 1).map(|(i, byte)| (Existing(*byte), at(POWER - 1 - i)));
    chain::sum(ctx, Existing(last), &terms.collect::<Vec<_>>())
}

/// Constrains the number of used places and the sum of all weights to be as claimed, and as the root says. There are at most `2^8`
/// of them, each below `2^61`, so neither sum wraps.
fn assert_counted(
    ctx: &mut Context<Fr>,
    places: &[Place],
    claimed: [AssignedValue<Fr>; 2],
    held: [AssignedValue<Fr>; 2],
) {
    let [zero, one] = [Fr::zero(), Fr::one()].map(Constant);
    let used: Vec<_> = places.iter().map(|place| (one, Existing(place.used.cell()))).collect();
    chain::assert_sum(ctx, zero, &used, Existing(claimed[0]));
    let weights: Vec<_> = places.iter().map(|place| (one, Existing(place.weight))).collect();
    chain::assert_sum(ctx, zero, &weights, Existing(claimed[1]));
    for (claimed, held) in claimed.iter().zip(&held) {
        vertical::assert_equal(ctx, claimed, held);
    }
}

/// Constrains `name` to be that of the sum of the keys in used places. Of all places that is the sum with a generator for each that is not used;
/// one generator more, and what takes them all out is a point even if all places are used.
fn assert_sum(ctx: &mut Context<Fr>, chips: &Chips, places: &[Place], name: AssignedValue<Fr>) {
    let mut points: Vec<_> = places.iter().map(|place| place.point.clone()).collect();
    let more = points::of_numbers(chips, &UNUSED.numbers);
    let unused: Vec<_> =
        UNUSED.parts.iter().map(|part| vertical::load_constant(ctx, *part)).collect();
    assert_parts(ctx, chips, &more, &unused);
    let members = places.iter().filter(|place| *place.used.cell().value() == Fr::one()).count();
    let taken_out = points::of_numbers(chips, &TAKEN_OUT[places.len() - members].numbers);
    // With all places unused, and what each used one changes.
    let of = |members: usize, part: usize| TAKEN_OUT[places.len() - members].parts[part];
    let part = |part: usize| {
        let change = |(before, place): (usize, &Place)| {
            let by = of(before + 1, part) - of(before, part);
            (Existing(place.used.cell()), Constant(by))
        };
        let changes: Vec<_> = places.iter().enumerate().map(change).collect();
        chain::sum(ctx, Constant(of(0, part)), &changes)
    };
    let expected: Vec<_> = (0..UNUSED.parts.len()).map(part).collect();
    assert_parts(ctx, chips, &taken_out, &expected);
    points.extend([more, taken_out]);
    let sum = points::sum(chips, &points);
    // Of the bytes only that they are those of a point with coordinates below the prime, which has one name.
    AssignedCompressed::of(ctx, chips, &sum);
    let found = assign_name::<Suite>(ctx, chips, &sum);
    vertical::assert_equal(ctx, &found, &name);
}

/// Constrains a point to have the coordinates of which these are the parts.
fn assert_parts(ctx: &mut Context<Fr>, chips: &Chips, point: &Point, parts: &[AssignedValue<Fr>]) {
    let entry = assign_entry::<Suite>(ctx, chips, point, 0);
    for (element, part) in entry.elements.iter().zip(parts) {
        vertical::assert_equal(ctx, element, part);
    }
}

/// All members' bytes. Two of them are seven halves: the power of the first one ends amid the fourth.
fn halves(ctx: &mut Context<Fr>, chips: &Chips, places: &[Place]) -> Vec<AssignedValue<Fr>> {
    let pairs = places.chunks_exact(2);
    let alone = pairs.remainder();
    let shift = Constant(power_of_two(POWER_BITS));
    let halves = chips.each(ctx, pairs, |ctx, pair| {
        let mut halves = pair[0].key.to_vec();
        let mut before = pair[0].power;
        for half in &pair[1].key {
            let [upper, lower] = cut(ctx, chips, *half);
            halves.push(chain::sum(ctx, Existing(upper), &[(Existing(before), shift)]));
            before = lower;
        }
        let last = Existing(pair[1].power);
        halves.push(chain::sum(ctx, last, &[(Existing(before), shift)]));
        halves
    });
    let mut halves = halves.concat();
    for place in alone {
        halves.extend(place.key);
        let power = (Existing(place.power), shift);
        halves.push(chain::sum(ctx, Constant(Fr::zero()), &[power]));
    }
    halves
}

/// The first and the last eight bytes of a half.
fn cut(ctx: &mut Context<Fr>, chips: &Chips, half: AssignedValue<Fr>) -> [AssignedValue<Fr>; 2] {
    let value = fe_to_biguint(half.value());
    let low = &value % (BigUint::from(1u8) << POWER_BITS);
    let parts = [value >> POWER_BITS, low].map(|part| Witness(biguint_to_fe(&part)));
    let [upper, lower] = parts.map(|part| below(ctx, chips, part, POWER_BITS));
    let shifted = (Existing(upper), Constant(power_of_two(POWER_BITS)));
    chain::assert_sum(ctx, Existing(lower), &[shifted], Existing(half));
    [upper, lower]
}

const _: () = assert!(2 * POWER_BITS < Fr::CAPACITY as usize, "no half wraps");
