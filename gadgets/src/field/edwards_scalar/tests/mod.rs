//! Honest relations, and relations whose quotient, carry or limbs are the prover's choice.
//!
//! The witness generator works from the integers that a [`Coefficient`] and an [`AssignedCanonical`] carry
//! beside their cells. A wrong integer makes it write any quotient that a malicious prover may want, with
//! all partial sums to go with it, so that a refusal is one of the relation itself.

use num_traits::{One, Signed, Zero};

use super::{coefficient::*, relation::*, *};
use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::{bigint_to_fe, biguint_to_fe, modulus},
    Context,
    QuantumCell::{Constant, Existing},
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{
    edwards::{
        AssignedLong, AssignedTable, LongScalar, LongTerm, ShortScalar, ShortTerm, TableSource,
    },
    Chips, GateContext,
};
use muster_schemes::curve::edwards::{halves, AffinePoint, SubgroupPoint};
use num_bigint::{BigInt, BigUint};

mod bounds;
mod cells;
mod decompositions;
mod high;
mod walks;

fn power_of_two(exponent: usize) -> BigInt {
    BigInt::one() << exponent
}

fn l() -> BigInt {
    order().clone().into()
}

fn r() -> BigInt {
    modulus::<Fr>().into()
}

fn generator(chips: &Chips) -> AssignedTable {
    let point = SubgroupPoint::from_affine(AffinePoint::generator()).expect("in the subgroup");
    chips.edwards.table_perhaps_identity(0, &TableSource::Constant(point))
}

/// Field elements at the edges of the limbs, of the order and of the modulus. The top limb of a canonical
/// value lies below that of the modulus, see [`AssignedCanonical::of_field`].
fn edges() -> Vec<BigInt> {
    let top: BigInt = ((r() >> TWO_LIMBS) - 1u8) << TWO_LIMBS;
    vec![
        BigInt::zero(),
        BigInt::one(),
        power_of_two(LIMB) - 1u8,
        power_of_two(LIMB),
        power_of_two(TWO_LIMBS) - 1u8,
        power_of_two(TWO_LIMBS),
        l() - 1u8,
        l(),
        l() + 1u8,
        l() * 2u8,
        &top + power_of_two(TWO_LIMBS) - 1u8,
        top,
    ]
}

/// What a product is built from. A field that is set replaces what is honest.
#[derive(Clone, Debug, Default)]
struct Forgery {
    /// The scalar whose digits are written.
    t: Option<BigInt>,
    /// The quotient.
    quotient: Option<BigInt>,
}

/// The coefficient 1, of constants.
fn one() -> Coefficient {
    let [one, zero] = [1, 0].map(|c| Constant(Fr::from(c)));
    Coefficient { value: one, low: one, high: zero, integer: 1.into(), scalar: None }
}

/// `t ≡ g·z·c (mod l)` with `z` squeezed from `squeezed`, or 1 if there is none.
fn product_circuit(
    g: u64,
    squeezed: Option<Fr>,
    c: &BigInt,
    forgery: &Forgery,
) -> (TestCircuit, Forgery) {
    let mut used = Forgery::default();
    let circuit = TestCircuit::new(layout(10, &[]), |ctx| {
        used = product_in(ctx, (g, squeezed, c), forgery).0;
    });
    (circuit, used)
}

/// The same in a circuit, and the rows of what is multiplied: `c`, its limbs and what `z` is squeezed from.
fn product_in(
    ctx: &mut GateContext,
    (g, squeezed, c): (u64, Option<Fr>, &BigInt),
    forgery: &Forgery,
) -> (Forgery, Vec<usize>) {
    let mut rows = vec![ctx.advice.len()];
    let c = ctx.load_witness(bigint_to_fe(c));
    let mut c = AssignedCanonical::of_field(ctx, c);
    rows.extend(rows_of_limbs(ctx));
    let halves = halves(&squeezed.unwrap_or(Fr::zero()));
    let z = squeezed.map_or(BigInt::one(), |_| Coefficient::witness(halves[0]));
    let honest = odd_representative(&product_integer(g, &z, &c));
    let t = forgery.t.clone().unwrap_or(honest);
    let table = generator(ctx.chips);
    let long = [LongTerm { table: &table, scalar: LongScalar::new(&t) }];
    let short = halves.map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
    let product = ctx.chips.edwards.multiply(0, &long, &short);
    let mut z = match squeezed {
        None => one(),
        Some(squeezed) => {
            rows.push(ctx.advice.len());
            let squeezed = ctx.load_witness(squeezed);
            let pair = product.short.try_into().expect("two terms");
            let [first, _] = Coefficient::pair(ctx, squeezed, &pair);
            first
        }
    };
    let quotient = (product_integer(g, &z.integer, &c) - &t) / l();
    if let Some(quotient) = &forgery.quotient {
        // The total is g·z·c - t; a c of 1 and a z that makes up for it give any total.
        assert_eq!(g, 1, "the factor does not divide every total");
        c.integer = BigUint::one();
        z.integer = quotient * l() + &t;
    }
    assert_product(ctx, g, &z, &c, &product.long[0]);
    (Forgery { t: Some(t), quotient: Some(quotient) }, rows)
}

