//! The root of a group of Semaphore: Poseidon over the coordinates of keys of Baby Jubjub.

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    utils::{biguint_to_fe, modulus},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};

use super::{
    distinct_members, tree::root, AssignedPlace, CommitmentInstructions, TranslatedSet, MOST_PLACES,
};
use crate::hash::{padding::HALF, poseidon};
use muster_gates::{chain, power_of_two, vertical, GateContext};
use muster_schemes::{
    curve::edwards::{SubgroupPoint, COEFF_A, COEFF_D},
    membership::{commitment::SemaphoreGroup, PublicKey},
};

/// Bytes of a coordinate.
const COORDINATE: usize = 32;
/// Doublings that leave nothing of small order: the curve has eight times as many points as the subgroup.
const DOUBLINGS: usize = 3;
/// The state of Poseidon with two inputs.
const WIDTH: usize = 3;

/// Coordinates of a point.
pub(super) type Point = [AssignedValue<Fr>; 2];

impl CommitmentInstructions for SemaphoreGroup {
    /// Both coordinates, little-endian, of an eighth of the key.
    const KEY_BYTES: usize = 2 * COORDINATE;
    const MAX_PLACES: usize = MOST_PLACES;

    fn poseidon_width() -> Option<usize> {
        Some(WIDTH)
    }

    fn key(key: &PublicKey) -> Option<Vec<u8>> {
        let eighth = key.of::<SubgroupPoint>()?.to_affine().divide_by_cofactor();
        Some([eighth.x(), eighth.y()].iter().flat_map(PrimeField::to_repr).collect())
    }

    fn assert_translates(ctx: &mut GateContext, set: &TranslatedSet<'_>) {
        let (places, used) = distinct_members(ctx, set);
        let pairs = places.iter().zip(set.keys);
        let leaves = ctx.each(pairs, |ctx, (place, key)| [leaf(ctx, place, key)]);
        let [root] = root(ctx, leaves, &used, node);
        assert_bytes(ctx, root, &set.claim.commitment);
    }
}

/// The hash of the key whose first coordinate is the name in the place. In a place that is not used that is the identity; it weighs
/// nothing, and no hash over its leaf reaches the root.
fn leaf(ctx: &mut GateContext, place: &AssignedPlace, key: &[u8]) -> AssignedValue<Fr> {
    // Everybody weighs 1, and nobody 0.
    vertical::assert_equal(ctx, &place.weight, &place.used.cell());
    let point = key_of_eighth(ctx, key);
    vertical::assert_equal(ctx, &point[0], &place.name);
    node(&mut *ctx, [&[point[0]], &[point[1]]])[0]
}

/// The key of which these are the bytes of an eighth: a point of the subgroup, or the identity.
pub(super) fn key_of_eighth(ctx: &mut Context<Fr>, key: &[u8]) -> Point {
    let mut point = eighth(ctx, key);
    for _ in 0..DOUBLINGS {
        point = double(ctx, &point);
    }
    point
}

/// A point of the curve, of which any eight have the same multiple. Bytes that are no point are refused by the equation; zeros are the identity.
fn eighth(ctx: &mut Context<Fr>, key: &[u8]) -> Point {
    let coordinate = |bytes: &[u8]| {
        let bytes = bytes.try_into().expect("a coordinate has 32 bytes");
        Fr::from_repr(bytes).unwrap_or(Fr::ZERO)
    };
    let (x, y) = key.split_at(COORDINATE);
    let is_empty = key.iter().all(|byte| *byte == 0);
    let point = [coordinate(x), if is_empty { Fr::ONE } else { coordinate(y) }];
    let point = point.map(|coordinate| ctx.load_witness(coordinate));
    let [xx, yy] = squares(ctx, &point);
    // a·x² + y² = 1 + d·x²·y²
    let left = weighed(ctx, &xx, &yy);
    let scaled = scaled(ctx, COEFF_D, &xx);
    let product = (Existing(scaled), Existing(yy));
    chain::assert_sum(ctx, Constant(Fr::ONE), &[product], Existing(left));
    point
}

