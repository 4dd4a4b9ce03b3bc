//! Honest relations, and relations whose quotient, carry or limbs are the prover's choice.
//!
//! The witness generator works from the integers that a [`Coefficient`] and an [`AssignedCanonical`] carry
//! beside their cells. A wrong integer makes it write any quotient that a malicious prover may want, with
//! all partial sums to go with it, so that a refusal is one of the relation itself.

use num_traits::{One, Signed, Zero};

use super::*;
use crate::{
    curve::edwards::AffinePoint,
    gate::{
        edwards::{AssignedTable, LongTerm, ShortScalar, ShortTerm, TableSource},
        testing::{layout, TestCircuit},
        Forged,
    },
};
use halo2_base::{utils::modulus, QuantumCell};

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
    let point = AffinePoint::generator();
    let [x, y] = [point.x(), point.y()].map(QuantumCell::Constant);
    chips.edwards.table(0, &TableSource::Known { x, y })
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

/// `t ≡ g·z·c (mod l)` with `z` squeezed from `squeezed`, or 1 if there is none.
fn product_circuit(
    g: u64,
    squeezed: Option<Fr>,
    c: &BigInt,
    forgery: &Forgery,
) -> (TestCircuit, Forgery) {
    let mut used = Forgery::default();
    let circuit = TestCircuit::new(layout(10, &[]), |ctx, chips| {
        let c = ctx.load_witness(bigint_to_fe(c));
        let mut c = AssignedCanonical::of_field(ctx, chips, c);
        let halves = split(squeezed.unwrap_or(Fr::zero()));
        let z = squeezed.map_or(BigInt::one(), |_| Coefficient::witness(halves[0]));
        let honest = odd_representative(&product_integer(g, &z, &c));
        let t = forgery.t.clone().unwrap_or(honest);
        let table = generator(chips);
        let long = [LongTerm { table: &table, scalar: LongScalar::new(&t), member: None }];
        let short = halves.map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
        let product = chips.edwards.multiply(0, &long, &short);
        let mut z = match squeezed {
            None => Coefficient::one(),
            Some(squeezed) => {
                let squeezed = ctx.load_witness(squeezed);
                let pair = product.short.try_into().expect("two terms");
                let [first, _] = Coefficient::pair(ctx, chips, squeezed, &pair);
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
        assert_product(ctx, chips, (g, &z, &c), &product.long[0]);
        used = Forgery { t: Some(t), quotient: Some(quotient) };
    });
    (circuit, used)
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
        assert!(!product_circuit(1, None, &c, &forgery).0.is_satisfied());
    }
}

/// A wrong scalar with a quotient that satisfies the relation in the field: the limbs refuse.
#[test]
fn a_wrong_scalar_that_holds_in_the_field() {
    let c = BigInt::from(55_555u64) << 190usize;
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
                assert!(!product_circuit(1, None, &c, &forgery).0.is_satisfied());
                found += 1;
            }
        }
    }
    assert_eq!(found, 4, "a third of all quotients leave a scalar in range");
}