/// The rows of the limbs of the last integer, which end what is recorded: `low, 2^72, mid, sum, 2^144, high, value`.
fn rows_of_limbs(ctx: &Context<Fr>) -> [usize; 3] {
    [7, 5, 2].map(|before| ctx.advice.len() - before)
}

fn squeezed() -> Fr {
    // Both halves large, as far as a canonical element goes.
    -Fr::from(2).pow_vartime([200u64]) - Fr::from(0xdead)
}

#[test]
fn products_of_edge_scalars() {
    for c in edges() {
        for (g, z) in [(1, None), (8, None), (1, Some(squeezed())), (8, Some(squeezed()))] {
            let (circuit, _) = product_circuit(g, z, &c, &Forgery::default());
            assert!(circuit.is_satisfied(), "{g}, {z:?}, {c}");
        }
    }
    for z in [Fr::zero(), Fr::one(), Fr::from(2).pow_vartime([128u64]) - Fr::one()] {
        let (circuit, _) = product_circuit(8, Some(z), &(l() - 1u8), &Forgery::default());
        assert!(circuit.is_satisfied(), "{z:?}");
    }
}

/// The share of `2^-109` that is given up: the top limb of the modulus.
#[test]
fn the_top_of_the_field_is_refused() {
    for c in [r() - 1u8, (r() >> TWO_LIMBS) << TWO_LIMBS] {
        assert!(!product_circuit(1, None, &c, &Forgery::default()).0.is_satisfied(), "{c}");
    }
}

#[test]
fn any_representative_of_the_residue_and_no_other() {
    let c = BigInt::from(123_456_789u64) << 180usize;
    for z in [None, Some(squeezed())] {
        let (_, honest) = product_circuit(1, z, &c, &Forgery::default());
        let t = honest.t.expect("it is told");
        let with = |t: BigInt| {
            let forgery = Forgery { t: Some(t), quotient: None };
            product_circuit(1, z, &c, &forgery).0.is_satisfied()
        };
        let bound = power_of_two(252);
        for multiple in [-4, -2, 0, 2, 4] {
            let shifted: BigInt = &t + l() * multiple;
            if shifted.abs() < bound {
                assert!(with(shifted), "{multiple}");
            }
        }
        for difference in [-2, 2, 1 << 20] {
            assert!(!with(&t + difference), "{difference}");
        }
        assert!(!with(-&t));
        // Even multiples of anything but the order, among them what vanishes in the field.
        let wrapped = if t.is_negative() { &t + r() } else { &t - r() };
        for other in [wrapped, &t + power_of_two(144), &t - power_of_two(144)] {
            if other.abs() < bound && other.bit(0) {
                assert!(!with(other));
            }
        }
    }
}

#[test]
fn another_quotient_is_refused() {
    let c = BigInt::from(987_654_321u64) << 200usize;
    let (circuit, honest) = product_circuit(1, Some(squeezed()), &c, &Forgery::default());
    assert!(circuit.is_satisfied());
    let q = honest.quotient.expect("it is told");
    let with = |quotient: BigInt| {
        let forgery = Forgery { t: None, quotient: Some(quotient) };
        product_circuit(1, Some(squeezed()), &c, &forgery).0.is_satisfied()
    };
    assert!(with(q.clone()), "the way in which quotients are forged is sound");
    for change in [1.into(), power_of_two(72), power_of_two(100), -power_of_two(137)] {
        assert!(!with(&q + &change) && !with(&q - &change), "{change}");
    }
}

/// A wrong scalar with the quotient that satisfies the relation modulo `2^144`: the field refuses.
#[test]
fn a_wrong_scalar_that_holds_modulo_the_limbs() {
    let c = BigInt::from(55_555u64) << 190usize;
    let honest = product_circuit(1, None, &c, &Forgery::default()).1;
    let modulus = power_of_two(TWO_LIMBS);
    // l is odd, so it has an inverse modulo 2^144: its order divides 2^143.
    let inverse = l().modpow(&(power_of_two(TWO_LIMBS - 1) - 1u8), &modulus);
    for difference in [2, -2, 1 << 30] {
        let t = honest.t.clone().expect("it is told") + difference;
        let shift = power_of_two(PRODUCT_OFFSET);
        let difference: BigInt = &c - &t;
        let q: BigInt =
            ((difference * &inverse + &shift) % &modulus + &modulus) % &modulus - &shift;
        let rest: BigInt = &c - &t - &q * l();
        assert!((rest % &modulus).is_zero());
        let forgery = Forgery { t: Some(t), quotient: Some(q) };
        let walk = product_circuit(1, None, &c, &forgery).0.walk([0]);
        assert!(walk.sums > 3 && walk.copies > 9, "{walk:?}");
    }
}

