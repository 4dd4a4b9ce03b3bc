//! The range of a result.

use super::*;

/// Any residue that fits 256 bits is a result; a bound over the integers tells them apart.
#[test]
fn results_are_not_canonical() {
    let p = base_field();
    for of in SHAPES {
        for (c, canonical) in [(number(15), true), (&p + 15u8, false)] {
            let build = |bounded: bool| {
                let c = c.clone();
                circuit(&shape(of), move |chip| {
                    let c = product_of(chip, &base_field(), [&number(3), &number(5), &c]);
                    let bound = base_field() - 1u8;
                    // Where `c` is above the bound, no rest makes the equation hold.
                    let rest = if c.value() <= &bound { &bound - c.value() } else { number(0) };
                    if bounded {
                        chip.relate(&at_most(&bound), &[Operand::Element(&c)], &rest);
                    }
                })
            };
            assert!(build(false).is_satisfied(), "{of:?}");
            assert_eq!(build(true).is_satisfied(), canonical, "{of:?}");
        }
    }
}

/// The rest that is right modulo the native prime, and the one modulo `2^256`.
#[test]
fn a_bound_does_not_wrap() {
    let bound = base_field() - 1u8;
    for of in SHAPES {
        for wrapped in [native(), BigUint::one() << 256] {
            let above = &bound + 5u8;
            let rest = (wrapped - 5u8) & top();
            let mut test = circuit(&shape(of), |chip| {
                let element = any(chip, &above);
                chip.relate(&at_most(&bound), &[Operand::Element(&element)], &rest);
            });
            assert!(!test.failing(vec![]).is_empty(), "{of:?}");
        }
    }
}

#[test]
fn bounds_are_met_exactly() {
    let bound = base_field() - 1u8;
    for (value, rest) in [(bound.clone(), number(0)), (number(0), bound.clone())] {
        circuit(&shape(SMALL), |chip| {
            let element = any(chip, &value);
            chip.relate(&at_most(&bound), &[Operand::Element(&element)], &rest);
        })
        .assert_satisfied();
    }
}

/// An element of 256 bits and one of 257: the limbs' lookups alone would let it pass where they
/// reach further, and the spare digit refuses it.
#[test]
fn the_top_digit_is_short() {
    for of in SHAPES {
        let layout = shape(of);
        let block = block(&layout);
        let mut test = circuit(&layout, |chip| drop(any(chip, &number(1))));
        let id = HISTORY;
        let failing = test.failing(result(&block, id, &top()));
        assert_eq!(failing, [""; 0], "{of:?}");
        let forged = result(&block, id, &(top() + 1u8));
        let failing = test.failing(forged.clone());
        assert_eq!(failing, ["foreign: limb is below 2^t"], "{of:?}");
        let Some(spare) = &block.spare else { continue };
        // With another spare digit the lookup is content and the gate is not.
        let row = id * block.rows() + spare.row;
        let small = Forged { column: spare.column, row, value: Fr::one() };
        let others =
            forged.into_iter().filter(|cell| (cell.column, cell.row) != (spare.column, row));
        let failing = test.failing(others.chain([small]).collect());
        assert_eq!(failing, ["the top digit is short"], "{of:?}");
    }
}

/// Of elements of 381 bits, with many split limbs.
const LONG: [(usize, usize); 2] = [(10, 19), (9, 40)];

fn long_shape(of: (usize, usize)) -> Layout {
    let p = (BigUint::one() << 380) + 1u8;
    shape_of(of, &[Equation::free(), Equation::multiply(&p)])
}

/// A split limb whose whole is another number than its pieces.
#[test]
fn split_limbs_are_their_pieces() {
    let mut tried = 0;
    let shapes = SHAPES.map(|of| (of, shape(of)));
    for (of, layout) in shapes.into_iter().chain(LONG.map(|of| (of, long_shape(of)))) {
        let block = block(&layout);
        let mut test = circuit(&layout, |chip| drop(any(chip, &number(1))));
        for limb in block.split_limbs() {
            let forged = operand(&block, HISTORY, OperandCell::Whole(limb), Fr::from(2));
            assert_eq!(test.failing(vec![forged]), ["a limb is its pieces"], "{of:?}");
            tried += 1;
        }
    }
    assert!(tried > 11, "{tried}");
}

/// Range checks stand in the first column of sums, below the relations: each still binds, and none
/// touches what is above.
#[test]
fn range_checks_below_the_relations() {
    for of in SHAPES {
        let build = |value: Fr, bits: usize| {
            TestCircuit::new(shape(of), |ctx| {
                let chip = ctx.chips.foreign();
                (0..HISTORY).for_each(|_| drop(any(chip, &BigUint::ZERO)));
                product_of(chip, &base_field(), [&number(3), &number(5), &number(15)]);
                for _ in 0..3 {
                    ctx.range.check(halo2_base::QuantumCell::Witness(value), bits);
                }
            })
        };
        let bits = 3 * of.0;
        assert!(build(power(bits) - Fr::one(), bits).is_satisfied(), "{of:?}");
        for value in [power(bits), -Fr::one()] {
            assert!(!build(value, bits).is_satisfied(), "{of:?}");
        }
    }
}
