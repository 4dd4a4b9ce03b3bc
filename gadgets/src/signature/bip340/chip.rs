//! BIP-340 in circuit: many signatures in one sum.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context, QuantumCell::Existing,
};
use num_bigint::{BigInt, BigUint};

use super::native::CHALLENGE_TAG;
use crate::{
    curve::weierstrass::{chip::CurveEquations, Curve},
    field::foreign::{
        halves::halves,
        integer::{assert_at_most, assert_even, constant, element},
    },
    gate::{
        foreign::{AssignedLimbs, Operand::Element},
        Chips,
    },
    hash::sha256::{self, Midstate},
    signature::foreign::{
        coefficients, from_halves, multiply, AssignedKey, AssignedNonce, RawSignature,
        ScalarEquations, Summand,
    },
};

/// A signature in circuit before the batch is formed.
struct Opened {
    nonce: AssignedNonce,
    s: AssignedLimbs,
    challenge: AssignedLimbs,
}

/// Constrains one signature a key on a digest, given as its high and its low half: `R = s·G - e·A`
/// with `e` the tagged hash of `R`, `A` and the digest, both points with an even second coordinate.
/// The batch is `Σ zᵢ·Rᵢ + Σ zᵢ·eᵢ·Aᵢ - (Σ zᵢ·sᵢ)·G = 0`.
///
/// # Panics
/// If there are no keys, or another number of signatures.
pub fn assert_verify_all(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    digest: [AssignedValue<Fr>; 2],
    keys: &[AssignedKey],
    signatures: &[RawSignature],
) {
    assert!(!keys.is_empty() && keys.len() == signatures.len(), "a signature a key");
    let curve = Curve::Secp256k1;
    let (equations, scalars) = (CurveEquations::new(curve), ScalarEquations::new(curve));
    let (chip, n) = (chips.foreign(), curve.n());
    let opened: Vec<_> = keys
        .iter()
        .zip(signatures)
        .map(|(key, signature)| {
            let nonce = AssignedNonce::new(chips, &equations, &signature.nonce);
            open(ctx, chips, &equations, digest, (key, nonce, &signature.s))
        })
        .collect();

    // A challenge binds R, the key and the digest.
    let batched: Vec<_> = opened.iter().flat_map(|item| [&item.challenge, &item.s]).collect();
    let ratios: Vec<_> = opened.iter().map(|item| item.challenge.value() % n).collect();
    let coefficients = coefficients(ctx, chips, curve, &batched, &ratios);

    // The scalars are hints here; the sum gives their cells.
    let product = |z: &BigInt, element: &AssignedLimbs| {
        scalars.residue(&(z * BigInt::from(element.value().clone())))
    };
    let values: Vec<_> = coefficients.iter().map(|z| z.value()).collect();
    let responses = values.iter().zip(&opened).map(|(z, item)| product(z, &item.s));
    let total = scalars.residue(&-BigInt::from(responses.sum::<BigUint>()));
    let summands: Vec<Summand> = keys
        .iter()
        .zip(&opened)
        .zip(coefficients.iter().zip(&values))
        .map(|((key, item), (z, value))| (key, &item.nonce, z, product(value, &item.challenge)))
        .collect();
    let multiples = multiply(ctx, chips, (&equations, &scalars), &summands, &total);

    for (((item, z), parts), (_, _, _, scalar)) in
        opened.iter().zip(&multiples.nonces).zip(&multiples.keys).zip(&summands)
    {
        let operands = [z.operand(), Element(&item.challenge)];
        chip.relate(&scalars.signed_product, &operands, scalar);
        scalars.assert_parts(chip, parts);
    }
    let mut sum = chip.relate(&constant(n, &BigUint::ZERO), &[], &BigUint::ZERO);
    for ((item, z), value) in opened.iter().zip(&multiples.nonces).zip(&values) {
        let next = scalars
            .residue(&(BigInt::from(sum.value().clone()) - BigInt::from(product(value, &item.s))));
        sum = chip.relate(&scalars.less_product, &[z.operand(), Element(&item.s)], &next);
    }
    scalars.assert_parts(chip, &multiples.generator);
}

/// `R` and `A` with even second coordinates, `s` below the order, and the challenge.
fn open(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    equations: &CurveEquations,
    digest: [AssignedValue<Fr>; 2],
    (key, nonce, s): (&AssignedKey, AssignedNonce, &BigUint),
) -> Opened {
    let (chip, curve) = (chips.foreign(), equations.curve());
    assert_even(chip, &key.point.coordinates()[1]);
    nonce.assert_even(chips, curve);
    let s = element(chip, s);
    assert_at_most(chip, &s, &(curve.n() - 1u8));
    let r = halves(ctx, chips, &nonce.coordinates()[0]);
    let message = [r, key.halves()[0], digest].concat();
    let message: Vec<_> = message.into_iter().map(Existing).collect();
    let challenge = sha256::chip::digest(ctx, chips, &Midstate::tagged(CHALLENGE_TAG), &message);
    Opened { nonce, s, challenge: from_halves(ctx, chips, challenge) }
}
