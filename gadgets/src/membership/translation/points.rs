//! Keys of BLS12-381 that chains hash: points of the first group, and their sums.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};
use halo2curves::bls12_381::G1Affine;
use num_bigint::BigUint;

use crate::{
    curve::{
        aggregate::prime::{self, SumEquations},
        pairing::chip::AssignedCompressed,
    },
    field::foreign::integer::{element, Integer},
    signature::bls::member::{residues, walk},
};
use muster_gates::{foreign::Equation, vertical, Chips};
use muster_schemes::{
    membership::PublicKey,
    signature::bls::{member::OwnedKey, MinPkPopBls12381},
};

/// The scheme of the keys.
pub(super) type Suite = MinPkPopBls12381;
/// A point, whose coordinates are elements.
pub(super) type Point = prime::Pair;

/// Bytes of a coordinate.
const COORDINATE: usize = 48;
/// Bytes of a key: both coordinates, `x` first, big-endian.
pub(super) const KEY_BYTES: usize = 2 * COORDINATE;
/// Bits of a coordinate, as of an element.
const BITS: usize = 381;

/// The equations of points, of their bytes and of sums.
pub(super) fn equations() -> Vec<Equation> {
    let sums = SumEquations::of::<G1Affine>().all();
    [vec![Integer::any()], AssignedCompressed::equations(), sums].concat()
}

/// The bytes of a key; `None` for one of another kind.
pub(super) fn bytes(key: &PublicKey) -> Option<Vec<u8>> {
    let coordinates = key.of::<OwnedKey<Suite>>()?.coordinates();
    Some(coordinates.iter().flat_map(bytes_of).collect())
}

/// The point of a key's bytes, which has yet to be shown to be one.
pub(super) fn point(chips: &Chips, key: &[u8]) -> Point {
    let (x, y) = key.split_at(COORDINATE);
    of_numbers(chips, &[number_of(x), number_of(y)])
}

/// The same, of coordinates.
pub(super) fn of_numbers(chips: &Chips, numbers: &[BigUint; 2]) -> Point {
    let chip = chips.foreign_of(BITS);
    numbers.each_ref().map(|number| element(chip, number))
}

/// The sum of points, which have yet to be shown to be on the curve.
pub(super) fn sum(chips: &Chips, points: &[Point]) -> Point {
    let equations = SumEquations::of::<G1Affine>();
    // Points without a sum are refused by the constraints.
    let (walk, _) = walk::<Suite>(chips, &residues::<Suite>(points));
    prime::sum(chips.foreign_of(BITS), &equations, points, &walk)
}

/// Constrains what is left of the last leaf, behind the room, to have nobody.
pub(super) fn assert_nobody(ctx: &mut Context<Fr>, beyond: &[Vec<AssignedValue<Fr>>]) {
    let nobody = vertical::load_constant(ctx, -Fr::one());
    for element in beyond.iter().flatten() {
        vertical::assert_equal(ctx, element, &nobody);
    }
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