/// `t ≡ -Σ zᵢ·sᵢ` for two terms; the forgery replaces `t`, or shifts the total.
fn sum_circuit(s: [&BigInt; 2], forgery: &Forgery) -> (TestCircuit, Forgery) {
    let mut used = Forgery::default();
    let circuit = TestCircuit::new(layout(10, &[]), |ctx, chips| {
        let s = s.map(|s| AssignedCanonical::below_order(ctx, chips, bigint_to_fe(s)));
        let halves = split(squeezed());
        let z = halves.map(Coefficient::witness);
        let table = generator(chips);
        let honest = odd_representative(&-sum_integer(z.iter().zip(&s)));
        let t = forgery.t.clone().unwrap_or(honest);
        let long = [LongTerm { table: &table, scalar: LongScalar::new(&t), member: None }];
        let short = halves.map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
        let product = chips.edwards.multiply(0, &long, &short);
        let squeezed = ctx.load_witness(squeezed());
        let pair = product.short.try_into().expect("two terms");
        let z = Coefficient::pair(ctx, chips, squeezed, &pair);
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
        assert_negated_sum(ctx, chips, &terms, &product.long[0]);
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

/// Running sums of a check with other contents, from the row where `old` has its home.
fn forged_check(test: &TestCircuit, old: Fr, new: Fr, limbs: usize) -> Vec<Forged> {
    let column = 6;
    let sums = &test.advice()[column];
    let row = sums.iter().position(|cell| *cell == old).expect("the value is checked");
    let integer = fe_to_biguint_of(&new);
    let cell = |limb: usize| Forged {
        column,
        row: row + limb,
        value: biguint_to_fe(&(&integer >> (8 * limb))),
    };
    (0..limbs).map(cell).collect()
}

fn fe_to_biguint_of(value: &Fr) -> BigUint {
    halo2_base::utils::fe_to_biguint(value)
}

/// A decomposition of `c + r`, or of `c` into limbs that carry into each other.
#[test]
fn other_decompositions_are_refused() {
    let c: BigInt =
        (BigInt::from(0x1234_5678u64) << 200usize) + (BigInt::from(77u8) << 100usize) + 5;
    let mut test = TestCircuit::new(layout(10, &[]), |ctx, chips| {
        let c = ctx.load_witness(bigint_to_fe(&c));
        AssignedCanonical::of_field(ctx, chips, c);
    });
    assert!(test.is_satisfied());
    let mask = power_of_two(LIMB) - 1u8;
    let largest: BigInt = (r() >> TWO_LIMBS) - 1u8;
    let parts = |v: &BigInt| [v & &mask, (v >> LIMB) & &mask, v >> TWO_LIMBS];
    let fe = |v: &BigInt| bigint_to_fe::<Fr>(v);
    let [low, mid, high] = parts(&c);
    let mut forge = |new: [BigInt; 3], room: BigInt| {
        let sum = |low: &BigInt, mid: &BigInt| fe(&(low + (mid << LIMB)));
        let changes = [
            (fe(&low), fe(&new[0])),
            (fe(&mid), fe(&new[1])),
            (fe(&high), fe(&new[2])),
            (fe(&(&largest - &high)), fe(&room)),
            (sum(&low, &mid), sum(&new[0], &new[1])),
        ];
        let mut forged = test.replace(&changes);
        for (i, limbs) in [9, 9, 14, 14].into_iter().enumerate() {
            forged.extend(forged_check(&test, changes[i].0, changes[i].1, limbs));
        }
        (test.is_satisfied_with_all(forged.clone()), test.fails_range_checks_alone(forged))
    };
    let (holds, out_of_range, inconsistent) = ((true, false), (false, true), (false, false));
    // The helper itself: nothing changed.
    assert_eq!(forge([low.clone(), mid.clone(), high.clone()], &largest - &high), holds);
    let raised = parts(&(&c + r()));
    assert!(raised[2] > largest && raised[2] < power_of_two(112));
    assert_eq!(forge(raised.clone(), &largest - &raised[2]), out_of_range);
    assert_eq!(forge(raised, BigInt::zero()), inconsistent);
    // The same integer with limbs that are too large or negative.
    let room = &largest - &high;
    let moved = [&low + power_of_two(LIMB), &mid - 1, high.clone()];
    assert_eq!(forge(moved, room.clone()), out_of_range);
    let moved = [&low - power_of_two(LIMB), &mid + 1, high.clone()];
    assert_eq!(forge(moved, room.clone()), out_of_range);
    let moved = [low.clone(), &mid + power_of_two(LIMB), &high - 1];
    assert_eq!(forge(moved, room + 1), out_of_range);
}

/// `v₀` and `v₁` of `squeezed + r`: the digits of a squeezed element that is not reduced. Every cell follows
/// from them but the room below the modulus.
#[test]
fn a_squeezed_element_that_is_not_reduced() {
    // No two parts of its halves are equal, so that they can be told apart.
    let squeezed = Fr::from(0xdead_beef).pow_vartime([77u64]);
    let raised = fe_to_biguint_of(&squeezed) + modulus::<Fr>();
    let build = |halves: [u128; 2], element: Fr| {
        TestCircuit::new(layout(10, &[]), move |ctx, chips| {
            let table = generator(chips);
            let one = LongScalar::new(&1.into());
            let long = [LongTerm { table: &table, scalar: one, member: None }];
            let short = halves.map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
            let product = chips.edwards.multiply(0, &long, &short);
            let element = ctx.load_witness(element);
            let pair = product.short.try_into().expect("two terms");
            Coefficient::pair(ctx, chips, element, &pair);
        })
    };
    let mut honest = build(split(squeezed), squeezed);
    assert!(honest.is_satisfied());
    let digits = raised.to_u64_digits();
    let half = |i: usize| u128::from(digits[i + 1]) << 64 | u128::from(digits[i]);
    let halves = [half(2), half(0)];
    // The rows of a product with the raised halves take the place of the honest ones.
    let (old, new) = (split(squeezed), halves);
    let other = TestCircuit::new(layout(10, &[]), |_, chips| {
        let table = generator(chips);
        let one = LongScalar::new(&1.into());
        let long = [LongTerm { table: &table, scalar: one, member: None }];
        let short = new.map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
        chips.edwards.multiply(0, &long, &short);
    });
    let (from, to) = (honest.advice(), other.advice());
    let mut forged = vec![];
    for column in 0..6 {
        for (row, value) in to[column].iter().enumerate() {
            if from[column][row] != *value {
                forged.push(Forged { column, row, value: *value });
            }
        }
    }
    assert!(!forged.is_empty());
    // The cells of the vertical gate that are copies of running sums, and the differences of them.
    let z = |v: u128| Coefficient::witness(v);
    let low = |v: u128| ShortParts::of(v).low;
    let high = |v: u128| ShortParts::of(v).high;
    let mut changes: Vec<(Fr, Fr)> = vec![];
    for i in 0..2 {
        for part in [z, low, high] {
            changes.push((bigint_to_fe(&part(old[i])), bigint_to_fe(&part(new[i]))));
        }
    }
    let sums = |cells: &[Vec<Fr>]| cells[5].clone();
    changes
        .extend(sums(&from).into_iter().zip(sums(&to)).filter(|(a, b)| a != b && *a != Fr::zero()));
    let room = |v: u128| {
        let largest: BigInt = (r() >> 128usize) - 1;
        bigint_to_fe::<Fr>(&(largest - BigInt::from(v)))
    };
    for value in [room(new[0]), Fr::zero()] {
        let mut changes = changes.clone();
        changes.push((room(old[0]), value));
        let vertical = honest.replace(&changes).into_iter().filter(|f| f.column > 5);
        let all: Vec<_> = forged.iter().copied().chain(vertical).collect();
        assert!(!honest.is_satisfied_with_all(all.clone()));
        assert_eq!(honest.fails_range_checks_alone(all), value != Fr::zero());
    }
}

/// The two parts of a short scalar as the digits give them.
struct ShortParts {
    low: BigInt,
    high: BigInt,
}

impl ShortParts {
    /// 18 digits below `2^72`, 14 above, each odd.
    fn of(v: u128) -> Self {
        let digit = |i: usize| 2 * BigInt::from(v >> (4 * i) & 15) - 15;
        let sum = |digits: std::ops::Range<usize>| {
            let start = digits.start;
            digits.map(|i| digit(i) << (4 * (i - start))).sum::<BigInt>()
        };
        Self { low: sum(0..18), high: sum(18..32) }
    }
}

#[test]
fn short_scalars_split_at_a_digit() {
    for v in [0, 1, u128::MAX, 1 << 72, (1 << 72) - 1, 0x0123_4567_89ab_cdef_0011_2233_4455_6677] {
        let ShortParts { low, high } = ShortParts::of(v);
        assert_eq!(&low + (&high << LIMB), Coefficient::witness(v));
        assert!(low.abs() < power_of_two(LIMB) && high.abs() < power_of_two(128 - LIMB));
        assert!(low.bit(0) && high.bit(0));
    }
    for squeezed in [Fr::zero(), Fr::one(), -Fr::one(), squeezed()] {
        let [high, low] = split(squeezed).map(BigInt::from);
        assert_eq!((high << 128usize) + low, fe_to_bigint_canonical(&squeezed));
    }
}

fn fe_to_bigint_canonical(value: &Fr) -> BigInt {
    fe_to_biguint_of(value).into()
}

/// The bounds of [`assert_product`]. `D = g·z·c - t - q·l` must be below `r·2^144` in absolute value, and the
/// low limbs with the carry below `r`. A range check rounds up to whole limbs of 8, 9 or 12 bits.
#[test]
fn bounds_of_a_product() {
    let (limb, two) = (power_of_two(LIMB), power_of_two(TWO_LIMBS));
    let g = BigInt::from(8);
    let z = power_of_two(128);
    let t = power_of_two(252);
    let q = &two + power_of_two(PRODUCT_OFFSET);
    let d = &g * &z * r() + &t + &q * l();
    assert!(d < r() * &two, "D vanishes if it does modulo r and modulo 2^144");
    // Low limbs: |z₀| < 2^72, |z₁| < 2^56, limbs of c below 2^72, |t - 2^144·high| < 2^144.
    let z1 = power_of_two(128 - LIMB);
    let first = &limb * &limb;
    let second = &limb * &limb + &z1 * &limb;
    let [l0, l1] = order_limbs().map(BigInt::from);
    let quotient = &limb * (&l0 + &limb * &l1) + &limb * &l0 * &limb;
    let start = power_of_two(PRODUCT_OFFSET) * &l0;
    let sum = &g * (first + second * &limb) + &two + quotient + start;
    assert!(sum < power_of_two(221));
    for bits in [8, 9, 12] {
        let rounded = (PRODUCT_CARRY + 4).div_ceil(bits) * bits;
        assert!(rounded <= PRODUCT_CARRY + 11);
        let carry = power_of_two(rounded) + power_of_two(PRODUCT_CARRY);
        assert!(&sum + carry * &two < r(), "nothing wraps with limbs of {bits} bits");
    }
    // Complete: quotient and carry of honest values are in range.
    assert!((&g * &z * r() + &t) / l() < power_of_two(PRODUCT_OFFSET));
    assert!((sum >> TWO_LIMBS) + 1 < power_of_two(PRODUCT_CARRY));
}

/// The bounds of [`assert_negated_sum`] for a batch of [`MAX_BATCH`].
#[test]
fn bounds_of_a_batch() {
    let (limb, two) = (power_of_two(LIMB), power_of_two(TWO_LIMBS));
    let count = BigInt::from(MAX_BATCH);
    let t = power_of_two(252);
    let terms = &count * power_of_two(128) * l();
    let q = &two + power_of_two(BATCH_OFFSET);
    assert!(&terms + &t + &q * l() < r() * &two);
    let z1 = power_of_two(128 - LIMB);
    let second = &limb * &limb + &z1 * &limb;
    let [l0, l1] = order_limbs().map(BigInt::from);
    let quotient = &limb * (&l0 + &limb * &l1) + &limb * &l0 * &limb;
    let start = power_of_two(BATCH_OFFSET) * &l0;
    let sum = &count * (&limb * &limb + second * &limb) + &two + quotient + start;
    assert!(sum < power_of_two(232));
    for bits in [8, 9, 12] {
        let rounded = (BATCH_CARRY + 4).div_ceil(bits) * bits;
        assert!(rounded <= BATCH_CARRY + 11);
        let carry = power_of_two(rounded) + power_of_two(BATCH_CARRY);
        assert!(&sum + carry * &two < r(), "nothing wraps with limbs of {bits} bits");
    }
    assert!((terms + t) / l() < power_of_two(BATCH_OFFSET));
    assert!((sum >> TWO_LIMBS) + 1 < power_of_two(BATCH_CARRY));
}

/// The bounds of a canonical decomposition and of a squeezed pair.
#[test]
fn bounds_of_decompositions() {
    for bound in [r(), l()] {
        let largest: BigInt = (&bound >> TWO_LIMBS) - 1;
        for bits in [8, 9, 12] {
            let rounded = (largest.bits() as usize).div_ceil(bits) * bits;
            assert!(rounded <= 120 && power_of_two(rounded) * 2 < r());
        }
        assert!((largest + 1) * power_of_two(TWO_LIMBS) <= bound);
    }
    let largest: BigInt = (r() >> 128usize) - 1;
    let bits = largest.bits() as usize;
    for limb in [8, 9, 12] {
        assert!(power_of_two(bits.div_ceil(limb) * limb + 1) + power_of_two(129) < r());
    }
    assert!((largest + 1) * power_of_two(128) <= r());
}
