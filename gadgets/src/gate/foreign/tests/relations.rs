//! Relations that hold and that do not, and witnesses that are right by one check alone.

use num_bigint::RandBigInt;
use num_traits::Euclid;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::field::foreign::relation::Checks;

fn edges(prime: &BigUint) -> Vec<BigUint> {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let one = BigUint::one();
    vec![number(0), one, prime - 1u8, prime.clone(), prime + 1u8, top(), rng.gen_biguint(256)]
}

/// Products whose operands are any numbers of 256 bits; the result is any of the residues that fit.
#[test]
fn products_of_edge_values() {
    for prime in [base_field(), scalar_field()] {
        let all = edges(&prime);
        for pairs in all.iter().zip(all.iter().rev()).collect::<Vec<_>>().chunks(7) {
            for layout in SHAPES.map(shape) {
                let test = circuit(&layout, |chip| {
                    for (a, b) in pairs {
                        product_of(chip, &prime, [a, b, &(*a * *b % &prime)]);
                    }
                });
                test.assert_satisfied();
            }
        }
    }
}

#[test]
fn wrong_products() {
    for prime in [base_field(), scalar_field()] {
        let all = edges(&prime);
        for a in &all {
            let b = &all[6];
            let c = a * b % &prime;
            for wrong in [(&c + 1u8) % &prime, top() - &c, a * b % (&prime - 2u8)] {
                let mut test =
                    circuit(&shape(SMALL), |chip| drop(product_of(chip, &prime, [a, b, &wrong])));
                let holds = (&wrong + &prime * 2u8 - &c) % &prime == BigUint::ZERO;
                assert_eq!(test.failing(vec![]).is_empty(), holds, "{a} {b} {wrong}");
            }
        }
    }
}

#[test]
fn wrong_products_in_all_shapes() {
    for layout in SHAPES.map(shape) {
        let values = [&number(3), &number(5), &number(16)];
        let mut test = circuit(&layout, |chip| drop(product_of(chip, &base_field(), values)));
        let failing = test.failing(vec![]);
        assert!(failing.contains(&"native".to_owned()), "{failing:?}");
    }
}

/// Lookups of 16 bits, as proofs have them.
#[test]
fn sixteen_bits() {
    let layout = shape((16, 6));
    for (c, holds) in [(15, true), (14, false)] {
        let values = [&number(3), &number(5), &number(c)];
        let mut test = circuit(&layout, |chip| {
            product_of(chip, &base_field(), values);
        });
        assert_eq!(test.failing(vec![]).is_empty(), holds);
    }
}

/// An equation with everything in it, over random numbers of 256 bits.
#[test]
fn two_products_and_a_linear_part() {
    let p = BigInt::from(base_field());
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    for layout in SHAPES.map(shape) {
        let values: Vec<_> = (0..5).map(|_| rng.gen_biguint(256)).collect();
        let signed: Vec<_> = values.iter().cloned().map(BigInt::from).collect();
        let [a0, a1, b3, b2, b1] = &signed[..] else { unreachable!("five numbers") };
        let rest = b2 * b1 + a1 - b3 * 2 + 7;
        let divisor: BigInt = (a0 - b2).rem_euclid(&p);
        let inverse = divisor.modinv(&p).expect("a prime");
        let good: BigInt = b1 * 3 - rest * inverse;
        let good = good.rem_euclid(&p);
        for (value, holds) in [(good.clone(), true), (good + 1, false)] {
            let mut test = circuit(&layout, |chip| {
                let cells: Vec<_> = values.iter().map(|value| any(chip, value)).collect();
                let operands = [Operand::Element(&cells[0]), Operand::Element(&cells[1])];
                let above = cells.iter().collect::<Vec<_>>();
                chip.below(&above).relate(&mixed(), &operands, value.magnitude());
            });
            assert_eq!(test.failing(vec![]).is_empty(), holds);
        }
    }
}

