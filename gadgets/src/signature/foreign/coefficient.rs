//! Coefficients of a batch.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{Parts, ScalarEquations};
use crate::{
    curve::weierstrass::{chip_of, ShortRatio},
    field::foreign::{halves::power, integer::element, regroup::pack},
    hash::poseidon,
    signature::batch::HASH_WIDTH,
};
use muster_gates::{
    chain,
    foreign::{AssignedDigits, AssignedLimbs, AssignedScalar, Operand, SignedLimbs},
    GateContext,
};
use muster_schemes::{curve::weierstrass::Curve, hash::poseidon::domain};

/// Labels of the transcript.
const ABSORB_DOMAIN: &str = "muster.weierstrass.absorb.v1";
const SQUEEZE_DOMAIN: &str = "muster.weierstrass.squeeze.v1";
/// Bits of a coefficient.
const BITS: usize = 128;

/// A coefficient for each signature, squeezed from everything that is batched. The equation of a
/// single signature has no other to cancel against: any factor but 0 preserves it, and the prover
/// chooses one that makes the scalars short. `ratios` are the scalars of the keys without
/// coefficients.
pub(crate) fn coefficients(
    ctx: &mut GateContext,
    curve: Curve,
    batched: &[&AssignedLimbs],
    ratios: &[BigUint],
) -> Vec<Coefficient> {
    match ratios {
        [ratio] => vec![Coefficient::Chosen(ShortRatio::new(curve, ratio))],
        _ => squeeze(ctx, batched, ratios.len()),
    }
}

/// These coefficients, and all others that the prover may take in their place, each with its hints.
pub(crate) fn choices<H>(
    coefficients: Vec<Coefficient>,
    hints: impl Fn(&[Coefficient]) -> H,
) -> impl Iterator<Item = (Vec<Coefficient>, H)> {
    let ratio = match &coefficients[..] {
        [Coefficient::Chosen(ratio)] => Some(ratio.clone()),
        _ => None,
    };
    let others = ratio.into_iter().flat_map(|ratio| ratio.multiples());
    let others = others.map(|ratio| vec![Coefficient::Chosen(ratio)]);
    [coefficients].into_iter().chain(others).map(move |coefficients| {
        let hints = hints(&coefficients);
        (coefficients, hints)
    })
}

pub(super) fn squeeze(
    ctx: &mut GateContext,
    batched: &[&AssignedLimbs],
    count: usize,
) -> Vec<Coefficient> {
    let absorbed = pack(ctx, batched);
    let domains = (domain(ABSORB_DOMAIN), domain(SQUEEZE_DOMAIN));
    let squeezed = poseidon::squeeze(ctx.chips.poseidon(HASH_WIDTH), domains, &absorbed, count);
    squeezed.into_iter().map(Coefficient::Squeezed).collect()
}

/// A coefficient `z`.
#[derive(Clone, Debug)]
pub(crate) enum Coefficient {
    /// For a single signature: any residue but 0, in parts.
    Chosen(ShortRatio),
    /// Odd and below `2^128` in magnitude: of the `2^128` such integers, counted from 0, number
    /// `e`, the low half of a squeezed element. So `z = 2·e + 1 - 2^128`.
    Squeezed(AssignedValue<Fr>),
}

/// A coefficient that is bound.
pub(crate) enum Factor {
    Signed(SignedLimbs),
    Element(AssignedLimbs),
}

impl Factor {
    /// As an operand that may have signs.
    pub(crate) fn operand(&self) -> Operand<'_> {
        match self {
            Self::Signed(limbs) => Operand::Signed(limbs),
            Self::Element(element) => Operand::Element(element),
        }
    }
}

impl Coefficient {
    /// The coefficient.
    pub(crate) fn value(&self) -> BigInt {
        match self {
            Self::Chosen(ratio) => ratio.value().into(),
            Self::Squeezed(squeezed) => {
                let low = fe_to_biguint(squeezed.value()) % (BigUint::one() << BITS);
                BigInt::from(low) * 2 + 1 - (BigInt::one() << BITS)
            }
        }
    }

    /// Binds the scalars that a sum found: one for a squeezed coefficient, or the parts of a chosen
    /// one, which is shown not to be 0.
    pub(crate) fn bind(
        &self,
        ctx: &mut GateContext,
        scalars: &ScalarEquations,
        found: &[AssignedDigits],
    ) -> Factor {
        let chip = chip_of(ctx.chips, scalars.curve());
        let found: Vec<_> = found.iter().map(AssignedScalar::whole).collect();
        let mut limbs = |scalar: &AssignedScalar| scalar.limbs(ctx, chip.block());
        match (self, &found[..]) {
            (Self::Squeezed(squeezed), [scalar]) => {
                let limbs = limbs(scalar);
                bind_squeezed(ctx, *squeezed, scalar);
                Factor::Signed(limbs)
            }
            (Self::Squeezed(_), _) => unreachable!("a squeezed coefficient has one part"),
            (Self::Chosen(ratio), _) => {
                let parts = Parts::Less(found.iter().map(&mut limbs).collect());
                let whole = element(chip, &ratio.value());
                scalars.assert_parts(chip, &whole, &parts);
                scalars.assert_not_zero(chip, &whole);
                Factor::Element(whole)
            }
        }
    }
}

/// The digits make the scalar an odd integer below `2^128` in magnitude, hence one `e` of 128 bits;
/// `squeezed = e + 2^128·h` over the integers, since `h` is kept so small that the sum stays below
/// the native prime. The highest `h` is left out: an element that has it, one in `2^125`, has no
/// witness.
fn bind_squeezed(ctx: &mut GateContext, squeezed: AssignedValue<Fr>, scalar: &AssignedScalar) {
    let high: Fr = biguint_to_fe(&(fe_to_biguint(squeezed.value()) >> BITS));
    let rest = top_of_high() - high;
    bind_squeezed_of_hint(ctx, (squeezed, [high, rest]), scalar);
}

/// The greatest `h` that is taken.
fn top_of_high() -> Fr {
    biguint_to_fe(&((halo2_base::utils::modulus::<Fr>() >> BITS) - 1u8))
}

/// The same from hints of `h` and of its distance from the greatest.
pub(super) fn bind_squeezed_of_hint(
    ctx: &mut GateContext,
    (squeezed, [high, rest]): (AssignedValue<Fr>, [Fr; 2]),
    scalar: &AssignedScalar,
) {
    let bits = Fr::NUM_BITS as usize - BITS;
    let one = Constant(Fr::one());
    let high = ctx.range.check(Witness(high), bits);
    let rest = ctx.range.check(Witness(rest), bits);
    chain::assert_sum(ctx, Existing(high), &[(one, Existing(rest))], Constant(top_of_high()));
    // z + 2^128 - 1 + 2^129·h = 2·squeezed
    let terms =
        [(Constant(power(BITS + 1)), Existing(high)), (Constant(-Fr::from(2)), Existing(squeezed))];
    let end = Constant(Fr::one() - power(BITS));
    chain::assert_sum(ctx, Existing(scalar.cell()), &terms, end);
}
