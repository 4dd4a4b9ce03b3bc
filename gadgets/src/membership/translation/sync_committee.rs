//! The hash tree root of a sync committee, whose keys are points of BLS12-381.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};
use halo2curves::bls12_381::G1Affine;
use num_bigint::BigUint;

use super::{AssignedTranslation, CommitmentInstructions, TranslatedSet};
use crate::{
    curve::{
        aggregate::prime::{self, SumEquations},
        pairing::chip::AssignedCompressed,
    },
    field::foreign::integer::{element, Integer},
    hash::{padding::HALF, sha256::chip::digest},
    membership::chip::{whole_key_set, AssignedWhole},
    signature::bls::member::{assign_entry, assign_name, residues, walk},
};
use muster_gates::{foreign::Equation, vertical, Chips};
use muster_schemes::{
    hash::sha256::Midstate,
    membership::{
        commitment::{SyncCommittee, SYNC_COMMITTEE_LEAF},
        PublicKey,
    },
    signature::bls::{
        member::{OwnedKey, Possession},
        MinPkPopBls12381,
    },
};

/// Blocks of SHA-256 that 64 bytes take: a leaf and a node alike.
const BLOCKS: usize = 2;
/// Bytes of a coordinate.
const COORDINATE: usize = 48;
/// Bits of a coordinate, as of an element.
const BITS: usize = 381;

/// A point, whose coordinates are elements.
type Point = prime::Pair;
/// The first and the last 16 bytes of a hash.
type Digest = [AssignedValue<Fr>; 2];

const _: () = assert!(SYNC_COMMITTEE_LEAF == 3 * HALF, "the fourth half of a leaf is 0");

impl CommitmentInstructions for SyncCommittee {
    /// Both coordinates, `x` first, big-endian.
    const KEY_BYTES: usize = 2 * COORDINATE;
    const MAX_PLACES: usize = 512;
    const SEATS: bool = true;
    const KECCAK: bool = false;

    /// A hash for each key and one for their sum; the nodes above the keys, and the root.
    fn sha256_chains(places: usize) -> Vec<(usize, usize)> {
        vec![(2 * places + 1, BLOCKS)]
    }

    fn equations() -> Vec<Equation> {
        let sums = SumEquations::of::<G1Affine>().all();
        [vec![Integer::any()], AssignedCompressed::equations(), sums].concat()
    }

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        let coordinates = key.of::<OwnedKey<MinPkPopBls12381>>()?.coordinates();
        Some(coordinates.iter().flat_map(bytes_of).collect())
    }

    fn assert_translates(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedTranslation,
        set: &TranslatedSet<'_>,
        keys: &[Vec<u8>],
    ) {
        assert!(set.capacity.is_power_of_two() && set.capacity <= Self::MAX_PLACES, "seats");
        assert_eq!(keys.len(), set.capacity, "a key a place");
        let chip = chips.foreign_of(BITS);
        let coordinate = |bytes: &[u8]| element(chip, &number_of(bytes));
        let point = |key: &Vec<u8>| -> Point {
            let (x, y) = key.split_at(COORDINATE);
            [coordinate(x), coordinate(y)]
        };
        let points: Vec<_> = keys.iter().map(point).collect();
        let sum = sum(chips, &points);
        assert_held(ctx, chips, claim, set, (&points, &sum));
        let leaves = points.iter().map(|point| leaf(ctx, chips, point)).collect();
        let seats = root(ctx, chips, leaves);
        let sum = leaf(ctx, chips, &sum);
        let root = node(ctx, chips, &seats, &sum);
        for (half, claimed) in root.iter().zip(&claim.commitment) {
            vertical::assert_equal(ctx, half, claimed);
        }
    }
}

/// The sum of points, which have yet to be shown to be on the curve.
fn sum(chips: &Chips, points: &[Point]) -> Point {
    let equations = SumEquations::of::<G1Affine>();
    // Points without a sum are refused by the constraints.
    let (walk, _) = walk::<MinPkPopBls12381>(chips, &residues::<MinPkPopBls12381>(points));
    prime::sum(chips.foreign_of(BITS), &equations, points, &walk)
}

/// Constrains the set with the claimed root to hold these keys and no others, each with a weight of 1, and their sum.
fn assert_held(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    claim: &AssignedTranslation,
    set: &TranslatedSet<'_>,
    (points, sum): (&[Point], &Point),
) {
    let &TranslatedSet { leaves, whole, arity, depth, capacity } = set;
    let whole = AssignedWhole::open(ctx, chips, claim.key_set_root, whole);
    let count = vertical::load_constant(ctx, Fr::from(capacity as u64));
    for number in [claim.members, claim.total_weight, whole.members, whole.weight] {
        vertical::assert_equal(ctx, &number, &count);
    }
    let name = assign_name::<MinPkPopBls12381>(ctx, chips, sum);
    vertical::assert_equal(ctx, &name, &whole.key);
    let opened = whole_key_set(chips, MinPkPopBls12381::LEAF, leaves, (arity, depth));
    vertical::assert_equal(ctx, &opened.root, &whole.tree);
    assert!(opened.entries.len() >= capacity, "the leaves have all places");
    let (seats, beyond) = opened.entries.split_at(capacity);
    let one = vertical::load_constant(ctx, Fr::one());
    for (point, seat) in points.iter().zip(seats) {
        let entry = assign_entry::<MinPkPopBls12381>(ctx, chips, point, 1);
        vertical::assert_equal(ctx, &entry.weight, &one);
        for (element, held) in entry.elements.iter().zip(seat) {
            vertical::assert_equal(ctx, element, held);
        }
    }
    // What is left of the last leaf has nobody.
    let nobody = vertical::load_constant(ctx, -Fr::one());
    for element in beyond.iter().flatten() {
        vertical::assert_equal(ctx, element, &nobody);
    }
}

/// The hash tree root of a key: its 48 bytes, with 16 zeros behind them. It constrains the key to be a point of the curve with
/// canonical coordinates.
fn leaf(ctx: &mut Context<Fr>, chips: &Chips, point: &Point) -> Digest {
    let bytes = AssignedCompressed::of(ctx, chips, point);
    let [first, second, third] = bytes.halves().map(Existing);
    let halves = [first, second, third, Constant(Fr::zero())];
    digest(ctx, chips, &Midstate::START, &halves)
}

/// The root over leaves, as many as a power of two.
fn root(ctx: &mut Context<Fr>, chips: &Chips, leaves: Vec<Digest>) -> Digest {
    let mut level = leaves;
    while let [_, _, ..] = level[..] {
        level = level.chunks(2).map(|pair| node(ctx, chips, &pair[0], &pair[1])).collect();
    }
    level[0]
}

/// `SHA-256(left ‖ right)`.
fn node(ctx: &mut Context<Fr>, chips: &Chips, left: &Digest, right: &Digest) -> Digest {
    let halves: Vec<_> = left.iter().chain(right).copied().map(Existing).collect();
    digest(ctx, chips, &Midstate::START, &halves)
}

/// The bytes of a coordinate.
fn bytes_of(number: &BigUint) -> [u8; COORDINATE] {
    let bytes = number.to_bytes_be();
    let mut padded = [0; COORDINATE];
    padded[COORDINATE - bytes.len()..].copy_from_slice(&bytes);
    padded
}

/// A coordinate's number, cut to as many bits as elements have.
fn number_of(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_be(bytes) % (BigUint::from(1u8) << BITS)
}
