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

/// Every operand of six bits with its limbs; with signs, every choice of them.
fn operands(range: Range) -> Vec<(i128, Vec<i128>)> {
    let low = |bound: i128| match range {
        Range::Element => 0,
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
