//! Products and sums modulo the order `l` of Baby Jubjub's subgroup, checked without reducing them.
//!
//! A relation `D = 0` over the integers is checked modulo the native prime `r` and modulo `2^144`.
//! Both together give `D ≡ 0 (mod r·2^144)`, and `|D| < r·2^144` leaves `D = 0`. Each relation
//! states its bounds.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{bigint_to_fe, biguint_to_fe, fe_to_bigint},
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigInt;

use super::{
    coefficient::Coefficient, order, order_limbs, power, AssignedCanonical, LIMB, TWO_LIMBS,
};
use muster_gates::{
    chain::{assert_sum, sum, Term},
    edwards::{AssignedLong, BoundScalar, LongScalar},
    GateContext,
};

/// log₂ of what is added to the quotient of a product to make it positive.
pub(super) const PRODUCT_OFFSET: usize = 138;
/// The same for the quotient of a batch.
pub(super) const BATCH_OFFSET: usize = 143;
/// log₂ of what is added to the carry of a product to make it positive.
pub(super) const PRODUCT_CARRY: usize = 80;
/// The same for the carry of a batch.
pub(super) const BATCH_CARRY: usize = 88;
/// The most signatures in a batch.
pub const MAX_BATCH: usize = 1 << 14;

/// The odd representative of `value` modulo `l` between `-l` and `l`.
pub fn odd_representative(value: &BigInt) -> BigInt {
    let order = BigInt::from(order().clone());
    let reduced = ((value % &order) + &order) % &order;
    if reduced.bit(0) {
        reduced
    } else {
        reduced - order
    }
}

/// The scalar `g·z·c` modulo `l`, for a long term.
pub fn product(g: u64, z: &BigInt, c: &AssignedCanonical) -> LongScalar {
    LongScalar::new(&odd_representative(&product_integer(g, z, c)))
}

pub(super) fn product_integer(g: u64, z: &BigInt, c: &AssignedCanonical) -> BigInt {
    z * BigInt::from(&c.integer * g)
}

/// Constrains `t ≡ g·z·c (mod l)`, which binds `t`, for `g ≤ 8`: `g·z·c - t = q·l` with
/// `q = q₀ + 2^72·q₁ - 2^138`.
///
/// `|g·z·c| < 2^(3+128+254)`, `|t| < 2^252` and `|q·l| < 2^(144+251)`, so `|D| < 2^396 < r·2^144`.
/// Modulo `2^144` the low limbs sum up to less than `2^221` in absolute value; with a carry in
/// `[-2^80, 2^91)` nothing wraps around `r`.
pub fn assert_product(
    ctx: &mut GateContext,
    g: u64,
    z: &Coefficient,
    c: &AssignedCanonical,
    t: &AssignedLong,
) -> BoundScalar {
    assert!(g <= 8, "the bounds hold for the cofactor and below");
    let zero = Constant(Fr::zero());
    let native = sum(ctx, zero, &[(z.value, Existing(c.value))]);
    let [low, mid] = c.limbs.map(Existing);
    let first = sum(ctx, zero, &[(z.low, low)]);
    let second = sum(ctx, zero, &[(z.low, mid), (z.high, low)]);
    let total = product_integer(g, &z.integer, c) - fe_to_bigint(t.value.value());
    let g = Fr::from(g);
    let relation = Relation {
        quotient: total / BigInt::from(order().clone()),
        native: vec![(Existing(native), Constant(g))],
        low: vec![(Existing(first), Constant(g)), (Existing(second), Constant(g * power(LIMB)))],
        sign: -Fr::one(),
        offset: PRODUCT_OFFSET,
        carry: PRODUCT_CARRY,
    };
    relation.assert_holds(ctx, t);
    t.assume_bound()
}

/// The scalar `-Σ zᵢ·sᵢ` modulo `l`, for a long term.
pub fn negated_sum<'a>(
    terms: impl Iterator<Item = (&'a BigInt, &'a AssignedCanonical)>,
) -> LongScalar {
    LongScalar::new(&odd_representative(&-sum_integer(terms)))
}

pub(super) fn sum_integer<'a>(
    terms: impl Iterator<Item = (&'a BigInt, &'a AssignedCanonical)>,
) -> BigInt {
    terms.map(|(z, s)| z * BigInt::from(s.integer.clone())).sum()
}