/// A wrong scalar with a quotient that satisfies the relation in the field: the limbs refuse.
#[test]
fn a_wrong_scalar_that_holds_in_the_field() {
    // No limb is 0.
    let c = (BigInt::from(55_555u64) << 190usize) + (BigInt::from(77u8) << 100usize) + 7u8;
    let bound = power_of_two(252);
    let mut found = 0;
    for q in 1u64..60 {
        let q = BigInt::from(q * q + 7) << 120usize;
        let residue: BigInt = &c - &q * l();
        let residue = (residue % r() + r()) % r();
        for t in [residue.clone(), residue - r()] {
            let difference: BigInt = &t - &c;
            let congruent = (difference % l()).is_zero();
            if t.abs() < bound && t.bit(0) && !congruent && found < 4 {
                let rest: BigInt = &c - &t - &q * l();
                assert!((rest % r()).is_zero());
                let forgery = Forgery { t: Some(t), quotient: Some(q.clone()) };
                let walk = product_circuit(1, None, &c, &forgery).0.walk([0]);
                assert!(walk.sums > 6 && walk.copies > 12, "{walk:?}");
                found += 1;
            }
        }
    }
    assert_eq!(found, 4, "a third of all quotients leave a scalar in range");
}

/// `t ≡ -Σ zᵢ·sᵢ` for two terms; the forgery replaces `t`, or shifts the total.
fn sum_circuit(s: [&BigInt; 2], forgery: &Forgery) -> (TestCircuit, Forgery) {
    let mut used = Forgery::default();
    let circuit = TestCircuit::new(layout(10, &[]), |ctx| {
        let s = s.map(|s| AssignedCanonical::below_order(ctx, bigint_to_fe(s)));
        let halves = halves(&squeezed());
        let z = halves.map(Coefficient::witness);
        let table = generator(ctx.chips);
        let honest = odd_representative(&-sum_integer(z.iter().zip(&s)));
        let t = forgery.t.clone().unwrap_or(honest);
        let long = [LongTerm { table: &table, scalar: LongScalar::new(&t) }];
        let short = halves.map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
        let product = ctx.chips.edwards.multiply(0, &long, &short);
        let squeezed = ctx.load_witness(squeezed());
        let pair = product.short.try_into().expect("two terms");
        let z = Coefficient::pair(ctx, squeezed, &pair);
        let mut terms: Vec<_> = z.into_iter().zip(s).collect();
        let integers = terms.iter().map(|(z, s)| (&z.integer, s));
        let quotient = (sum_integer(integers) + &t) / l();
        if let Some(quotient) = &forgery.quotient {
            for (z, s) in &mut terms {
                s.integer = BigUint::one();
                z.integer = BigInt::zero();
            }
            terms[0].0.integer = quotient * l() - &t;
        }
        assert_negated_sum(ctx, &terms, &product.long[0]);
        used = Forgery { t: Some(t), quotient: Some(quotient) };
    });
    (circuit, used)
}

#[test]
fn sums_of_edge_scalars() {
    let top: BigInt = (((l() >> TWO_LIMBS) - 1u8) << TWO_LIMBS) + power_of_two(TWO_LIMBS) - 1u8;
    let edges = [BigInt::zero(), BigInt::one(), power_of_two(LIMB), power_of_two(TWO_LIMBS), top];
    for first in &edges {
        for second in [&edges[0], &edges[4]] {
            let (circuit, _) = sum_circuit([first, second], &Forgery::default());
            assert!(circuit.is_satisfied(), "{first}, {second}");
        }
    }
    // The order, what is above it, and the share of 2^-106 below it that is given up.
    for s in [l(), l() + 1u8, l() * 2u8, r() - 1u8, l() - 1u8] {
        let (circuit, _) = sum_circuit([&s, &edges[1]], &Forgery::default());
        assert!(!circuit.is_satisfied(), "{s}");
    }
}

#[test]
fn sums_with_another_scalar_or_quotient() {
    let s = [BigInt::from(77u8) << 200usize, BigInt::from(99u8) << 150usize];
    let s = [&s[0], &s[1]];
    let honest = sum_circuit(s, &Forgery::default()).1;
    let (t, q) = (honest.t.expect("it is told"), honest.quotient.expect("it is told"));
    let with = |t: &BigInt, q: Option<&BigInt>| {
        let forgery = Forgery { t: Some(t.clone()), quotient: q.cloned() };
        sum_circuit(s, &forgery).0.is_satisfied()
    };
    assert!(with(&t, Some(&q)), "the way in which quotients are forged is sound");
    let other = if t.is_negative() { &t + l() * 2 } else { &t - l() * 2 };
    assert!(with(&other, None));
    for t in [&t + 2, &t - 2, -&t] {
        assert!(!with(&t, None));
    }
    for change in [1.into(), power_of_two(72), power_of_two(110), -power_of_two(142)] {
        assert!(!with(&t, Some(&(&q + change))));
    }
    // The quotient that makes up for a wrong scalar modulo 2^144.
    let modulus = power_of_two(TWO_LIMBS);
    let inverse = l().modpow(&(power_of_two(TWO_LIMBS - 1) - 1u8), &modulus);
    let total = &q * l() + 2;
    let quotient = ((total * inverse) % &modulus + &modulus) % &modulus;
    let shift = power_of_two(BATCH_OFFSET);
    let quotient = if quotient < &modulus - &shift { quotient } else { quotient - &modulus };
    assert!(!with(&(&t + 2), Some(&quotient)));
}
