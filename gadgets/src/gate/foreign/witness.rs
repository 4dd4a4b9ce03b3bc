//! The quotient and the carries of a relation.

use num_bigint::{BigInt, BigUint};
use num_traits::{Euclid, One, Zero};

use super::{equation::Equation, Block};
use crate::field::foreign::relation::Operands;

/// The witnessed numbers of a block, shifted to be positive.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    /// Limbs of the result.
    pub(super) result: Vec<BigUint>,
    /// Limbs of the quotient.
    pub(super) quotient: Vec<BigUint>,
    pub(super) carries: Vec<BigUint>,
}

impl Witness {
    /// What an honest prover takes. For a result that does not satisfy the equation the numbers fit
    /// their cells, and the constraints do not hold.
    pub(super) fn new(
        block: &Block,
        equation: &Equation,
        operands: &[BigUint],
        result: &BigUint,
    ) -> Self {
        let (format, relation, checks) = equation.checks(block);
        let mut values = operands.to_vec();
        values.resize(super::OPERANDS, BigUint::zero());
        values.push(result.clone());
        let value = |x: usize| BigInt::from(values[x].clone());
        let mut sum = relation.constant.clone();
        for (factor, term) in &relation.terms {
            sum += match term {
                Operands::Product(a, b) => value(*a) * value(*b) * factor,
                Operands::Linear(x) => value(*x) * factor,
            };
        }
        let modulus = BigInt::from(format.modulus().clone());
        let quotient =
            fitted(sum.div_euclid(&modulus) - &checks.quotient.offset, checks.quotient.bits);
        let count = format.limb_widths(checks.quotient.bits).len();
        let quotient = format.split(&quotient, count);
        let split = |x: &BigUint| format.split(x, format.limbs());
        let limbs: Vec<_> = values.iter().map(split).collect();
        let modulus = split(format.modulus());

        let base = BigInt::one() << block.group_bits();
        let (mut carries, mut carry) = (vec![], BigInt::zero());
        for (group, shifted) in checks.carries.iter().enumerate() {
            let mut sum = carry;
            for place in 0..format.group() {
                let position = group * format.group() + place;
                let mut part =
                    BigInt::from(relation.constant_limb(&format, &checks.quotient, position));
                for (factor, term) in &relation.terms {
                    part += match term {
                        Operands::Product(a, b) => convolution(&limbs[*a], &limbs[*b], position),
                        Operands::Linear(x) => {
                            limbs[*x].get(position).cloned().unwrap_or_default().into()
                        }
                    } * factor;
                }
                part -= convolution(&quotient, &modulus, position);
                sum += part << (place * format.limb_bits());
            }
            let found = fitted(sum.div_euclid(&base) - &shifted.offset, shifted.bits);
            carry = BigInt::from(found.clone()) + &shifted.offset;
            carries.push(found);
        }
        let result = limbs[super::OPERANDS].clone();
        Self { result, quotient, carries }
    }
}

/// A number of so many bits: the number itself, if it is one.
fn fitted(number: BigInt, bits: usize) -> BigUint {
    number.rem_euclid(&(BigInt::one() << bits)).magnitude().clone()
}

fn convolution(a: &[BigUint], b: &[BigUint], position: usize) -> BigInt {
    let products = (0..=position).filter_map(|i| Some(a.get(i)? * b.get(position - i)?));
    BigInt::from(products.sum::<BigUint>())
}