/// Twice a point of the curve. With `s = a·x² + y² = 1 + d·x²·y²` it is `X·s = 2·x·y` and `Y·(2 - s) = y² - a·x² = s - 2·a·x²`; neither
/// factor is 0 on the curve, since `a` is a square and `d` is none.
fn double(ctx: &mut Context<Fr>, point: &Point) -> Point {
    let zero = Constant(Fr::ZERO);
    let [xx, yy] = squares(ctx, point);
    let s = weighed(ctx, &xx, &yy);
    let [x, y] = point.map(Existing);
    let product = chain::sum(ctx, zero, &[(x, y)]);
    let over = |above: Fr, below: Fr| above * below.invert().unwrap_or(Fr::ZERO);
    let two = Fr::from(2);
    let new_x = ctx.load_witness(over(two * product.value(), *s.value()));
    let twice = scaled(ctx, 2, &product);
    chain::assert_sum(ctx, zero, &[(Existing(new_x), Existing(s))], Existing(twice));
    let difference = (Constant(-two * Fr::from(COEFF_A)), Existing(xx));
    let above = chain::sum(ctx, Existing(s), &[difference]);
    let below = chain::sum(ctx, Constant(two), &[(Constant(-Fr::ONE), Existing(s))]);
    let new_y = ctx.load_witness(over(*above.value(), *below.value()));
    chain::assert_sum(ctx, zero, &[(Existing(new_y), Existing(below))], Existing(above));
    [new_x, new_y]
}

fn squares(ctx: &mut Context<Fr>, point: &Point) -> Point {
    let factors = point.map(Existing);
    factors.map(|factor| chain::sum(ctx, Constant(Fr::ZERO), &[(factor, factor)]))
}

/// `a·x² + y²`.
fn weighed(
    ctx: &mut Context<Fr>,
    xx: &AssignedValue<Fr>,
    yy: &AssignedValue<Fr>,
) -> AssignedValue<Fr> {
    let term = (Constant(Fr::from(COEFF_A)), Existing(*xx));
    chain::sum(ctx, Existing(*yy), &[term])
}

fn scaled(ctx: &mut Context<Fr>, by: u64, value: &AssignedValue<Fr>) -> AssignedValue<Fr> {
    let term = (Constant(Fr::from(by)), Existing(*value));
    chain::sum(ctx, Constant(Fr::ZERO), &[term])
}

/// circomlib's Poseidon of two elements.
pub(super) fn node(
    ctx: &mut GateContext,
    [[left], [right]]: [&[AssignedValue<Fr>; 1]; 2],
) -> [AssignedValue<Fr>; 1] {
    [poseidon::hash(ctx.chips, Fr::ZERO, &[Existing(*left), Existing(*right)]).digest]
}

/// Constrains the halves to be those of the element's canonical bytes. Complete except for the share `2^-125` of the field whose
/// first half is the prime's: an element is a hash.
pub(super) fn assert_bytes(
    ctx: &mut GateContext,
    element: AssignedValue<Fr>,
    [high, low]: &[AssignedValue<Fr>; 2],
) {
    let bits = 8 * HALF;
    assert_eq!(ctx.range.rounded(bits), bits, "whole limbs have no bits to spare");
    for half in [high, low] {
        ctx.range.check(Existing(*half), bits);
    }
    // Both are below `2^128`, so their sum does not wrap, and the first half is below the prime's.
    let largest: Fr = biguint_to_fe(&((modulus::<Fr>() >> bits) - 1u8));
    let room = ctx.range.check(Witness(largest - high.value()), bits);
    let one = Constant(Fr::ONE);
    chain::assert_sum(ctx, Existing(room), &[(one, Existing(*high))], Constant(largest));
    let upper = (Constant(power_of_two(bits)), Existing(*high));
    chain::assert_sum(ctx, Existing(*low), &[upper], Existing(element));
}
