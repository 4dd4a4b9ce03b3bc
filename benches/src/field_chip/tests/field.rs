//! The trait's methods, one by one.

use halo2_base::{
    gates::RangeInstructions,
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field, secp256k1::Fp},
    utils::modulus,
    Context,
};
use halo2_ecc::fields::{FieldChip, Selectable};
use muster_gates::foreign::{Equation, Operand};
use num_bigint::BigUint;

use super::{holds, layout};
use crate::field_chip::{
    chip::{quotient, sum},
    Element, Foreign,
};

fn refused(build: fn(&mut Context<Fr>, &Foreign<Fp>)) {
    assert!(!holds(&layout(13, 12, 2), build));
}

fn values() -> [Fp; 3] {
    [-Fp::ONE, Fp::from(3).invert().unwrap(), Fp::from(1 << 40)]
}

/// Each operation over `a` and `b`, and what it is.
fn results(
    ctx: &mut Context<Fr>,
    chip: &Foreign<Fp>,
    (a, x): (&Element, Fp),
    (b, y): (&Element, Fp),
) -> Vec<(Element, Fp)> {
    let (million, over) = (Fp::from(1_000_000), x * y.invert().unwrap());
    vec![
        (chip.add_no_carry(ctx, a, b), x + y),
        (chip.add_constant_no_carry(ctx, a, y), x + y),
        (chip.sub_no_carry(ctx, a, b), x - y),
        (chip.negate(ctx, a.clone()), -x),
        (chip.scalar_mul_no_carry(ctx, a, 0), Fp::ZERO),
        (chip.scalar_mul_no_carry(ctx, a, -3), -x.double() - x),
        (chip.scalar_mul_no_carry(ctx, a, 1_000_000), x * million),
        (chip.scalar_mul_no_carry(ctx, a, -1_000_000), -x * million),
        (chip.scalar_mul_and_add_no_carry(ctx, a, b, -2), y - x.double()),
        (chip.scalar_mul_and_add_no_carry(ctx, a, b, 1_000_000), x * million + y),
        (chip.mul_no_carry(ctx, a, b), x * y),
        (chip.mul(ctx, a, b), x * y),
        (chip.divide(ctx, a, b), over),
        (chip.divide_unsafe(ctx, a, b), over),
        (chip.neg_divide(ctx, a, b), -over),
        (chip.neg_divide_unsafe(ctx, a, b), -over),
    ]
}

#[test]
fn operations_are_those_of_the_field() {
    let held = holds(&layout(15, 12, 2), |ctx, chip| {
        for x in values() {
            for y in values() {
                let [a, b] = [x, y].map(|value| chip.load_private(ctx, value));
                for (result, value) in results(ctx, chip, (&a, x), (&b, y)) {
                    assert_eq!(chip.get_assigned_value(&result), value);
                    let constant = chip.load_constant(ctx, value);
                    chip.assert_equal(ctx, &result, constant);
                    let carried = chip.carry_mod(ctx, result.clone());
                    let zero = chip.sub_no_carry(ctx, carried, result);
                    chip.check_carry_mod_to_zero(ctx, zero);
                }
            }
        }
    });
    assert!(held);
}

#[test]
fn what_does_not_hold_is_refused() {
    refused(|ctx, chip| {
        let one = chip.load_private(ctx, Fp::ONE);
        chip.check_carry_mod_to_zero(ctx, one);
    });
    refused(|ctx, chip| {
        let [a, b] = [3, 4].map(|value| chip.load_private(ctx, Fp::from(value)));
        chip.assert_equal(ctx, a, b);
    });
    refused(|ctx, chip| {
        let zero = chip.load_private(ctx, Fp::ZERO);
        chip.divide(ctx, &zero, &zero);
    });
    refused(|ctx, chip| {
        let zero = chip.load_private(ctx, Fp::ZERO);
        chip.neg_divide(ctx, &zero, &zero);
    });
    refused(|ctx, chip| {
        let [a, b] = [Fp::ONE, Fp::ZERO].map(|value| chip.load_private(ctx, value));
        chip.divide_unsafe(ctx, a, b);
    });
    // p itself, which is 0 in the field and no reduced number.
    refused(|ctx, chip| {
        let p = chip.with(|field, gate| Element(field.element(gate, &modulus::<Fp>())));
        chip.check_carry_mod_to_zero(ctx, p.clone());
        chip.is_zero(ctx, p);
    });
}

