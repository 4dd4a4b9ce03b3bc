//! Many signatures in one equation.
//!
//! Signature `i` holds if `sᵢ·B = Rᵢ + g·cᵢ·Aᵢ`, with `g` the scheme's factor of the challenge.
//! With coefficients `zᵢ` squeezed from everything that they batch,
//!
//! ```text
//! Σ zᵢ·Rᵢ + Σ (g·zᵢ·cᵢ)·Aᵢ - (Σ zᵢ·sᵢ)·B = 0
//! ```
//!
//! holds for a false signature with a probability below `2^-125`: all points lie in a group of prime order,
//! so a false signature leaves a non-zero multiple of its `zᵢ`, and at most one value of `zᵢ` makes the sum
//! the identity.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};

use super::{
    instructions::AssignedSigner,
    point::{AssignedPoint, RawPoint},
};
use crate::{
    field::edwards_scalar::{
        assert_negated_sum, assert_product, negated_sum, product, AssignedCanonical, Coefficient,
    },
    hash::poseidon::{self, squeeze},
};
use muster_gates::{
    edwards::{AssignedShort, AssignedSum, LongTerm, Product, ShortScalar, ShortTerm},
    Chips, GateContext,
};
use muster_schemes::signature::RawSignature;
use muster_schemes::{curve::edwards::halves, hash::poseidon::domain};

#[cfg(test)]
mod tests;

/// Width of the permutation for the challenges, the leaves, MuSig's list and the transcript.
pub const HASH_WIDTH: usize = 6;

/// Labels of the transcript that the coefficients are squeezed from.
const ABSORB_DOMAIN: &str = "muster.batch.absorb.v1";
const SQUEEZE_DOMAIN: &str = "muster.batch.squeeze.v1";

/// How a scheme makes its challenge.
#[derive(Clone, Copy, Debug)]
pub struct Challenge {
    /// Initial value of the hash's capacity lane.
    pub domain: Fr,
    /// Factor of the challenge in the equation.
    pub factor: u64,
}

/// A signature to verify.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub(super) public_key: &'a AssignedPoint,
    pub(super) signature: &'a RawSignature,
}

impl Item<'_> {
    /// The `R` of the signature.
    fn nonce(&self) -> RawPoint {
        RawPoint { x: self.signature.x, y: self.signature.y }
    }
}

/// Constrains one signature per signer, an equal share of them in each lane.
///
/// # Panics
/// If the signers do not spread evenly over the lanes, in even numbers.
pub(super) fn verify_lanes(
    ctx: &mut GateContext,
    scheme: Challenge,
    message: AssignedValue<Fr>,
    signers: &[AssignedSigner],
    signatures: &[RawSignature],
) {
    let lanes = ctx.chips.edwards.lanes();
    assert!(signers.len() == signatures.len() && signers.len().is_multiple_of(2 * lanes));
    let items: Vec<Item> = signers
        .iter()
        .zip(signatures)
        .map(|(signer, signature)| Item { public_key: &signer.public_key, signature })
        .collect();
    for (lane, items) in items.chunks(items.len() / lanes).enumerate() {
        assert_verify(ctx, lane, scheme, message, items);
    }
}

/// A signature in circuit before the batch is formed.
struct Opened {
    r: AssignedPoint,
    challenge: AssignedCanonical,
    s: AssignedCanonical,
}

/// Constrains all signatures of a lane.
///
/// # Panics
/// If the number of signatures is odd or zero.
pub(super) fn assert_verify(
    ctx: &mut GateContext,
    lane: usize,
    scheme: Challenge,
    message: AssignedValue<Fr>,
    items: &[Item],
) {
    assert!(!items.is_empty() && items.len().is_multiple_of(2), "coefficients come in pairs");
    let nonces: Vec<_> = items.iter().map(|item| item.nonce()).collect();
    let eighths = RawPoint::eighths(ctx.chips, &nonces);
    let opened: Vec<Opened> =
        items.iter().zip(eighths).map(|pair| open(ctx, lane, scheme, message, pair)).collect();
    let squeezed = squeeze_pairs(ctx.chips, &transcript(&opened), opened.len() / 2);
    assert_batch(ctx, lane, scheme, items, opened, &squeezed);
}

