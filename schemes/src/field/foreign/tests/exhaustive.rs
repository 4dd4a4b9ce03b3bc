//! All operands and all quotients of small relations, limbs with signs among them.

use super::*;

/// `a·b + 2·b·c - c + 3`, for an `a` whose limbs have signs.
fn two_products() -> Relation {
    Relation {
        terms: vec![
            (1, Operands::Product(0, 1)),
            (2, Operands::Product(1, 2)),
            (-1, Operands::Linear(2)),
        ],
        constant: BigInt::from(3),
    }
}

/// `a·b - c·d - e`
pub(super) fn four_operands() -> Relation {
    Relation {
        terms: vec![
            (1, Operands::Product(0, 1)),
            (-1, Operands::Product(2, 3)),
            (-1, Operands::Linear(4)),
        ],
        constant: BigInt::zero(),
    }
}

/// Every operand of six bits with its limbs; with signs, every choice of them.
fn operands(range: Range) -> Vec<(i128, Vec<i128>)> {
    let low = |bound: i128| match range {
        Range::Element | Range::Near => 0,
        Range::Signed => 1 - bound,
    };
    let limbs = (low(4)..4).flat_map(|high| (low(16)..16).map(move |low| vec![low, high]));
    limbs.map(|limbs| (limbs[0] + 16 * limbs[1], limbs)).collect()
}

/// The quotients in range that pass the native check: there is one residue of them.
fn natively(toy: &Toy, values: &[i128]) -> Vec<i128> {
    let modulus = toy.format.modulus().to_i128().expect("toys are small");
    let rest = toy.difference(values, 0).rem_euclid(TOY_NATIVE);
    let residue = rest * inverse(modulus) % TOY_NATIVE;
    (residue..1 << toy.checks.quotient.bits).step_by(TOY_NATIVE as usize).collect()
}

#[test]
fn signed_operands_and_two_products() {
    let format = Format::new(BigUint::from(TOY_NATIVE as u64), 61u8.into(), (4, 1), 2);
    let relation = two_products();
    let ranges = [Range::Signed, Range::Element, Range::Element];
    let toy = Toy::of(&format, &relation, &ranges);
    let [all_a, all_b, all_c] = ranges.map(operands);
    assert_eq!((all_a.len(), all_b.len()), (31 * 7, 64));
    let mut found = 0;
    for (a, a_limbs) in &all_a {
        for (b, b_limbs) in &all_b {
            for (c, c_limbs) in &all_c {
                let values = [*a, *b, *c];
                let limbs = [a_limbs, b_limbs, c_limbs].map(Clone::clone);
                let holds = toy.difference(&values, 0).rem_euclid(61) == 0;
                let honest = toy.difference(&values, 0).div_euclid(61);
                let quotients = natively(&toy, &values);
                assert!(!holds || quotients.contains(&honest), "{values:?}");
                for quotient in quotients {
                    let accepted = toy.accepts_limbs(&values, &limbs, quotient);
                    assert_eq!(accepted, holds && quotient == honest, "{values:?}, {quotient}");
                    found += usize::from(accepted);
                }
            }
        }
    }
    // One in 61, about.
    assert!(found > all_a.len() * 64 * 64 / 70, "{found}");
}

/// Elements that are longer than the prime, as those of a field are for the order of a curve.
#[test]
fn toys_of_shorter_primes() {
    for (shorter, relation) in [(31u8, Relation::product()), (31, mixed()), (13, mixed())] {
        let format = toy(61).with_modulus(&shorter.into());
        assert_eq!(format.element_bits(), 6);
        let toy = Toy::new(&format, &relation);
        for number in 0..1i128 << 18 {
            let values = [0, 6, 12].map(|low| number >> low & 63);
            let difference = toy.difference(&values, 0);
            let holds = difference.rem_euclid(shorter.into()) == 0;
            let honest = difference.div_euclid(shorter.into());
            let quotients = natively(&toy, &values);
            assert!(!holds || quotients.contains(&honest), "{values:?}");
            for quotient in quotients {
                let accepted = toy.accepts(&values, quotient);
                assert_eq!(accepted, holds && quotient == honest, "{values:?}, {quotient}");
            }
        }
    }
}

