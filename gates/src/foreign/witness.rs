//! What the prover computes: what is recorded, quotients and carries, and results that meet an equation.

use std::sync::Arc;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::bigint_to_fe,
    QuantumCell,
};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Euclid, One, Zero};

use super::{
    block::{Block, FixedCell},
    equation::{Equation, Source, Terms, COORDINATES},
};
use crate::place::Place;
use muster_schemes::field::foreign::{
    relation::{Checks, Operands},
    Format, Relation,
};

/// A recorded relation.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) prepared: Arc<Prepared>,
    pub(super) operands: Vec<Vec<BigInt>>,
    /// Operands that are bound for the equation: none in a block that holds a table entry.
    pub(super) given: usize,
    pub(super) result: Vec<BigInt>,
    pub(super) role: Role,
    /// The place that asks for it.
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) enum Role {
    Plain,
    Entry { place: Place, table: usize, digit: u8 },
    Asks(Asked),
}

/// The entry of a table that a relation asks for, and the running sums around its digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) table: usize,
    pub(super) digit: i8,
    pub(super) before: Fr,
    pub(super) after: Fr,
}

/// An entry that no block holds yet.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The place that asks for it.
    pub(super) place: Place,
    pub(super) table: usize,
    pub(super) digit: u8,
    /// The limbs of both coordinates: where they come from, and what they are.
    pub(super) coordinates: [Vec<(QuantumCell<Fr>, BigInt)>; COORDINATES],
}

/// Where nothing is written: a result, or an operand that the equation does not use.
pub(super) fn zeros(block: &Block) -> Vec<BigInt> {
    vec![BigInt::zero(); block.format().limbs()]
}

/// An equation, its bounds and its fixed cells.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) equation: Equation,
    /// Its sources, in the order of its relation.
    pub(super) sources: Vec<Source>,
    relation: Relation,
    format: Format,
    checks: Checks,
    /// By cell number, reduced modulo the native prime.
    pub(super) fixed: Vec<BigUint>,
}

/// The witnessed numbers of a block besides its result, shifted so that none is negative.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    /// Limbs of the quotient.
    pub(super) quotient: Vec<BigUint>,
    pub(super) carries: Vec<BigUint>,
}

impl Prepared {
    /// # Panics
    /// If the block was not made for the equation.
    pub(super) fn new(block: &Block, equation: &Equation) -> Self {
        assert!(block.sums().hold(equation), "the sums of the gate were made for this equation");
        let format = block.format().with_modulus(equation.modulus());
        let (relation, widths) = (equation.relation(), block.widths());
        let checks = relation.checks_of(&format, &equation.ranges(), widths);
        let checks = checks.expect("the bounds of the equation hold");
        let fits = checks.quotient.bits == widths.quotient
            && checks.carries.len() == widths.carries
            && checks.carries.iter().all(|carry| carry.bits == widths.carry);
        assert!(fits, "the block was made for this equation");
        let (equation, sources) = (equation.clone(), equation.sources());
        let mut prepared = Self { equation, sources, relation, format, checks, fixed: vec![] };
        prepared.fixed = prepared.fixed_cells(block);
        prepared
    }

    /// The place of a source among those of the equation.
    ///
    /// # Panics
    /// If the equation does not use it.
    pub(super) fn place(&self, source: Source) -> usize {
        self.sources.binary_search(&source).expect("the equation speaks of it")
    }

