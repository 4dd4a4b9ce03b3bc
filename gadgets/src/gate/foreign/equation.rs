//! The equations that a block can hold.

use num_bigint::{BigInt, BigUint};
use num_traits::{Euclid, One, Zero};

use super::Block;
use crate::field::foreign::{
    relation::{Checks, Operands},
    Format, Relation,
};

/// Operands of an equation, `A₀` to `A₃`; its result is one more.
pub const OPERANDS: usize = 4;

/// `(α₀·A₀ + α₁·R)·(β₀·A₁ + β₁·A₂) + Σ γᵢ·Aᵢ + γ_R·R + c ≡ 0` modulo a foreign prime.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Equation {
    /// The prime.
    pub modulus: BigUint,
    /// `α₀, α₁`.
    pub alpha: [i64; 2],
    /// `β₀, β₁`.
    pub beta: [i64; 2],
    /// `γ₀` to `γ₃`.
    pub gamma: [i64; OPERANDS],
    /// `γ_R`.
    pub gamma_result: i64,
    /// `c`.
    pub constant: BigInt,
}

impl Equation {
    /// `A₀·A₁ - R`.
    pub fn product(modulus: &BigUint) -> Self {
        Self {
            modulus: modulus.clone(),
            alpha: [1, 0],
            beta: [1, 0],
            gamma_result: -1,
            ..Self::default()
        }
    }

    /// `R·(A₁ - A₂) - A₀ + A₃`: the quotient of two differences.
    pub fn slope(modulus: &BigUint) -> Self {
        Self {
            modulus: modulus.clone(),
            alpha: [0, 1],
            beta: [1, -1],
            gamma: [-1, 0, 0, 1],
            ..Self::default()
        }
    }

    /// `A₀·A₁ - A₂ - A₃ - R`.
    pub fn product_less_two(modulus: &BigUint) -> Self {
        Self { gamma: [0, 0, -1, -1], ..Self::product(modulus) }
    }

    /// `A₀·(A₁ - A₂) - A₃ - R`.
    pub fn product_of_difference(modulus: &BigUint) -> Self {
        Self { beta: [1, -1], gamma: [0, 0, 0, -1], ..Self::product(modulus) }
    }

    /// The relation over `A₀` to `A₃` and `R`, in this order.
    pub(super) fn relation(&self) -> Relation {
        let mut terms = vec![];
        for (x, alpha) in [0, OPERANDS].into_iter().zip(self.alpha) {
            for (y, beta) in [1, 2].into_iter().zip(self.beta) {
                terms.push((alpha * beta, Operands::Product(x, y)));
            }
        }
        let linear = self.gamma.into_iter().chain([self.gamma_result]);
        terms.extend(linear.enumerate().map(|(x, gamma)| (gamma, Operands::Linear(x))));
        terms.retain(|(factor, _)| *factor != 0);
        Relation { terms, constant: self.constant.clone() }
    }

    /// Its checks in the ranges that a block has.
    ///
    /// # Panics
    /// If it does not fit them: the block was not made for it.
    pub(super) fn checks(&self, block: &Block) -> (Format, Relation, Checks) {
        let (format, relation) = (block.format().with_modulus(&self.modulus), self.relation());
        let bits = [block.format().element_bits(); OPERANDS + 1];
        let checks = relation.checks_of(&format, &bits, block.widths());
        let checks = checks.expect("the bounds of the equation hold");
        let widths = block.widths();
        let fits = checks.quotient.bits == widths.quotient
            && checks.carries.len() == widths.carries
            && checks.carries.iter().all(|carry| carry.bits == widths.carry);
        assert!(fits, "the block was made for this equation");
        (format, relation, checks)
    }

    /// What stands in the fixed column.
    pub(super) fn coefficients(&self, block: &Block) -> Coefficients {
        let (format, relation, checks) = self.checks(block);
        let mut coefficients = Coefficients(vec![BigInt::zero(); Place::count(block)]);
        let small = |values: &[i64]| values.iter().map(|v| BigInt::from(*v)).collect::<Vec<_>>();
        for i in 0..2 {
            coefficients.set(block, Place::Alpha(i), small(&self.alpha)[i].clone());
            coefficients.set(block, Place::Beta(i), small(&self.beta)[i].clone());
        }
        for (i, gamma) in small(&self.gamma).into_iter().enumerate() {
            coefficients.set(block, Place::Gamma(i), gamma);
        }
        coefficients.set(block, Place::GammaResult, self.gamma_result.into());
        for (i, limb) in format.split(format.modulus(), format.limbs()).into_iter().enumerate() {
            coefficients.set(block, Place::Modulus(i), limb.into());
        }
        let constant = relation.exact_constant(&format, &checks.quotient);
        coefficients.set(block, Place::Constant, constant);
        let mut before = BigInt::zero();
        for (group, carry) in checks.carries.iter().enumerate() {
            // The carries' offsets stand with the constants.
            let mut sum = before - &carry.offset * (BigInt::one() << block.group_bits());
            for place in 0..format.group() {
                let position = group * format.group() + place;
                let limb = relation.constant_limb(&format, &checks.quotient, position);
                sum += BigInt::from(limb) << (place * format.limb_bits());
            }
            coefficients.set(block, Place::GroupConstant(group), sum);
            before = carry.offset.clone();
        }
        coefficients
    }
}

/// Rows of the fixed column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Alpha(usize),
    Beta(usize),
    Gamma(usize),
    GammaResult,
    Modulus(usize),
    Constant,
    GroupConstant(usize),
}

impl Place {
    /// The row, counted from the first of the block.
    pub(super) fn row(self, block: &Block) -> usize {
        let modulus = 4 + OPERANDS + 1;
        let constant = modulus + block.format().limbs();
        match self {
            Self::Alpha(i) => i,
            Self::Beta(i) => 2 + i,
            Self::Gamma(i) => 4 + i,
            Self::GammaResult => 4 + OPERANDS,
            Self::Modulus(i) => modulus + i,
            Self::Constant => constant,
            Self::GroupConstant(group) => constant + 1 + group,
        }
    }

    pub(super) fn count(block: &Block) -> usize {
        Self::GroupConstant(block.widths().carries).row(block)
    }
}

/// The fixed column of a block, reduced modulo the native prime.
#[derive(Clone, Debug)]
pub(super) struct Coefficients(Vec<BigInt>);

impl Coefficients {
    fn set(&mut self, block: &Block, place: Place, value: BigInt) {
        self.0[place.row(block)] = value.rem_euclid(&block.format().native().clone().into());
    }

    pub(super) fn rows(&self) -> &[BigInt] {
        &self.0
    }
}
