//! Relations that are false by one equation, and whatever could make up for it: alone, and behind one that is true.

use halo2_base::{halo2_proofs::plonk::Assigned, AssignedValue};

use super::{high::wrong_scalar, *};
use muster_forgery::testing::Walk;

/// Pairs of coefficients in a sum: with more terms parts of its chains have no number of their own.
const PAIRS: u64 = 3;

/// Walks from a lie, alone and behind the truth. `build` gives the rows of what is claimed.
fn told(mut build: impl FnMut(&mut GateContext, bool) -> Vec<usize>) -> [Walk; 2] {
    [false, true].map(|is_behind| {
        let mut claims = vec![];
        let test = TestCircuit::new(layout(12, &[]), |ctx| {
            if is_behind {
                claims.extend(build(ctx, false));
            }
            claims.extend(build(ctx, true));
        });
        test.walk(claims)
    })
}

/// The quotient `q` with `total ≡ t + q·l (mod 2^144)`, which makes up for any `t`.
fn quotient_modulo_the_limbs(total: &BigInt, t: &BigInt, offset: usize) -> BigInt {
    let (modulus, shift) = (power_of_two(TWO_LIMBS), power_of_two(offset));
    // l is odd, so it has an inverse modulo 2^144: its order divides 2^143.
    let inverse = l().modpow(&(power_of_two(TWO_LIMBS - 1) - 1u8), &modulus);
    (((total - t) * inverse + &shift) % &modulus + &modulus) % &modulus - shift
}

/// Wrong scalars for `total` with their quotients: right modulo `2^144`, and right in the field.
fn wrong(total: &BigInt, offset: usize) -> [Forgery; 2] {
    let t: BigInt = odd_representative(total) + 2;
    let limbs = (t.clone(), quotient_modulo_the_limbs(total, &t, offset));
    [limbs, wrong_scalar(total)]
        .map(|(t, quotient)| Forgery { t: Some(t), quotient: Some(quotient) })
}

#[test]
fn every_cell_of_a_product_is_bound() {
    // No limb is 0.
    let c = (BigInt::from(55_555u64) << 190usize) + (BigInt::from(77u8) << 100usize) + 7u8;
    for squeezed in [None, Some(squeezed())] {
        let z = squeezed.map_or(BigInt::one(), |element| Coefficient::witness(halves(&element)[0]));
        for wrong in wrong(&(&z * &c), PRODUCT_OFFSET) {
            let walks = told(|ctx, is_lie| {
                let forgery = if is_lie { wrong.clone() } else { Forgery::default() };
                product_in(ctx, (1, squeezed, &c), &forgery).1
            });
            assert!(walks.iter().all(|walk| walk.sums > 3 && walk.copies > 9), "{walks:?}");
        }
    }
}

/// A sum with a scalar and a quotient.
fn sum_in(ctx: &mut GateContext, elements: &[Fr], s: &[BigInt], forgery: &Forgery) -> Vec<usize> {
    let mut rows = vec![];
    let s: Vec<_> = s
        .iter()
        .map(|s| {
            let s = AssignedCanonical::below_order(ctx, bigint_to_fe(s));
            rows.extend(rows_of_limbs(ctx));
            s
        })
        .collect();
    let halves: Vec<_> = elements.iter().flat_map(halves).collect();
    let table = generator(ctx.chips);
    let integers: Vec<_> = halves.iter().map(|v| Coefficient::witness(*v)).collect();
    let honest = odd_representative(&-sum_integer(integers.iter().zip(&s)));
    let t = forgery.t.clone().unwrap_or(honest);
    let long = [LongTerm { table: &table, scalar: LongScalar::new(&t) }];
    let short = halves.iter().map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(*v) });
    let product = ctx.chips.edwards.multiply(0, &long, &short.collect::<Vec<_>>());
    let mut terms = vec![];
    for (element, pair) in elements.iter().zip(product.short.chunks_exact(2)) {
        rows.push(ctx.advice.len());
        let element = ctx.load_witness(*element);
        terms.extend(Coefficient::pair(ctx, element, pair.try_into().expect("two")));
    }
    let mut terms: Vec<_> = terms.into_iter().zip(s).collect();
    if let Some(quotient) = &forgery.quotient {
        for (z, s) in &mut terms {
            (z.integer, s.integer) = (BigInt::zero(), BigUint::one());
        }
        // Here the total is the sum and t, which is -q·l of the search.
        terms[0].0.integer = -quotient * l() - &t;
    }
    assert_negated_sum(ctx, &terms, &product.long[0]);
    rows
}

