//! Binary trees over any number of leaves up to a bound: that of RFC 6962, section 2.1, and others of the same form.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};

use crate::hash::{padding::HALF, sha256::digest_of_blocks};
use muster_gates::{chain, power_of_two, small::Bit, GateContext};

/// Bits of a byte.
const BYTE: usize = 8;
/// Blocks of SHA-256 that a node takes, and halves of one.
pub(super) const NODE_BLOCKS: usize = 2;
const BLOCK_HALVES: usize = 4;
/// Bytes of what a node hashes: its prefix, and two hashes.
const NODE: u64 = 65;

/// The first and the last 16 bytes of a hash.
pub(super) type Digest = [AssignedValue<Fr>; 2];

/// The hash of two children, the left one first; each hash has as many cells.
pub(super) type Node<const CELLS: usize> =
    fn(&mut GateContext, [&[AssignedValue<Fr>; CELLS]; 2]) -> [AssignedValue<Fr>; CELLS];

/// The root over the leaves whose bits are 1. These are the first ones; there is at least one.
///
/// The RFC splits a list of leaves at the greatest power of two below its length. So the nodes of a level are the hashes of
/// neighbours on the level below, and one that has no neighbour to its right moves up as it is. Node `i` of level `l` has a
/// right child if leaf `(2i + 1)·2^(l - 1)` is there.
pub(super) fn root<const CELLS: usize>(
    ctx: &mut GateContext,
    leaves: Vec<[AssignedValue<Fr>; CELLS]>,
    used: &[Bit],
    node: Node<CELLS>,
) -> [AssignedValue<Fr>; CELLS] {
    let mut level = leaves;
    let mut width = 1;
    while level.len() > 1 {
        let pairs = level.chunks_exact(2);
        let alone = pairs.remainder();
        let hash = |ctx: &mut GateContext, (i, pair): (usize, &[[AssignedValue<Fr>; CELLS]])| {
            let (left, hash) = (pair[0], node(ctx, [&pair[0], &pair[1]]));
            let is_there = used[(2 * i + 1) * width].cell();
            std::array::from_fn(|half| ctx.gate.select(ctx, hash[half], left[half], is_there))
        };
        let mut parents = ctx.each(pairs.enumerate(), hash);
        parents.extend(alone);
        level = parents;
        width *= 2;
    }
    level[0]
}

/// `SHA-256(1 ‖ left ‖ right)`: two blocks, of which the second has one byte of the message.
pub(super) fn rfc6962_node(ctx: &mut GateContext, children: [&Digest; 2]) -> Digest {
    let hinted = |half: AssignedValue<Fr>| {
        let value = fe_to_biguint(half.value());
        (half, [&value >> BYTE, value % (1u32 << BYTE)].map(|part| biguint_to_fe(&part)))
    };
    node_of_hints(ctx, children.map(|child| child.map(hinted)))
}

/// The same with hints of each half without its last byte, and of that byte.
pub(super) fn node_of_hints(
    ctx: &mut GateContext,
    children: [[(AssignedValue<Fr>, [Fr; 2]); 2]; 2],
) -> Digest {
    let top = BYTE * (HALF - 1);
    let mut before = Constant(Fr::one());
    let mut halves = vec![];
    for (half, hint) in children.into_iter().flatten() {
        let Cut { rest, last } = cut(ctx, half, hint);
        let place = Constant(power_of_two(top));
        halves.push(Existing(chain::sum(ctx, Existing(rest), &[(before, place)])));
        before = Existing(last);
    }
    // The last byte, and the bit that follows a message.
    let end = Constant(power_of_two(top - 1));
    halves.push(Existing(chain::sum(ctx, end, &[(before, Constant(power_of_two(top)))])));
    halves.resize(NODE_BLOCKS * BLOCK_HALVES - 1, Constant(Fr::zero()));
    halves.push(Constant(Fr::from(BYTE as u64 * NODE)));
    digest_of_blocks(ctx, &halves)
}

/// A half without its last byte, and that byte.
struct Cut {
    rest: AssignedValue<Fr>,
    last: AssignedValue<Fr>,
}

/// `half = 256·rest + last`. The last byte is checked to be one, but the rest to be nothing: it is
/// added to the byte before it, times `2^120`, and whoever hashes the sum shows it to be below `2^128`. So the rest lies between
/// `-2^128` and `2^128`, nothing wraps, and both are quotient and remainder of integers.
fn cut(ctx: &mut GateContext, half: AssignedValue<Fr>, hint: [Fr; 2]) -> Cut {
    assert_eq!(ctx.range.rounded(BYTE), BYTE, "whole limbs have no bits to spare");
    let [rest, last] = hint;
    let last = ctx.range.check(Witness(last), BYTE);
    let rest = ctx.load_witness(rest);
    let bytes = (Existing(rest), Constant(power_of_two(BYTE)));
    chain::assert_sum(ctx, Existing(last), &[bytes], Existing(half));
    Cut { rest, last }
}

const _: () = assert!(8 * HALF + BYTE + 2 < Fr::CAPACITY as usize, "no half wraps");