    fn fixed_cells(&self, block: &Block) -> Vec<BigUint> {
        let count = block.fixed(FixedCell::GroupConstant(self.checks.carries.len()));
        let mut cells = vec![BigUint::zero(); count];
        let native = BigInt::from(self.format.native().clone());
        let mut set = |cell: FixedCell, value: BigInt| {
            cells[block.fixed(cell)] = value.rem_euclid(&native).magnitude().clone();
        };
        for (sum, factors) in block.sums().factors(&self.equation).into_iter().enumerate() {
            for (place, factor) in factors.into_iter().enumerate() {
                set(FixedCell::Factor(sum, place), factor.into());
            }
        }
        let modulus = self.format.split(self.format.modulus(), self.format.limbs());
        for (limb, value) in modulus.into_iter().enumerate() {
            set(FixedCell::Modulus(limb), value.into());
        }
        let constant = self.relation.exact_constant(&self.format, &self.checks.quotient);
        set(FixedCell::Constant, constant);
        let mut before = BigInt::zero();
        for (group, carry) in self.checks.carries.iter().enumerate() {
            // The carries' offsets are part of the constants.
            let mut sum = before - &carry.offset * (BigInt::one() << block.group_bits());
            for place in 0..self.format.group() {
                let position = group * self.format.group() + place;
                let limb = self.constant_limb(position);
                sum += limb << (place * self.format.limb_bits());
            }
            set(FixedCell::GroupConstant(group), sum);
            before = carry.offset.clone();
        }
        cells
    }

    fn constant_limb(&self, position: usize) -> BigInt {
        self.relation.constant_limb(&self.format, &self.checks.quotient, position).into()
    }

    /// The honest prover's values, from the limbs of all sources. If the result does not satisfy the
    /// equation, they still fit their cells, but the constraints do not hold.
    pub(super) fn witness(&self, sources: &[Vec<BigInt>]) -> Witness {
        let quotient = self.quotient(sources);
        let modulus = self.format.split(self.format.modulus(), self.format.limbs());
        let group_bits = self.format.group() * self.format.limb_bits();
        let (mut carries, mut carry) = (vec![], BigInt::zero());
        for (group, shifted) in self.checks.carries.iter().enumerate() {
            let mut sum = carry;
            for place in 0..self.format.group() {
                let position = group * self.format.group() + place;
                let part = self.part(sources, (&quotient, &modulus), position);
                sum += part << (place * self.format.limb_bits());
            }
            // An arithmetic shift rounds down.
            let found = fitted((sum >> group_bits) - &shifted.offset, shifted.bits);
            carry = BigInt::from(found.clone()) + &shifted.offset;
            carries.push(found);
        }
        Witness { quotient, carries }
    }

    fn quotient(&self, sources: &[Vec<BigInt>]) -> Vec<BigUint> {
        let checks = &self.checks.quotient;
        let count = self.format.limb_widths(checks.bits).len();
        if self.format.modulus().is_zero() {
            return vec![BigUint::zero(); count];
        }
        let values: Vec<_> = sources.iter().map(|limbs| self.value(limbs)).collect();
        let mut sum = self.relation.constant.clone();
        for (factor, term) in &self.relation.terms {
            sum += match term {
                Operands::Product(a, b) => &values[*a] * &values[*b] * factor,
                Operands::Linear(x) => &values[*x] * factor,
            };
        }
        let modulus = BigInt::from(self.format.modulus().clone());
        let quotient = fitted(sum.div_euclid(&modulus) - &checks.offset, checks.bits);
        self.format.split(&quotient, count)
    }

    fn value(&self, limbs: &[BigInt]) -> BigInt {
        let add = |sum: BigInt, limb: &BigInt| (sum << self.format.limb_bits()) + limb;
        limbs.iter().rev().fold(BigInt::zero(), add)
    }

    /// `Y₀`, and the inverse that shows that it does not vanish; 0 if it does.
    pub(super) fn apart(&self, sources: &[Vec<BigInt>]) -> [Fr; 2] {
        let terms = self.equation.difference().into_iter().flatten();
        let terms =
            terms.map(|(source, factor)| self.value(&sources[self.place(*source)]) * factor);
        let native = BigInt::from(self.format.native().clone());
        let residue = |number: BigInt| bigint_to_fe::<Fr>(&number.rem_euclid(&native));
        let difference = residue(terms.sum());
        let modulus = residue(self.equation.modulus().clone().into());
        let product = difference * (difference - modulus) * (difference + modulus);
        [difference, Option::from(product.invert()).unwrap_or(Fr::ZERO)]
    }