/// Constrains `t ≡ -Σ zᵢ·sᵢ (mod l)`, which binds `t`, for integers `sᵢ < l`: `Σ zᵢ·sᵢ + t = q·l`
/// with `q = q₀ + 2^72·q₁ - 2^143`.
///
/// For at most `2^14` terms `|Σ zᵢ·sᵢ| < 2^(14+128+251)`, `|t| < 2^252` and `|q·l| < 2^(144+251)`,
/// so `|D| < 2^396 < r·2^144`. Modulo `2^144` the low limbs sum up to less than `2^232` in absolute
/// value; with a carry in `[-2^88, 2^99)` nothing wraps around `r`.
pub fn assert_negated_sum(
    ctx: &mut GateContext,
    terms: &[(Coefficient, AssignedCanonical)],
    t: &AssignedLong,
) -> BoundScalar {
    assert!(terms.len() <= MAX_BATCH, "the bounds hold for batches of up to 2^14");
    let zero = Constant(Fr::zero());
    let mut collect = |part: &dyn Fn(&Coefficient, &AssignedCanonical) -> Vec<Term>| {
        let products: Vec<Term> = terms.iter().flat_map(|(z, s)| part(z, s)).collect();
        Existing(sum(ctx, zero, &products))
    };
    let native = collect(&|z, s| vec![(z.value, Existing(s.value))]);
    let first = collect(&|z, s| vec![(z.low, Existing(s.limbs[0]))]);
    let second =
        collect(&|z, s| vec![(z.low, Existing(s.limbs[1])), (z.high, Existing(s.limbs[0]))]);
    let integers = terms.iter().map(|(z, s)| (&z.integer, s));
    let total = sum_integer(integers) + fe_to_bigint(t.value.value());
    let one = Constant(Fr::one());
    let relation = Relation {
        quotient: total / BigInt::from(order().clone()),
        native: vec![(native, one)],
        low: vec![(first, one), (second, Constant(power(LIMB)))],
        sign: Fr::one(),
        offset: BATCH_OFFSET,
        carry: BATCH_CARRY,
    };
    relation.assert_holds(ctx, t);
    t.assume_bound()
}

/// `X ± t = q·l` for an integer `X`, known as a field element and by its low limbs.
struct Relation {
    /// `q`.
    quotient: BigInt,
    /// Terms that sum up to `X` in the field.
    native: Vec<Term>,
    /// Terms that sum up to an integer that is congruent to `X` modulo `2^144`.
    low: Vec<Term>,
    /// 1 or -1, the sign of `t`.
    sign: Fr,
    /// `q + 2^offset` has two limbs.
    offset: usize,
    /// log₂ of what is added to the carry; it has at most 11 bits more.
    carry: usize,
}

impl Relation {
    fn assert_holds(self, ctx: &mut GateContext, t: &AssignedLong) {
        let range = ctx.range;
        assert_eq!(range.rounded(LIMB), LIMB, "a limb is a whole number of lookups");
        assert!(range.rounded(self.carry + 4) <= self.carry + 11, "the carry stays small");
        let [l0, l1] = order_limbs().map(|limb| biguint_to_fe::<Fr>(&limb));
        let l = biguint_to_fe::<Fr>(order());
        let quotient: BigInt = self.quotient + (BigInt::from(1) << self.offset);
        let mask = (BigInt::from(1) << LIMB) - 1;
        let [q0, q1] = [&quotient & &mask, (&quotient >> LIMB) & &mask]
            .map(|limb| range.check(Witness(bigint_to_fe(&limb)), LIMB));
        let (value, high) = (Existing(t.value), Existing(t.high));
        let (q0, q1) = (Existing(q0), Existing(q1));
        let zero = Constant(Fr::zero());

        let mut native = self.native;
        native.extend([
            (value, Constant(self.sign)),
            (q0, Constant(-l)),
            (q1, Constant(-l * power(LIMB))),
        ]);
        assert_sum(ctx, Constant(power(self.offset) * l), &native, zero);

        let mut low = self.low;
        low.extend([
            (value, Constant(self.sign)),
            (high, Constant(-self.sign * power(TWO_LIMBS))),
            (q0, Constant(-l0 - power(LIMB) * l1)),
            (q1, Constant(-l0 * power(LIMB))),
        ]);
        let start = power(self.offset) * l0;
        let without_carry: Fr = low.iter().map(|(a, b)| *a.value() * b.value()).sum::<Fr>() + start;
        let carry: BigInt =
            (fe_to_bigint(&without_carry) >> TWO_LIMBS) + (BigInt::from(1) << self.carry);
        let carry = range.check(Witness(bigint_to_fe(&carry)), self.carry + 4);
        low.push((Existing(carry), Constant(-power(TWO_LIMBS))));
        assert_sum(ctx, Constant(start + power(self.carry + TWO_LIMBS)), &low, zero);
    }
}
