//! ECDSA in circuit: many signatures in one sum.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::Rule;
use crate::{
    curve::weierstrass::{chip::CurveEquations, Curve},
    field::foreign::integer::{assert_at_most, element},
    gate::{
        foreign::{AssignedLimbs, Operand::Element},
        Chips,
    },
    signature::foreign::{
        coefficients, from_halves, multiply, AssignedKey, AssignedNonce, RawSignature,
        ScalarEquations, Summand,
    },
};

/// A signature in circuit before the batch is formed.
struct Opened {
    nonce: AssignedNonce,
    s: AssignedLimbs,
}

/// Constrains one signature a key on a digest, given as its high and its low half.
///
/// `R = (e/s)·G + (r/s)·A` with `r` the first coordinate of `R`. With `w = -z/s` for a coefficient
/// `z`, the batch is `Σ zᵢ·Rᵢ + Σ wᵢ·rᵢ·Aᵢ + (e·Σ wᵢ)·G = 0`.
///
/// # Panics
/// If there are no keys, or another number of signatures.
pub fn assert_verify_all(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    (curve, rule): (Curve, Rule),
    digest: [AssignedValue<Fr>; 2],
    keys: &[AssignedKey],
    signatures: &[RawSignature],
) {
    assert!(!keys.is_empty() && keys.len() == signatures.len(), "a signature a key");
    let (equations, scalars) = (CurveEquations::new(curve), ScalarEquations::new(curve));
    let chip = chips.foreign();
    let e = from_halves(ctx, chips, digest);
    let open = |signature: &RawSignature| {
        let nonce = AssignedNonce::new(chips, &equations, &signature.nonce);
        open(chips, (&equations, &scalars), rule, nonce, &signature.s)
    };
    let opened: Vec<_> = signatures.iter().map(open).collect();

    let mut batched = vec![&e];
    for (key, Opened { nonce, s }) in keys.iter().zip(&opened) {
        batched.extend(key.point.coordinates().iter().chain(nonce.coordinates()).chain([s]));
    }
    // The scalars are hints here; the sum gives their cells.
    let n = curve.n();
    let quotient = |z: BigInt, s: &AssignedLimbs| {
        let inverse = (s.value() % n).modinv(n).unwrap_or_default();
        scalars.residue(&(-z * BigInt::from(inverse)))
    };
    let ratio = |Opened { nonce, s }: &Opened| {
        quotient(BigInt::one(), s) * nonce.coordinates()[0].value() % n
    };
    let ratios: Vec<_> = opened.iter().map(ratio).collect();
    let coefficients = coefficients(ctx, chips, curve, &batched, &ratios);
    let weights: Vec<_> = coefficients
        .iter()
        .zip(&opened)
        .map(|(z, Opened { s, .. })| quotient(z.value(), s))
        .collect();
    let total = weights.iter().sum::<BigUint>() * e.value() % n;
    let summands: Vec<Summand> = keys
        .iter()
        .zip(&opened)
        .zip(coefficients.iter().zip(&weights))
        .map(|((key, Opened { nonce, .. }), (z, w))| {
            (key, nonce, z, w * nonce.coordinates()[0].value() % n)
        })
        .collect();
    let multiples = multiply(ctx, chips, (&equations, &scalars), &summands, &total);

    let mut assigned = vec![];
    for (((opened, z), parts), w) in
        opened.iter().zip(&multiples.nonces).zip(&multiples.keys).zip(&weights)
    {
        let r = &opened.nonce.coordinates()[0];
        let w = chip.relate(&scalars.negated_quotient, &[z.operand(), Element(&opened.s)], w);
        let scalar = w.value() * r.value() % n;
        chip.relate(&scalars.product_of_result, &[Element(r), Element(r)], &scalar);
        scalars.assert_parts(chip, parts);
        assigned.push(w);
    }
    let sum = scalars.sum_all(chip, &assigned);
    chip.relate(&scalars.product, &[Element(&e), Element(&sum)], &total);
    scalars.assert_parts(chip, &multiples.generator);
}

/// `R` on the curve, `r` neither 0 nor a multiple of the order, and `s` below the order or, for low
/// `s`, at most half of it. That `s` is not 0 follows: `w·s` is not.
fn open(
    chips: &Chips,
    (equations, scalars): (&CurveEquations, &ScalarEquations),
    rule: Rule,
    nonce: AssignedNonce,
    s: &BigUint,
) -> Opened {
    let chip = chips.foreign();
    let n = equations.curve().n();
    scalars.assert_not_zero(chip, &nonce.coordinates()[0]);
    let s = element(chip, s);
    let bound = match rule {
        Rule::LowS => n >> 1u8,
        Rule::AnyS => n - 1u8,
    };
    assert_at_most(chip, &s, &bound);
    Opened { nonce, s }
}
