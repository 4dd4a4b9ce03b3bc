//! Relations that hold and that do not, and witnesses that are right by one check alone.

use num_bigint::RandBigInt;
use num_traits::Euclid;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;

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