/// What the chip's own equations say of their results, not what it takes for them.
#[test]
fn results_are_these_and_no_others() {
    let p = modulus::<Fp>();
    let cases = [
        (sum(&p, (3, -1), &BigUint::from(7u8)), 3 * 12 - 4 + 7),
        (sum(&p, (-1, 5), &(&p - 1u8)), 5 * 4 - 12 - 1),
        (quotient(&p, 1), 12 / 4),
        (quotient(&p, -1), -12 / 4),
    ];
    let is_result = |equation: &Equation, result: i64| {
        holds(&layout(13, 12, 2), |ctx, chip| {
            let [a, b] = [12, 4].map(|value| chip.load_private(ctx, Fp::from(value)));
            let operands = [Operand::Element(&a.0), Operand::Element(&b.0)];
            let result = match u64::try_from(result) {
                Ok(result) => BigUint::from(result),
                Err(_) => &p - result.unsigned_abs(),
            };
            chip.with(|_, gate| gate.relate(equation, &operands, &result));
        })
    };
    for (equation, result) in &cases {
        assert!(is_result(equation, *result));
        assert!(![result - 1, result + 1, -result].iter().any(|r| is_result(equation, *r)));
    }
}

#[test]
fn tests_and_choices() {
    let held = holds(&layout(14, 12, 2), |ctx, chip| {
        let values = [Fp::ZERO, Fp::from(8), -Fp::ONE, -Fp::ONE];
        let elements = values.map(|value| chip.load_private(ctx, value));
        for (element, value) in elements.iter().zip(values) {
            let is_zero = Fr::from(u64::from(value == Fp::ZERO));
            assert_eq!(*chip.is_zero(ctx, element).value(), is_zero);
            assert_eq!(*chip.is_soft_zero(ctx, element).value(), is_zero);
            assert_eq!(*chip.is_soft_nonzero(ctx, element).value(), Fr::one() - is_zero);
            for (other, second) in elements.iter().zip(values) {
                let equal = *chip.is_equal(ctx, element, other).value();
                assert_eq!(equal, Fr::from(u64::from(value == second)));
                for (bit, expected) in [(0, second), (1, value)] {
                    let sel = ctx.load_witness(Fr::from(bit));
                    let chosen = chip.select(ctx, element.clone(), other.clone(), sel);
                    assert_eq!(chip.get_assigned_value(&chosen), expected);
                }
            }
        }
        for (i, value) in values.into_iter().enumerate() {
            let indicator: Vec<_> =
                (0..4).map(|j| ctx.load_witness(Fr::from(u64::from(i == j)))).collect();
            let chosen = chip.select_by_indicator(ctx, &elements, &indicator);
            assert_eq!(chip.get_assigned_value(&chosen), value);
            chip.assert_equal(ctx, chosen, &elements[i]);
        }
    });
    assert!(held);
}

#[test]
fn ranges() {
    let bits = |bits: usize| {
        holds(&layout(13, 12, 2), |ctx, chip| {
            let number = chip.load_private(ctx, Fp::from(2).pow_vartime([100]));
            chip.range_check(ctx, number, bits);
        })
    };
    assert!([256, 101, 120].into_iter().all(bits));
    assert!(![100, 12, 0].into_iter().any(bits));
    let orders = [(0, 1), (1, 0), (0, 1023), (1023, 0), (5, 5), (1023, 1023)];
    let held = holds(&layout(13, 12, 2), |ctx, chip| {
        for (a, b) in orders {
            let [x, y] = [a, b].map(|value| ctx.load_witness(Fr::from(value)));
            let is_less = chip.range().is_less_than(ctx, x, y, 10);
            assert_eq!(*is_less.value(), Fr::from(u64::from(a < b)));
        }
    });
    assert!(held);
    let is_below = |a: u64, b: u64| {
        holds(&layout(13, 12, 2), |ctx, chip| {
            let [x, y] = [a, b].map(|value| ctx.load_witness(Fr::from(value)));
            chip.range().check_less_than(ctx, x, y, 10);
        })
    };
    assert!(is_below(4, 5) && !is_below(5, 5) && !is_below(6, 5));
}