/// The block of the product behind four dummies and two operands.
const PRODUCT: usize = HISTORY + 2;

/// `3·5 = c`, with whatever quotient makes the chosen checks pass.
struct Forge {
    block: Block,
    checks: Checks,
    equation: Equation,
    test: TestCircuit,
}

impl Forge {
    fn new(of: (usize, usize)) -> Self {
        let (layout, p) = (shape(of), base_field());
        let block = block(&layout);
        let equation = Equation::multiply(&p);
        let format = block.format().with_modulus(&p);
        let checks =
            equation.relation().checks_of(&format, &equation.ranges(), block.widths()).expect("ok");
        let values = [&number(3), &number(5), &number(15)];
        let test = circuit(&layout, |chip| drop(product_of(chip, &p, values)));
        Self { block, checks, equation, test }
    }

    /// All cells for the result `c` and the shifted quotient, the carries those of the integers.
    fn witness(&self, c: &BigUint, quotient: &BigUint) -> Vec<Forged> {
        let format = self.block.format().with_modulus(&base_field());
        let limbs = |value: &BigUint| -> Vec<BigInt> {
            format.split(value, format.limbs() + 1).into_iter().map(BigInt::from).collect()
        };
        let (a, b, c_limbs) = (limbs(&number(3)), limbs(&number(5)), limbs(c));
        let (q, p) = (limbs(quotient), limbs(&base_field()));
        let product = |a: &[BigInt], b: &[BigInt], at: usize| -> BigInt {
            (0..=at).filter_map(|i| Some(a.get(i)? * b.get(at - i)?)).sum()
        };
        let relation = self.equation.relation();
        let mut carry = BigInt::ZERO;
        let mut carries = vec![];
        for (group, shifted) in self.checks.carries.iter().enumerate() {
            let mut sum = carry;
            for place in 0..format.group() {
                let at = group * format.group() + place;
                let constant = relation.constant_limb(&format, &self.checks.quotient, at);
                let part = product(&a, &b, at) - c_limbs.get(at).cloned().unwrap_or_default()
                    + BigInt::from(constant)
                    - product(&q, &p, at);
                sum += part << (place * format.limb_bits());
            }
            carry = sum >> self.block.group_bits();
            let found: BigInt = &carry - &shifted.offset;
            assert!(found >= BigInt::ZERO && found.bits() as usize <= shifted.bits);
            carries.push(found.magnitude().clone());
        }
        let count = format.limb_widths(self.checks.quotient.bits).len();
        let mut forged = result(&self.block, PRODUCT, c);
        let quotient = format.split(quotient, count);
        forged.extend(sums(&self.block, PRODUCT, &self.block.quotient, &quotient));
        forged.extend(sums(&self.block, PRODUCT, &self.block.carries, &carries));
        forged
    }

    /// The shifted quotient `(15 - c)/p` modulo `modulus`.
    fn quotient(&self, c: &BigUint, modulus: &BigUint) -> BigUint {
        let modulus = BigInt::from(modulus.clone());
        let inverse = BigInt::from(base_field()).modinv(&modulus).expect("prime to it");
        let quotient: BigInt =
            (15 - BigInt::from(c.clone())) * inverse - &self.checks.quotient.offset;
        quotient.rem_euclid(&modulus).magnitude().clone()
    }
}

/// The honest witness, put together by the test: what is forged below is well formed.
#[test]
fn the_forger_is_honest_about_true_results() {
    for of in SHAPES {
        let mut forge = Forge::new(of);
        for c in [number(15), base_field() + 15u8] {
            let quotient = (15 - BigInt::from(c.clone())) / BigInt::from(base_field());
            let shifted: BigInt = quotient - &forge.checks.quotient.offset;
            let forged = forge.witness(&c, shifted.magnitude());
            assert_eq!(forge.test.failing(forged), [""; 0], "{of:?}");
        }
    }
}