    /// The coefficient of `2^(b·position)` in the difference.
    fn part(
        &self,
        sources: &[Vec<BigInt>],
        (quotient, modulus): (&[BigUint], &[BigUint]),
        position: usize,
    ) -> BigInt {
        let mut part = self.constant_limb(position);
        for (factor, term) in &self.relation.terms {
            match term {
                Operands::Product(a, b) => {
                    let (a, b) = (&sources[*a], &sources[*b]);
                    for (i, u) in a.iter().enumerate().take(position + 1) {
                        part += b.get(position - i).map_or(BigInt::zero(), |v| u * v * factor);
                    }
                }
                Operands::Linear(x) => {
                    part += sources[*x].get(position).map_or(BigInt::zero(), |u| u * factor);
                }
            }
        }
        for (i, u) in quotient.iter().enumerate().take(position + 1) {
            if let Some(v) = modulus.get(position - i) {
                part -= BigInt::from_biguint(Sign::Plus, u * v);
            }
        }
        part
    }
}

/// `number` modulo `2^bits`: the number itself, if it fits.
fn fitted(number: BigInt, bits: usize) -> BigUint {
    number.rem_euclid(&(BigInt::one() << bits)).magnitude().clone()
}

impl Equation {
    /// A result that meets it, for the values of all other sources: `was`, if it does. `None` if there is none, or the
    /// equation does not determine it.
    pub fn solve(&self, value: &dyn Fn(Source) -> BigInt, was: BigInt) -> Option<BigInt> {
        // Each sum as `a + b·R`.
        let parts = |terms: &Terms| {
            let mut parts = [BigInt::zero(), BigInt::zero()];
            for (source, factor) in terms {
                match source {
                    Source::Result => parts[1] += *factor,
                    other => parts[0] += value(*other) * factor,
                }
            }
            parts
        };
        let [start, mut slope] = parts(self.linear());
        let mut start = start + self.relation().constant;
        let mut square = BigInt::zero();
        for [x, y] in self.products() {
            let ([x, x1], [y, y1]) = (parts(x), parts(y));
            square += &x1 * &y1;
            slope += &x * &y1 + &x1 * &y;
            start += x * y;
        }
        if square.is_zero() && slope.is_zero() {
            return None;
        }
        if self.modulus().is_zero() {
            let (quotient, rest) = ((-&start).div_euclid(&slope), (-&start).rem_euclid(&slope));
            return (square.is_zero() && rest.is_zero()).then_some(quotient);
        }
        let p = BigInt::from(self.modulus().clone());
        let residue = |number: BigInt| number.rem_euclid(&p);
        if residue(&square * &was * &was + &slope * &was + &start).is_zero() {
            return Some(was);
        }
        if square.is_zero() {
            let inverse = residue(slope).modinv(&p)?;
            return Some(residue(-start * inverse));
        }
        // `(R - m)² = a`: a root is a power where the prime is 3 modulo 4, and that or the same times a root of -1
        // where it is 5 modulo 8.
        let inverse = residue(square).modinv(&p)?;
        let middle = residue(-slope * &inverse * ((&p + 1) >> 1));
        let a = residue(&middle * &middle - start * inverse);
        let is_three = (&p % 4) == BigInt::from(3);
        let exponent = if is_three { (&p + 1) >> 2 } else { (&p + 3) >> 3 };
        let root = a.modpow(&exponent, &p);
        let other = residue(&root * BigInt::from(2).modpow(&((&p - 1) >> 2), &p));
        let is_root = |root: &BigInt| residue(root * root) == a;
        let root = [root, other].into_iter().find(is_root)?;
        Some(residue(middle + root))
    }
}
