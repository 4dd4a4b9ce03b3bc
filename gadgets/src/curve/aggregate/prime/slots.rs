//! Slots of which some may be unused, and count nothing.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};
use num_bigint::BigUint;

use super::{sum, Pair, SumEquations};
use crate::{
    curve::aggregate::{padding::is_positive, Padding, SumWalk},
    field::foreign::integer::constant,
    gate::{chain, foreign::ForeignChip, small::Bit, Chips},
};

/// A slot: a point, and whether it counts.
#[derive(Clone, Debug)]
pub struct Slot {
    /// On the curve if it is used. Otherwise it may be any pair.
    pub point: Pair,
    /// Whether it is used.
    pub used: Bit,
}

/// The multiples of `D` that addends may be.
struct Multiples {
    one: Pair,
    minus_one: Pair,
    minus_two: Pair,
}

impl Multiples {
    fn new(chip: &ForeignChip, p: &BigUint, padding: &Padding<1>) -> Self {
        let load = |[number]: &[BigUint; 1]| chip.relate(&constant(p, number), &[], number);
        let pair = |pair: &[[BigUint; 1]; 2]| pair.each_ref().map(load);
        let [one, minus_one, minus_two] = padding.multiples().map(pair);
        Self { one, minus_one, minus_two }
    }
}

/// The sum of the points in slots that are used. `walk` is that of the [`addends`](crate::curve::aggregate::addends).
///
/// An unused slot adds `D` or `-D`, by turns, the last one `D`. So the multiple of `D` in the sum is a sum of signs,
/// whichever slots are unused; it is constrained to be 0 or 1, as it is where these are the last ones, and two addends more
/// take it away.
///
/// # Panics
/// If there are no slots, or the walk is one of more or fewer of them.
pub fn sum_of_slots(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    chip: &ForeignChip,
    (equations, padding): (&SumEquations, &Padding<1>),
    slots: &[Slot],
    walk: &SumWalk<1>,
) -> Pair {
    assert!(!slots.is_empty(), "there is a slot");
    let Multiples { one, minus_one, minus_two } =
        Multiples::new(chip, equations.modulus(), padding);
    let addend = |(i, slot): (usize, &Slot)| {
        let unused = if is_positive(i, slots.len()) { &one } else { &minus_one };
        choose(ctx, chip, slot.used, [&slot.point, unused])
    };
    let mut addends: Vec<_> = slots.iter().enumerate().map(addend).collect();
    let used: Vec<_> = slots.iter().map(|slot| slot.used).collect();
    let left = padding_left(ctx, &used);
    addends.extend(rest(ctx, (chips, chip), left, [&one, &minus_one, &minus_two]));
    sum(chip, equations, &addends, walk)
}

/// The pair that a bit selects, limb by limb.
pub(crate) fn choose(
    ctx: &mut Context<Fr>,
    chip: &ForeignChip,
    bit: Bit,
    [a, b]: [&Pair; 2],
) -> Pair {
    [0, 1].map(|i| chip.choose(ctx, bit, &a[i], &b[i]))
}

/// The multiple of `D` that unused slots make: all signs, less those of slots that are used.
pub(crate) fn padding_left(ctx: &mut Context<Fr>, used: &[Bit]) -> AssignedValue<Fr> {
    let sign = |i: usize| if is_positive(i, used.len()) { -Fr::one() } else { Fr::one() };
    let terms = used.iter().enumerate().map(|(i, used)| (Constant(sign(i)), Existing(used.cell())));
    let all = Constant(Fr::from(used.len() as u64 % 2));
    chain::sum(ctx, all, &terms.collect::<Vec<_>>())
}

/// Takes that away: `D`, and `-D` or `-2·D`. It is constrained to be 0 or 1.
pub(crate) fn rest(
    ctx: &mut Context<Fr>,
    (chips, chip): (&Chips, &ForeignChip),
    left: AssignedValue<Fr>,
    [one, minus_one, minus_two]: [&Pair; 3],
) -> [Pair; 2] {
    let left = Bit::checked(ctx, &chips.gate, left);
    [one.clone(), choose(ctx, chip, left, [minus_two, minus_one])]
}
