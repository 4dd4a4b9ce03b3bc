//! Witnesses that are right by one of the two checks alone.

use num_traits::Euclid;

use super::{
    fields::{self, Field},
    *,
};
use crate::forgery::forger::Failure;
use muster_schemes::field::foreign::{
    relation::{Checks, Operands},
    Format,
};

/// A relation over small operands, with whatever quotient makes the chosen checks pass.
struct Forge {
    block: Block,
    format: Format,
    checks: Checks,
    equation: Equation,
    operands: Vec<BigUint>,
    /// The result, if it is small.
    good: u64,
    test: TestCircuit,
    /// The relation's block, behind dummies and operands.
    id: usize,
    what: String,
}

impl Forge {
    fn new(layout: &Layout, equation: &Equation, operands: &[u64], good: u64) -> Self {
        let block = block(layout);
        let format = block.format().with_modulus(equation.modulus());
        let checks =
            equation.relation().checks_of(&format, &equation.ranges(), block.widths()).expect("ok");
        let operands: Vec<_> = operands.iter().copied().map(number).collect();
        let test = circuit(layout, |chip| {
            let cells: Vec<_> = operands.iter().map(|value| any(chip, value)).collect();
            let operands: Vec<_> = cells.iter().map(Operand::Element).collect();
            chip.relate(equation, &operands, &number(good));
        });
        let id = HISTORY + operands.len();
        let (bits, lookup_bits) = (format.element_bits(), format.lookup_bits());
        let what = format!("{bits} bits, {lookup_bits} a lookup, {} columns", block.columns());
        let equation = equation.clone();
        Self { block, format, checks, equation, operands, good, test, id, what }
    }

    /// `3·5 = 15` in all shapes modulo 256 bits, and over the fields of other lengths; there also `9·4 - 7·3 = 15`, and
    /// `3·5 = 15` modulo a prime that is shorter than elements are.
    fn all() -> Vec<Self> {
        let product = |layout: &Layout, prime: &BigUint| {
            Self::new(layout, &Equation::multiply(prime), &[3, 5], 15)
        };
        let mut all: Vec<_> = SHAPES.iter().map(|of| product(&shape(*of), &base_field())).collect();
        for field in Field::all() {
            for layout in fields::SHAPES.map(|of| field.layout(of)) {
                all.extend(field.primes().into_iter().map(|prime| product(&layout, prime)));
                all.push(Self::new(&layout, &fields::less(&field.p), &[9, 4, 7, 3], 15));
            }
        }
        all
    }

    /// What is related where the result is `c`: a multiple of the prime, if it is true.
    fn sum(&self, c: &BigUint) -> BigInt {
        let value = |place: usize| BigInt::from(self.number(c, place).clone());
        let relation = self.equation.relation();
        let term = |(factor, term): &(i64, Operands)| match term {
            Operands::Product(a, b) => value(*a) * value(*b) * factor,
            Operands::Linear(x) => value(*x) * factor,
        };
        relation.terms.iter().map(term).sum::<BigInt>() + relation.constant
    }

    /// The number of a source, by its place.
    fn number<'a>(&'a self, c: &'a BigUint, place: usize) -> &'a BigUint {
        match self.equation.sources()[place] {
            Source::Result => c,
            Source::Operand(operand) => &self.operands[operand],
            other => unreachable!("{other:?} is not used here"),
        }
    }

    /// All cells for the result `c` and the shifted quotient, the carries those of the integers.
    fn witness(&self, c: &BigUint, quotient: &BigUint) -> Vec<Forged> {
        let format = &self.format;
        let count = format.limb_widths(self.checks.quotient.bits).len().max(format.limbs() + 1);
        let limbs = |value: &BigUint| -> Vec<BigInt> {
            format.split(value, count).into_iter().map(BigInt::from).collect()
        };
        let relation = self.equation.relation();
        let sources = 0..self.equation.sources().len();
        let sources: Vec<_> = sources.map(|place| limbs(self.number(c, place))).collect();
        let (q, p) = (limbs(quotient), limbs(format.modulus()));
        let product = |a: &[BigInt], b: &[BigInt], at: usize| -> BigInt {
            (0..=at).filter_map(|i| Some(a.get(i)? * b.get(at - i)?)).sum()
        };
        let mut carry = BigInt::ZERO;
        let mut carries = vec![];
        for (group, shifted) in self.checks.carries.iter().enumerate() {
            let mut sum = carry;
            for place in 0..format.group() {
                let at = group * format.group() + place;
                let mut part =
                    BigInt::from(relation.constant_limb(format, &self.checks.quotient, at));
                for (factor, term) in &relation.terms {
                    part += factor
                        * match term {
                            Operands::Product(a, b) => product(&sources[*a], &sources[*b], at),
                            Operands::Linear(x) => sources[*x].get(at).cloned().unwrap_or_default(),
                        };
                }
                sum += (part - product(&q, &p, at)) << (place * format.limb_bits());
            }
            // Of a sum that is no multiple of the group's power the nearest carry may be out of range.
            let found: BigInt = (sum >> self.block.group_bits()) - &shifted.offset;
            let found = found.clamp(BigInt::ZERO, (BigInt::one() << shifted.bits) - 1);
            carry = &found + &shifted.offset;
            carries.push(found.magnitude().clone());
        }
        let mut forged = result(&self.block, self.id, c);
        forged.extend(self.quotient_cells(quotient));
        forged.extend(sums(&self.block, self.id, &self.block.carries, &carries));
        forged
    }

