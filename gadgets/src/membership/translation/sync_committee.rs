//! The hash tree root of a sync committee, whose keys are points of BLS12-381.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    QuantumCell::{Constant, Existing},
};

use super::{points, tree::Digest, CommitmentInstructions, TranslatedSet};
use crate::{
    hash::{padding::HALF, sha256::digest},
    membership::tree::{whole_key_set, AssignedWhole},
    signature::bls::member::{assign_entry, assign_name, Elements},
};
use muster_gates::{foreign::Equation, vertical, GateContext};
use muster_schemes::{
    hash::sha256::Midstate,
    membership::{
        commitment::{SyncCommittee, SYNC_COMMITTEE_LEAF},
        PublicKey,
    },
    signature::bls::{member::Possession, MinPkPopBls12381},
};

/// Blocks of SHA-256 that 64 bytes take: a leaf and a node alike.
const BLOCKS: usize = 2;

/// A key's point.
type Point = Elements<MinPkPopBls12381>;

const _: () = assert!(SYNC_COMMITTEE_LEAF == 3 * HALF, "the fourth half of a leaf is 0");

impl CommitmentInstructions for SyncCommittee {
    const KEY_BYTES: usize = points::key_bytes::<MinPkPopBls12381>();
    const MAX_PLACES: usize = 512;
    const SEATS: bool = true;

    /// A hash for each key and one for their sum; the nodes above the keys, and the root.
    fn sha256_chains(places: usize) -> Vec<(usize, usize)> {
        vec![(2 * places + 1, BLOCKS)]
    }

    fn equations() -> Vec<Equation> {
        points::equations::<MinPkPopBls12381>()
    }

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        points::bytes::<MinPkPopBls12381>(key)
    }

    fn assert_translates(ctx: &mut GateContext, set: &TranslatedSet<'_>) {
        let seats = set.keys.len();
        assert!(seats.is_power_of_two() && seats <= Self::MAX_PLACES, "all places are seats");
        let point = |key: &Vec<u8>| points::point::<MinPkPopBls12381>(ctx.chips, key);
        let points: Vec<_> = set.keys.iter().map(point).collect();
        let sum = points::sum::<MinPkPopBls12381>(ctx.chips, &points);
        assert_held(ctx, set, (&points, &sum));
        let leaves = points.iter().map(|point| leaf(ctx, point)).collect();
        let seats = root(ctx, leaves);
        let sum = leaf(ctx, &sum);
        let root = node(ctx, &seats, &sum);
        set.claim.assert_commitment(ctx, &root);
    }
}

/// Constrains the set with the claimed root to hold these keys and no others, each with a weight of 1, and their sum.
fn assert_held(ctx: &mut GateContext, set: &TranslatedSet<'_>, (points, sum): (&[Point], &Point)) {
    let &TranslatedSet { ref claim, leaves, keys, whole, arity, depth } = set;
    let whole = AssignedWhole::open(ctx, claim.key_set_root, whole);
    let count = vertical::load_constant(ctx, Fr::from(keys.len() as u64));
    for number in [claim.members, claim.total_weight, whole.members, whole.weight] {
        vertical::assert_equal(ctx, &number, &count);
    }
    let name = assign_name::<MinPkPopBls12381>(ctx, sum);
    vertical::assert_equal(ctx, &name, &whole.key);
    let opened = whole_key_set(ctx, MinPkPopBls12381::LEAF, leaves, (arity, depth));
    vertical::assert_equal(ctx, &opened.root, &whole.tree);
    assert!(opened.entries.len() >= keys.len(), "the leaves have all places");
    let (seats, beyond) = opened.entries.split_at(keys.len());
    let one = vertical::load_constant(ctx, Fr::one());
    for (point, seat) in points.iter().zip(seats) {
        let entry = assign_entry::<MinPkPopBls12381>(ctx, point, 1);
        vertical::assert_equal(ctx, &entry.weight, &one);
        for (element, held) in entry.elements.iter().zip(seat) {
            vertical::assert_equal(ctx, element, held);
        }
    }
    points::assert_nobody(ctx, beyond);
}

/// The hash tree root of a key: its 48 bytes, with 16 zeros behind them. It constrains the key to be a point of the curve with
/// canonical coordinates.
fn leaf(ctx: &mut GateContext, point: &Point) -> Digest {
    let bytes = points::compressed::<MinPkPopBls12381>(ctx, point);
    let mut halves: Vec<_> = bytes.halves().iter().copied().map(Existing).collect();
    halves.push(Constant(Fr::zero()));
    digest(ctx, &Midstate::START, &halves)
}

/// The root over leaves, as many as a power of two.
fn root(ctx: &mut GateContext, leaves: Vec<Digest>) -> Digest {
    let mut level = leaves;
    while let [_, _, ..] = level[..] {
        level = level.chunks(2).map(|pair| node(ctx, &pair[0], &pair[1])).collect();
    }
    level[0]
}

/// `SHA-256(left ‖ right)`.
fn node(ctx: &mut GateContext, left: &Digest, right: &Digest) -> Digest {
    let halves: Vec<_> = left.iter().chain(right).copied().map(Existing).collect();
    digest(ctx, &Midstate::START, &halves)
}