/// A quotient that is right modulo the native prime alone, with the carries that come nearest.
#[test]
fn a_quotient_right_modulo_the_native_prime_alone() {
    for of in SHAPES {
        let mut forge = Forge::new(of);
        for wrong in [16, 14, 0, 1 << 40].map(number) {
            let quotient = forge.quotient(&wrong, &native());
            let forged = forge.witness(&wrong, &quotient);
            assert_eq!(forge.test.failing(forged), ["limbs"], "{of:?} {wrong}");
        }
    }
}

/// A quotient in range that is right modulo the power of two of all limbs alone.
#[test]
fn a_quotient_right_over_limbs_alone() {
    for of in SHAPES {
        let mut forge = Forge::new(of);
        let bits = forge.checks.carries.len() * forge.block.group_bits();
        let modulus = BigUint::one() << bits;
        let range = forge.checks.quotient.bits as u64;
        // Each step adds the inverse of the prime to the quotient of the one before.
        let first = forge.quotient(&number(16), &modulus);
        let step = &modulus + forge.quotient(&number(17), &modulus) - &first;
        let mask = &modulus - 1u8;
        let found = (0u64..1 << 18).find_map(|i| {
            let quotient = (&first + &step * i) & &mask;
            (quotient.bits() <= range).then(|| (number(16 + i), quotient))
        });
        // Where many bits are checked over limbs none of the few that are tried is in range.
        let Some((wrong, quotient)) = found else {
            assert!(bits as u64 > range + 12, "{of:?}");
            continue;
        };
        let forged = forge.witness(&wrong, &quotient);
        assert_eq!(forge.test.failing(forged), ["native"], "{of:?}");
    }
}

/// Quotients and carries that differ from the true ones, each in its range.
#[test]
fn other_quotients_and_carries() {
    for of in SHAPES {
        let mut forge = Forge::new(of);
        let honest = (-&forge.checks.quotient.offset).magnitude().clone();
        for quotient in [&honest + 1u8, &honest - 1u8] {
            let format = forge.block.format();
            let count = format.limb_widths(forge.checks.quotient.bits).len();
            let limbs = format.split(&quotient, count);
            let forged = sums(&forge.block, PRODUCT, &forge.block.quotient, &limbs);
            let failing = forge.test.failing(forged);
            assert_eq!(failing, ["limbs", "native"], "{of:?}");
        }
        for carry in 0..forge.checks.carries.len() {
            for value in [BigUint::ZERO, BigUint::one() << (forge.checks.carries[carry].bits - 1)] {
                let pieces = &forge.block.carries[carry..=carry];
                let forged = sums(&forge.block, PRODUCT, pieces, &[value + 3u8]);
                assert_eq!(forge.test.failing(forged), ["limbs"], "{of:?} {carry}");
            }
        }
    }
}

/// Operands that are other numbers than the ones that were made, each limb alone, with a result that follows from them:
/// copies alone refuse them.
#[test]
fn operands_are_what_was_made() {
    for of in [(8, 1), SMALL, (12, 9)] {
        let layout = shape(of);
        let format = block(&layout).format().clone();
        let p = base_field();
        let (a, b) = (top() / 3u8, top() / 5u8);
        let build = |place: usize, number: &BigUint| {
            circuit(&layout, |chip| {
                let elements = [any(chip, &a), any(chip, &b)];
                let mut lying = elements.clone();
                lying[place] = elements[place].lying(number);
                let result = lying[0].value() * lying[1].value() % &p;
                let operands = [Operand::Element(&lying[0]), Operand::Element(&lying[1])];
                chip.relate(&Equation::multiply(&p), &operands, &result);
            })
        };
        for (place, honest) in [&a, &b].into_iter().enumerate() {
            build(place, honest).assert_satisfied();
            for limb in 0..format.limbs() {
                let other = honest ^ (BigUint::one() << (limb * format.limb_bits()));
                assert_eq!(build(place, &other).failing(vec![]), ["copy"], "{of:?} {limb}");
            }
        }
    }
}