#[test]
fn every_cell_of_a_sum_is_bound() {
    let elements: Vec<_> = (0..PAIRS).map(|i| squeezed() - Fr::from(1_000_003 * i)).collect();
    let s: Vec<_> = (1..=2 * PAIRS)
        .map(|i| (BigInt::from(77 * i) << 200usize) + (BigInt::from(i) << 100usize) + 99u8)
        .collect();
    let z = elements.iter().flat_map(halves).map(Coefficient::witness);
    let total: BigInt = z.zip(&s).map(|(z, s)| z * s).sum();
    for wrong in wrong(&-total, BATCH_OFFSET) {
        let walks = told(|ctx, is_lie| {
            let forgery = if is_lie { wrong.clone() } else { Forgery::default() };
            sum_in(ctx, &elements, &s, &forgery)
        });
        assert!(walks.iter().all(|walk| walk.sums > 6 && walk.copies > 12), "{walks:?}");
    }
}

/// The limbs of an integer that is 1 larger: its lowest limb would have to be -1.
#[test]
fn every_cell_of_an_integer_is_bound() {
    let c = (BigInt::from(5u8) << 200usize) + power_of_two(LIMB) - 1u8;
    let walks = told(|ctx, is_lie| {
        let row = ctx.advice.len();
        let cell = ctx.load_witness(bigint_to_fe(&c));
        let value = Assigned::Trivial(bigint_to_fe(&(&c + 1u8)));
        let cell = if is_lie { AssignedValue { value, ..cell } } else { cell };
        AssignedCanonical::of_field(ctx, cell);
        vec![row]
    });
    assert!(walks.iter().all(|walk| walk.sums >= 2 && walk.copies >= 5), "{walks:?}");
}

/// The integer that limbs make, of which nothing follows.
#[test]
fn integers_follow_from_their_limbs() {
    let mut limbs = vec![];
    let test = TestCircuit::new(layout(9, &[]), |ctx| {
        for _ in 0..2 {
            AssignedCanonical::below_order(ctx, bigint_to_fe(&(l() >> 1usize)));
            limbs.extend(rows_of_limbs(ctx));
        }
    });
    test.assert_satisfied();
    assert_eq!(test.open_values_given(limbs.clone()), (vec![], 0));
    assert_eq!(test.open_classes_given(limbs), (vec![], 0));
}

/// Digits of another lower half than that of the squeezed element.
#[test]
fn every_cell_that_puts_halves_together_is_bound() {
    let walks = told(|ctx, is_lie| {
        let mut digits = halves(&squeezed());
        digits[1] -= u128::from(is_lie);
        let table = &generator(ctx.chips);
        let long = [LongTerm { table, scalar: LongScalar::new(&1.into()) }];
        let short = digits.map(|v| ShortTerm { table, scalar: ShortScalar::new(v) });
        let pair = ctx.chips.edwards.multiply(0, &long, &short).short;
        let row = ctx.advice.len();
        let element = ctx.load_witness(squeezed());
        values(ctx, element, &pair.try_into().expect("two terms"));
        vec![row]
    });
    assert!(walks.iter().all(|walk| walk.sums >= 2 && walk.copies >= 4), "{walks:?}");
}