    fn quotient_cells(&self, quotient: &BigUint) -> Vec<Forged> {
        let count = self.format.limb_widths(self.checks.quotient.bits).len();
        let limbs = self.format.split(quotient, count);
        sums(&self.block, self.id, &self.block.quotient, &limbs)
    }

    /// The shifted quotient of the relation's sum and the prime, modulo `modulus`.
    fn quotient(&self, c: &BigUint, modulus: &BigUint) -> BigUint {
        let modulus = BigInt::from(modulus.clone());
        let prime = BigInt::from(self.format.modulus().clone());
        let inverse = prime.modinv(&modulus).expect("prime to it");
        let quotient: BigInt = self.sum(c) * inverse - &self.checks.quotient.offset;
        quotient.rem_euclid(&modulus).magnitude().clone()
    }
}

/// The honest witness, put together by the test: what is forged below is well formed.
#[test]
fn the_forger_is_honest_about_true_results() {
    for mut forge in Forge::all() {
        let prime = BigInt::from(forge.format.modulus().clone());
        for c in [number(forge.good), forge.format.modulus() + forge.good] {
            let shifted: BigInt = forge.sum(&c) / &prime - &forge.checks.quotient.offset;
            let forged = forge.witness(&c, shifted.magnitude());
            assert_eq!(forge.test.failing(forged), [""; 0], "{}", forge.what);
        }
    }
}

/// A quotient that is right modulo the native prime alone, with the carries that come nearest.
#[test]
fn a_quotient_right_modulo_the_native_prime_alone() {
    for mut forge in Forge::all() {
        let good = forge.good;
        for wrong in [good + 1, good - 1, 0, 1 << 40].map(number) {
            let quotient = forge.quotient(&wrong, &native());
            let forged = forge.witness(&wrong, &quotient);
            // Each group by itself, and nothing else.
            let failures = forge.test.failures_with(forged);
            let is_limbs =
                |failure: &Failure| matches!(failure, Failure::Gate(name, _) if name == "limbs");
            assert!(failures.iter().all(is_limbs), "{} {wrong}", forge.what);
            assert_eq!(failures.len(), forge.checks.carries.len(), "{} {wrong}", forge.what);
        }
    }
}

/// A quotient in range that is right modulo the power of two of all limbs alone.
#[test]
fn a_quotient_right_over_limbs_alone() {
    for mut forge in Forge::all() {
        let bits = forge.checks.carries.len() * forge.block.group_bits();
        let modulus = BigUint::one() << bits;
        let range = forge.checks.quotient.bits as u64;
        // Each step adds the inverse of the prime to the quotient of the one before.
        let good = forge.good;
        let first = forge.quotient(&number(good + 1), &modulus);
        let step = &modulus + forge.quotient(&number(good + 2), &modulus) - &first;
        let mask = &modulus - 1u8;
        let found = (0u64..1 << 18).find_map(|i| {
            let quotient = (&first + &step * i) & &mask;
            (quotient.bits() <= range).then(|| (number(good + 1 + i), quotient))
        });
        // Where many bits are checked over limbs none of the few that are tried is in range.
        let Some((wrong, quotient)) = found else {
            assert!(bits as u64 > range + 12, "{}", forge.what);
            continue;
        };
        let forged = forge.witness(&wrong, &quotient);
        assert_eq!(forge.test.failing(forged), ["native"], "{}", forge.what);
    }
}

/// Quotients and carries that differ from the true ones, each in its range.
#[test]
fn other_quotients_and_carries() {
    for mut forge in Forge::all() {
        let honest = (-&forge.checks.quotient.offset).magnitude().clone();
        for quotient in [&honest + 1u8, &honest - 1u8] {
            let forged = forge.quotient_cells(&quotient);
            assert_eq!(forge.test.failing(forged), ["limbs", "native"], "{}", forge.what);
        }
        for carry in 0..forge.checks.carries.len() {
            for value in [BigUint::ZERO, BigUint::one() << (forge.checks.carries[carry].bits - 1)] {
                let pieces = &forge.block.carries[carry..=carry];
                let forged = sums(&forge.block, forge.id, pieces, &[value + 3u8]);
                assert_eq!(forge.test.failing(forged), ["limbs"], "{} {carry}", forge.what);
            }
        }
    }
}
