//! Keys of BLS12-381 that chains hash, and their sums.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};
use num_bigint::BigUint;

use crate::{
    curve::pairing::AssignedCompressed,
    field::foreign::integer::Integer,
    signature::bls::{
        chip::PointGroup,
        member::{residues, walk, CiphersuiteChip, Elements, RawKey},
    },
};
use muster_gates::{foreign::Equation, vertical, Chips, GateContext};
use muster_schemes::{membership::PublicKey, signature::bls::member::OwnedKey};

/// Bytes of a number.
const NUMBER: usize = 48;
/// Bits of a number, as of an element.
const BITS: usize = 381;

/// Bytes of a key: the numbers that its coordinates consist of, as a circuit takes them, big-endian.
pub(super) const fn key_bytes<S: CiphersuiteChip>() -> usize {
    2 * S::KEY_BYTES
}

/// The equations of points, of their bytes and of sums.
pub(super) fn equations<S: CiphersuiteChip>() -> Vec<Equation> {
    let sums = RawKey::<S>::all(&RawKey::<S>::sums(S::CURVE));
    let bytes = AssignedCompressed::equations(key_bytes::<S>() / NUMBER);
    [vec![Integer::any()], bytes, sums].concat()
}

/// The bytes of a key; `None` for one of another kind.
pub(super) fn bytes<S: CiphersuiteChip>(key: &PublicKey) -> Option<Vec<u8>> {
    let coordinates = key.of::<OwnedKey<S>>()?.coordinates();
    Some(S::key_numbers(&coordinates).iter().flat_map(bytes_of).collect())
}

/// The point of a key's bytes, which has yet to be shown to be one.
pub(super) fn point<S: CiphersuiteChip>(chips: &Chips, key: &[u8]) -> Elements<S> {
    let numbers: Vec<_> = key.chunks(NUMBER).map(number_of).collect();
    elements::<S>(chips, &RawKey::<S>::of_numbers(&numbers))
}

/// The same, of coordinates.
pub(super) fn elements<S: CiphersuiteChip>(chips: &Chips, point: &RawKey<S>) -> Elements<S> {
    point.elements(chips.foreign_of(BITS))
}

/// The compressed bytes of a point, which is constrained to be on the curve, with coordinates below the prime.
pub(super) fn compressed<S: CiphersuiteChip>(
    ctx: &mut GateContext,
    point: &Elements<S>,
) -> AssignedCompressed {
    AssignedCompressed::of(ctx, &RawKey::<S>::limbs(point))
}

/// The sum of points, which have yet to be shown to be on the curve.
pub(super) fn sum<S: CiphersuiteChip>(chips: &Chips, points: &[Elements<S>]) -> Elements<S> {
    // Points without a sum are refused by the constraints.
    let (walk, _) = walk::<S>(chips, &residues::<S>(points));
    RawKey::<S>::sum(chips.foreign_of(BITS), &RawKey::<S>::sums(S::CURVE), points, &walk)
}

/// Constrains what is left of the last leaf, behind the room, to have nobody.
pub(super) fn assert_nobody(ctx: &mut Context<Fr>, beyond: &[Vec<AssignedValue<Fr>>]) {
    let nobody = vertical::load_constant(ctx, -Fr::one());
    for element in beyond.iter().flatten() {
        vertical::assert_equal(ctx, element, &nobody);
    }
}

/// The bytes of a number.
fn bytes_of(number: &BigUint) -> [u8; NUMBER] {
    let bytes = number.to_bytes_be();
    let mut padded = [0; NUMBER];
    padded[NUMBER - bytes.len()..].copy_from_slice(&bytes);
    padded
}

/// A number, cut to as many bits as elements have.
fn number_of(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_be(bytes) % (BigUint::from(1u8) << BITS)
}
