//! Each cell of the vertical gate is rewritten, with all that follows from it; and what is left to refuse digits that are
//! not those of a squeezed element.

use halo2_base::utils::fe_to_biguint;

use super::*;
use muster_gates::edwards::AssignedShort;

/// Pairs of coefficients, more than a gate has numbered parts.
const PAIRS: u64 = 7;

fn elements() -> Vec<Fr> {
    (0..PAIRS).map(|i| squeezed() - Fr::from(1_000_003 * i)).collect()
}

/// Products with coefficients and with a constant, and a sum of all coefficients.
/// Gives the rows of what is multiplied and of what coefficients are squeezed from.
fn build(ctx: &mut GateContext) -> Vec<usize> {
    let mut rows = vec![];
    let halves: Vec<_> = elements().iter().flat_map(halves).collect();
    let integers: Vec<_> = halves.iter().map(|half| Coefficient::witness(*half)).collect();
    let s: Vec<_> = (1..=2 * PAIRS)
        .map(|i| (BigInt::from(77 * i) << 200usize) + (BigInt::from(i) << 100usize) + 99u8)
        .map(|s| AssignedCanonical::below_order(ctx, bigint_to_fe(&s)))
        .collect();
    let c = [3u8, 5, 7].map(|c| {
        let c = (BigInt::from(c) << 201usize) + (BigInt::from(c) << 99usize) + 11u8;
        rows.push(ctx.advice.len());
        let c = ctx.load_witness(bigint_to_fe(&c));
        AssignedCanonical::of_field(ctx, c)
    });
    let factors = [integers[0].clone(), integers[1].clone(), 1.into()];
    let products = factors.iter().zip(&c).map(|(z, c)| product(8, z, c));
    let table = &generator(ctx.chips);
    let mut long: Vec<_> = products.map(|scalar| LongTerm { table, scalar }).collect();
    long.push(LongTerm { table, scalar: negated_sum(integers.iter().zip(&s)) });
    let short: Vec<_> =
        halves.iter().map(|v| ShortTerm { table, scalar: ShortScalar::new(*v) }).collect();
    let cells = ctx.chips.edwards.multiply(0, &long, &short);
    let mut z = vec![];
    for (element, pair) in elements().into_iter().zip(cells.short.chunks_exact(2)) {
        rows.push(ctx.advice.len());
        let element = ctx.load_witness(element);
        let pair: &[AssignedShort; 2] = pair.try_into().expect("chunks of two");
        z.extend(Coefficient::pair(ctx, element, pair));
    }
    let constant = one();
    for ((z, c), t) in [&z[0], &z[1], &constant].into_iter().zip(&c).zip(&cells.long) {
        assert_product(ctx, 8, z, c, t);
    }
    let terms: Vec<_> = z.into_iter().zip(s).collect();
    assert_negated_sum(ctx, &terms, &cells.long[3]);
    rows
}

#[test]
fn relations_are_determined() {
    let mut rows = vec![];
    let test = TestCircuit::new(layout(12, &[]), |ctx| rows = build(ctx));
    test.assert_satisfied();
    assert_eq!(test.open_values_given(rows.clone()), (vec![], 0));
    // Running sums of digits, which the Edwards gate binds.
    assert_eq!(test.open_classes_given(rows), (vec![], 33));
}

/// Digits of `squeezed + r`, of one element or of another: the room that is left below the modulus is another one's, and
/// all that could make up for it is bound.
#[test]
fn the_room_of_a_squeezed_element_is_bound() {
    for raised in [0, 1] {
        let mut rows = vec![];
        let test = TestCircuit::new(layout(11, &[]), |ctx| {
            for number in 0..2 {
                let element = Fr::from(0xdead_beef).pow_vartime([77 + number]);
                let digits = if number == raised {
                    let digits = (fe_to_biguint(&element) + modulus::<Fr>()).to_u64_digits();
                    [2, 0].map(|i| u128::from(digits[i + 1]) << 64 | u128::from(digits[i]))
                } else {
                    halves(&element)
                };
                let table = &generator(ctx.chips);
                let long = [LongTerm { table, scalar: LongScalar::new(&1.into()) }];
                let short = digits.map(|v| ShortTerm { table, scalar: ShortScalar::new(v) });
                let pair = ctx.chips.edwards.multiply(0, &long, &short).short;
                rows.push(ctx.advice.len());
                let element = ctx.load_witness(element);
                values(ctx, element, &pair.try_into().expect("two terms"));
            }
        });
        let walk = test.walk(rows);
        assert!(walk.sums >= 1 && walk.copies >= 3, "{raised}: {walk:?}");
    }
}
