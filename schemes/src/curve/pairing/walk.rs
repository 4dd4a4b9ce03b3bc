//! The points that a pairing's loop goes through, and the lines between them.

use num_bigint::BigUint;

use super::{
    extension::{Extension, Pair},
    parameters::Parameters,
};

/// Affine coordinates on the curve over `Fp`. Evidence of nothing.
pub type BasePoint = [BigUint; 2];

/// Affine coordinates on the twist. Evidence of nothing.
pub type TwistPoint = [Pair; 2];

/// Where a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To the double.
    Double,
    /// By `Q`, or by `-Q`.
    Add {
        /// Whether it is `-Q`.
        is_negative: bool,
    },
    /// By `ψⁱ(Q)`, or by its negative.
    AddImage {
        /// The power `i`.
        power: usize,
        /// Whether it is the negative.
        is_negative: bool,
    },
}

/// A step of the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it goes.
    pub kind: Kind,
    /// The point that it starts from.
    pub from: TwistPoint,
    /// The slope of the line.
    pub slope: Pair,
    /// The point that it leads to.
    pub sum: TwistPoint,
}

/// The kinds of all steps, in order.
pub fn kinds(parameters: &Parameters) -> Vec<Kind> {
    let mut kinds = vec![];
    for digit in &parameters.digits[1..] {
        kinds.push(Kind::Double);
        if *digit != 0 {
            kinds.push(Kind::Add { is_negative: *digit < 0 });
        }
    }
    let images = parameters.images.iter();
    kinds.extend(images.map(|&(power, is_negative)| Kind::AddImage { power, is_negative }));
    kinds
}

/// The steps of the loop from `Q`.
///
/// For a point outside the subgroup, a sum may meet its addend. The slope is 0 there, and no circuit accepts it.
pub fn walk(parameters: &Parameters, q: &TwistPoint) -> Vec<Step> {
    let mut from = q.clone();
    let step = |kind| {
        let (slope, sum) = next(parameters, &from, q, kind);
        let step = Step { kind, from: from.clone(), slope, sum };
        from.clone_from(&step.sum);
        step
    };
    kinds(parameters).into_iter().map(step).collect()
}

/// As many steps of zeros, for a circuit that is only counted.
pub(super) fn walk_of_zeros(parameters: &Parameters) -> Vec<Step> {
    let zero = || [BigUint::ZERO, BigUint::ZERO];
    let point = || [zero(), zero()];
    let step = |kind| Step { kind, from: point(), slope: zero(), sum: point() };
    kinds(parameters).into_iter().map(step).collect()
}

/// What a step adds to the point that it starts from; nothing for a doubling.
pub(super) fn addend(parameters: &Parameters, q: &TwistPoint, kind: Kind) -> Option<TwistPoint> {
    let ([x, y], is_negative) = match kind {
        Kind::Double => return None,
        Kind::Add { is_negative } => (q.clone(), is_negative),
        Kind::AddImage { power, is_negative } => (parameters.image(power, q), is_negative),
    };
    let y = if is_negative { Extension(&parameters.p).negate(&y) } else { y };
    Some([x, y])
}

fn next(
    parameters: &Parameters,
    from: &TwistPoint,
    q: &TwistPoint,
    kind: Kind,
) -> (Pair, TwistPoint) {
    let field = Extension(&parameters.p);
    let [x, y] = from;
    let (rise, run, other_x) = match addend(parameters, q, kind) {
        None => (field.scale(&field.mul(x, x), 3), field.scale(y, 2), x.clone()),
        Some([other_x, other_y]) => (field.sub(y, &other_y), field.sub(x, &other_x), other_x),
    };
    let slope = field.mul(&rise, &field.invert(&run));
    let new_x = field.sub(&field.mul(&slope, &slope), &field.add(x, &other_x));
    let new_y = field.sub(&field.mul(&slope, &field.sub(x, &new_x)), y);
    (slope, [new_x, new_y])
}

/// Whether a point is on the twist, its coordinates below the prime; the identity has no coordinates.
pub fn is_on_twist(parameters: &Parameters, [x, y]: &TwistPoint) -> bool {
    // Before any product: numbers that are not reduced may be very long.
    if [x, y].into_iter().flatten().any(|part| *part >= parameters.p) {
        return false;
    }
    let field = Extension(&parameters.p);
    let cube = field.mul(&field.mul(x, x), x);
    field.mul(y, y) == field.add(&cube, &parameters.twist_b)
}

/// Whether a point of the twist is in the subgroup, by where the loop from it ends.
pub fn is_in_subgroup(parameters: &Parameters, q: &TwistPoint) -> bool {
    is_on_twist(parameters, q) && ends(parameters, q, &walk(parameters, q))
}

/// The same, given the steps of the loop from the point.
pub(super) fn closes(parameters: &Parameters, q: &TwistPoint, steps: &[Step]) -> bool {
    is_on_twist(parameters, q) && ends(parameters, q, steps)
}

/// Whether the steps of the loop from a point end where those from a point of the subgroup do.
fn ends(parameters: &Parameters, q: &TwistPoint, steps: &[Step]) -> bool {
    let end = &steps.last().expect("a loop has steps").sum;
    let [x, y] = parameters.image(parameters.closing, q);
    *end == [x, Extension(&parameters.p).negate(&y)]
}