/// Constrains the sum over a lane, with coefficients that are the halves of `squeezed`.
fn assert_batch(
    ctx: &mut GateContext,
    lane: usize,
    scheme: Challenge,
    items: &[Item],
    opened: Vec<Opened>,
    squeezed: &[AssignedValue<Fr>],
) {
    // The scalars are witnessed before they are bound: the product gives their cells.
    let halves: Vec<u128> = squeezed.iter().flat_map(|cell| halves(cell.value())).collect();
    let generator = AssignedPoint::generator(ctx, lane);
    let product = multiply(ctx.chips, lane, scheme, items, &opened, &halves, &generator);
    let mut coefficients = vec![];
    for (squeezed, short) in squeezed.iter().zip(product.short.chunks_exact(2)) {
        let pair: &[AssignedShort; 2] = short.try_into().expect("chunks of two");
        coefficients.extend(Coefficient::pair(ctx, *squeezed, pair));
    }
    let mut bound: Vec<_> = coefficients.iter().filter_map(Coefficient::bound).collect();
    for ((z, opened), t) in coefficients.iter().zip(&opened).zip(&product.long) {
        bound.push(assert_product(ctx, scheme.factor, z, &opened.challenge, t));
    }
    let responses: Vec<_> =
        coefficients.into_iter().zip(opened).map(|(z, opened)| (z, opened.s)).collect();
    bound.push(assert_negated_sum(ctx, &responses, &product.long[items.len()]));
    assert_identity(ctx, &product.point(&bound));
}

/// Constrains `R`, whose eighth is given, to be in the subgroup and not the identity, and `s` to be below the order.
fn open(
    ctx: &mut GateContext,
    lane: usize,
    scheme: Challenge,
    message: AssignedValue<Fr>,
    (item, eighth): (&Item, (Fr, Fr)),
) -> Opened {
    let r = AssignedPoint::of_eighth(ctx, lane, eighth);
    let key = item.public_key;
    let inputs = [r.x(), r.y(), key.x(), key.y(), message];
    respond(ctx, r, (scheme.domain, inputs), &item.signature.s)
}

/// The challenge is the hash of these inputs.
fn respond(
    ctx: &mut GateContext,
    r: AssignedPoint,
    (domain, inputs): (Fr, [AssignedValue<Fr>; 5]),
    s: &[u8; 32],
) -> Opened {
    let challenge = poseidon::hash(ctx.chips, domain, &inputs.map(Existing)).digest;
    let challenge = AssignedCanonical::of_field(ctx, challenge);
    let s = Option::<Fr>::from(Fr::from_repr(*s)).unwrap_or(-Fr::one());
    let s = AssignedCanonical::below_order(ctx, s);
    Opened { r, challenge, s }
}

/// What the coefficients are squeezed from: all challenges and responses. A challenge binds `R`, the key and
/// the message.
fn transcript(opened: &[Opened]) -> Vec<AssignedValue<Fr>> {
    opened.iter().flat_map(|item| [item.challenge.value(), item.s.value()]).collect()
}

/// The elements whose halves are the coefficients, a pair per element.
fn squeeze_pairs(
    chips: &Chips,
    transcript: &[AssignedValue<Fr>],
    count: usize,
) -> Vec<AssignedValue<Fr>> {
    squeeze(chips.poseidon(HASH_WIDTH), domains(), transcript, count)
}

/// Tags of the permutations that absorb and that stretch.
fn domains() -> (Fr, Fr) {
    (domain(ABSORB_DOMAIN), domain(SQUEEZE_DOMAIN))
}

/// The left side of the batch's equation, the generator's term last among the long ones.
fn multiply(
    chips: &Chips,
    lane: usize,
    scheme: Challenge,
    items: &[Item],
    opened: &[Opened],
    halves: &[u128],
    generator: &AssignedPoint,
) -> Product {
    let coefficients: Vec<_> = halves.iter().map(|half| Coefficient::witness(*half)).collect();
    let mut long: Vec<_> = items
        .iter()
        .zip(opened)
        .zip(&coefficients)
        .map(|((item, opened), z)| LongTerm {
            table: &item.public_key.table,
            scalar: product(scheme.factor, z, &opened.challenge),
        })
        .collect();
    let responses = coefficients.iter().zip(opened).map(|(z, opened)| (z, &opened.s));
    let scalar = negated_sum(responses);
    long.push(LongTerm { table: &generator.table, scalar });
    let short: Vec<_> = opened
        .iter()
        .zip(halves)
        .map(|(opened, half)| ShortTerm { table: &opened.r.table, scalar: ShortScalar::new(*half) })
        .collect();
    chips.edwards.multiply(lane, &long, &short)
}

fn assert_identity(ctx: &mut Context<Fr>, sum: &AssignedSum) {
    for (cell, value) in [(sum.x(), Fr::zero()), (sum.y(), Fr::one())] {
        let zero = Constant(Fr::zero());
        let one = Constant(Fr::one());
        muster_gates::chain::assert_sum(ctx, zero, &[(one, Existing(cell))], Constant(value));
    }
}
