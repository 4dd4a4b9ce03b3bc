//! The upper part of a coefficient: were it free, the low limbs of a relation could be made to fit any scalar that
//! satisfies it in the field.

use halo2_base::{AssignedValue, QuantumCell};

use super::*;
use muster_forgery::forger::{Forger, Place};

/// The vertical column, behind those of the Edwards gate and of range checks.
const RANGE: usize = 6;
const VERTICAL: usize = 7;

/// A circuit with a relation that holds in the field and not in the limbs, and where its cells are.
struct Wrong {
    circuit: TestCircuit,
    /// The upper part of the first coefficient.
    high: Place,
    /// The carry, checked last.
    carry: (Place, Fr),
    /// The sum of the low limbs before the carry is added, in front of the last gate.
    sum: Place,
}

impl Wrong {
    /// `build` gives the upper part; its relation has a carry of `bits` bits.
    fn new(bits: usize, build: impl FnOnce(&mut GateContext) -> QuantumCell<Fr>) -> Self {
        let mut places = None;
        let circuit = TestCircuit::new(layout(10, &[]), |ctx| {
            let Existing(AssignedValue { cell: Some(high), .. }) = build(ctx) else {
                panic!("the upper part has a cell")
            };
            // The lookups have 8 bits; the last gate is [sum, carry, -2^144, 0].
            let limbs = (bits + 4).div_ceil(8);
            let last = ctx.range.total_cells() - limbs;
            places = Some((high.offset, last, ctx.advice.len() - 4));
        });
        let (high, carry, sum) = places.expect("it was built");
        Self {
            circuit,
            high: (VERTICAL, high),
            carry: ((RANGE, carry), power(bits)),
            sum: (VERTICAL, sum),
        }
    }

    /// The upper part with which the low limbs add up to nothing.
    fn fitting(&self, forger: &Forger) -> Fr {
        let rest = |high: Fr| {
            let mut starts: Vec<_> =
                forger.bound_to(self.high).into_iter().map(|place| (place, high)).collect();
            starts.push(self.carry);
            let forged = forger.rewrite(&starts);
            let sum = forged.iter().find(|forged| (forged.column, forged.row) == self.sum);
            let sum = sum.map_or(forger.value(self.sum), |forged| forged.value);
            sum - self.carry.1 * power(TWO_LIMBS)
        };
        let (zero, one) = (rest(Fr::ZERO), rest(Fr::ONE));
        -zero * (one - zero).invert().expect("the upper part counts")
    }

    /// Everywhere, against the gate that takes it from the digits; then in the relation alone, against the copy.
    fn assert_refused(mut self) {
        // The running sum in front of the digits is what it is.
        let start = (VERTICAL, self.high.1 + 2);
        let forger = self.circuit.forger().keep(&[start]);
        let high = self.fitting(&forger);
        let all = forger.bound_to(self.high);
        assert!(all.len() > 1, "the relation has a copy");
        for (places, refused_by) in [
            (all.clone(), "1 column a + b * c = out"),
            (all.into_iter().filter(|place| *place != self.high).collect(), "copy"),
        ] {
            let mut starts: Vec<_> = places.into_iter().map(|place| (place, high)).collect();
            starts.push(self.carry);
            let forged = forger.rewrite(&starts);
            assert_eq!(self.circuit.failing(forged), [refused_by]);
        }
    }
}

/// An odd scalar in range that is not congruent to `total` modulo the order, and the quotient with which it
/// makes up `total` in the field.
pub(super) fn wrong_scalar(total: &BigInt) -> (BigInt, BigInt) {
    let bound = power_of_two(252);
    let honest: BigInt = total / l();
    (1..1000u64)
        .flat_map(|step| {
            let quotient: BigInt = &honest + BigInt::from(step) * (power_of_two(120) + 1);
            let residue = ((total - &quotient * l()) % r() + r()) % r();
            [residue.clone(), residue - r()].map(|t| (t, quotient.clone()))
        })
        .find(|(t, _)| t.abs() < bound && t.bit(0) && !((total - t) % l()).is_zero())
        .expect("a third of all quotients leave a scalar in range")
}

/// The product of the long scalar `t` and of the halves of the squeezed element, with its coefficients.
fn coefficients(ctx: &mut GateContext, t: &BigInt) -> (AssignedLong, [Coefficient; 2]) {
    let table = generator(ctx.chips);
    let long = [LongTerm { table: &table, scalar: LongScalar::new(t) }];
    let short =
        halves(&squeezed()).map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
    let product = ctx.chips.edwards.multiply(0, &long, &short);
    let squeezed = ctx.load_witness(squeezed());
    let pair = product.short.try_into().expect("two terms");
    (product.long[0].clone(), Coefficient::pair(ctx, squeezed, &pair))
}

#[test]
fn the_upper_part_of_a_coefficient_in_a_product() {
    let c = (BigInt::from(55_555u64) << 190usize) + 77_777;
    let z = Coefficient::witness(halves(&squeezed())[0]);
    let (t, quotient) = wrong_scalar(&(&z * &c));
    let wrong = Wrong::new(PRODUCT_CARRY, |ctx| {
        let c = ctx.load_witness(bigint_to_fe(&c));
        let mut c = AssignedCanonical::of_field(ctx, c);
        let (cells, [mut z, _]) = coefficients(ctx, &t);
        // Integers that give the quotient, and leave the cells alone.
        c.integer = BigUint::one();
        z.integer = &quotient * l() + &t;
        assert_product(ctx, 1, &z, &c, &cells);
        z.high
    });
    wrong.assert_refused();
}

#[test]
fn the_upper_part_of_a_coefficient_in_a_sum() {
    let s = [77u8, 99].map(|s| (BigInt::from(s) << 200usize) + s);
    let z = halves(&squeezed()).map(Coefficient::witness);
    let (t, quotient) = wrong_scalar(&-(&z[0] * &s[0] + &z[1] * &s[1]));
    let wrong = Wrong::new(BATCH_CARRY, |ctx| {
        let s = s.each_ref().map(|s| AssignedCanonical::below_order(ctx, bigint_to_fe(s)));
        let (cells, z) = coefficients(ctx, &t);
        let mut terms: Vec<_> = z.into_iter().zip(s).collect();
        for (z, s) in &mut terms {
            (z.integer, s.integer) = (BigInt::zero(), BigUint::one());
        }
        // Here the total is the sum and t, which is -q·l of the search.
        terms[0].0.integer = -&quotient * l() - &t;
        assert_negated_sum(ctx, &terms, &cells);
        terms[0].0.high
    });
    wrong.assert_refused();
}