/// An operand of five bits whose top limb is shorter than a lookup, and one of seven bits whose top limb has two that overlap,
/// with all quotients that pass the native check.
#[test]
fn near_operands() {
    for (modulus, bits, greatest) in [(31u8, 5, 31), (113, 7, 159)] {
        let format = Format::new(BigUint::from(TOY_NATIVE as u64), modulus.into(), (4, 1), 2);
        assert_eq!(format.greatest(Range::Near), greatest.into());
        let relation = Relation::product();
        let toy = Toy::of(&format, &relation, &[Range::Near, Range::Element, Range::Element]);
        let (mask, mut found) = ((1i128 << bits) - 1, 0);
        for number in 0..(greatest + 1) << (2 * bits) {
            let values = [number >> (2 * bits), number >> bits & mask, number & mask];
            let difference = toy.difference(&values, 0);
            let holds = difference.rem_euclid(modulus.into()) == 0;
            let honest = difference.div_euclid(modulus.into());
            let quotients = natively(&toy, &values);
            assert!(!holds || quotients.contains(&honest), "{values:?}");
            for quotient in quotients {
                let accepted = toy.accepts(&values, quotient);
                assert_eq!(accepted, holds && quotient == honest, "{values:?}, {quotient}");
                found += usize::from(accepted);
            }
        }
        assert!(found > (1 << (3 * bits)) >> bits, "{found}");
    }
}

/// All of four operands and a result of five bits, with all quotients that pass the native check.
#[test]
fn four_operands_of_five_bits() {
    let format = Format::new(BigUint::from(TOY_NATIVE as u64), 31u8.into(), (4, 1), 2);
    let relation = four_operands();
    let toy = Toy::of(&format, &relation, &[Range::Element; 5]);
    let inverse = inverse(31);
    let mut found = 0;
    for number in 0..1i128 << 25 {
        let values = [0, 5, 10, 15, 20].map(|low| number >> low & 31);
        let difference = toy.difference(&values, 0);
        let holds = difference.rem_euclid(31) == 0;
        let honest = difference.div_euclid(31);
        let residue = difference.rem_euclid(TOY_NATIVE) * inverse % TOY_NATIVE;
        let end = 1 << toy.checks.quotient.bits;
        assert!(!holds || (residue == honest && honest < end), "{values:?}");
        for quotient in (residue..end).step_by(TOY_NATIVE as usize) {
            let limbs = values.map(|value| toy.limbs(value, 2));
            let accepted = toy.accepts_limbs(&values, &limbs, quotient);
            assert_eq!(accepted, holds && quotient == honest, "{values:?}, {quotient}");
            found += usize::from(accepted);
        }
    }
    // Each sum of products is one result or, where it is 0, two: 0 and 31.
    assert!(found > 1 << 20, "{found}");
}

/// Over the integers the quotient counts nothing.
#[test]
fn equations_over_the_integers() {
    let term = |factor, operands| (factor, operands);
    let at_most = Relation {
        terms: vec![term(1, Operands::Linear(0)), term(1, Operands::Linear(1))],
        constant: BigInt::from(-61),
    };
    let even = Relation {
        terms: vec![term(1, Operands::Linear(0)), term(-2, Operands::Linear(1))],
        constant: BigInt::zero(),
    };
    let format = toy(61).with_modulus(&BigUint::zero());
    for relation in [at_most, even, Relation::product(), mixed()] {
        let toy = Toy::new(&format, &relation);
        for a in 0..64 {
            for b in 0..64 {
                // A third operand where there is one: all of them.
                let last = if relation.terms.len() < 3 && relation != Relation::product() {
                    1
                } else {
                    64
                };
                for c in 0..last {
                    let values = [a, b, c];
                    let holds = toy.difference(&values, 0) == 0;
                    for quotient in 0..1 << toy.checks.quotient.bits {
                        assert_eq!(toy.accepts(&values, quotient), holds, "{values:?}");
                    }
                }
            }
        }
    }
}
