//! What unused slots add: a point and its opposite, by turns.

use halo2curves::{group::Curve, CurveAffine};

use super::{
    native::{Element, SumError},
    Coefficients,
};

/// The multiples of a point `D`, the generator of its group, that addends may be.
#[derive(Clone, Debug)]
pub struct Padding<const D: usize> {
    multiples: [[Element<D>; 2]; 3],
}

/// `D`, `-D` and `-2·D`.
fn multiples<C: CurveAffine>() -> [C; 3] {
    let one = C::generator();
    let minus = -one.to_curve();
    [one, minus.to_affine(), (minus + minus).to_affine()]
}

impl<const D: usize> Padding<D> {
    /// That of a curve.
    pub fn of<C>() -> Self
    where
        C: CurveAffine,
        C::Base: Coefficients<D>,
    {
        let coordinates = |point: C| {
            let found = Option::<halo2curves::Coordinates<C>>::from(point.coordinates());
            let found = found.expect("the order of a generator is above 2");
            [found.x(), found.y()].map(Coefficients::coefficients)
        };
        Self { multiples: multiples::<C>().map(coordinates) }
    }

    /// The coordinates of `D`, `-D` and `-2·D`.
    pub fn multiples(&self) -> [&[Element<D>; 2]; 3] {
        self.multiples.each_ref()
    }
}

/// Whether slot `slot` of `slots` adds `D` if it is unused, and not `-D`: the last one does.
pub(super) fn is_positive(slot: usize, slots: usize) -> bool {
    (slots - slot) % 2 == 1
}

/// The points that are added for `slots`, with the two that take the rest of the padding away.
///
/// # Errors
/// If a slot that is used comes behind one that is not.
pub fn addends<C: CurveAffine>(slots: &[Option<C>]) -> Result<Vec<C>, SumError> {
    let used = slots.iter().take_while(|slot| slot.is_some()).count();
    if let Some(place) = slots[used..].iter().position(Option::is_some) {
        return Err(SumError::Unused(used + place));
    }
    let [one, minus_one, minus_two] = multiples::<C>();
    let padding = |i: usize| if is_positive(i, slots.len()) { one } else { minus_one };
    let addends = slots.iter().enumerate().map(|(i, slot)| slot.unwrap_or_else(|| padding(i)));
    let is_odd = (slots.len() - used) % 2 == 1;
    Ok(addends.chain([one, if is_odd { minus_two } else { minus_one }]).collect())
}
