//! Hashes to curves, stage by stage.

use std::fmt::Debug;

use halo2curves::{
    group::{prime::PrimeCurveAffine, Curve},
    CurveAffine,
};

use super::expand::{Expander, Tag};
use crate::field::ExtensionField;

/// A suite as in RFC 9380 section 8 that maps two elements, and can stand for a random oracle.
pub trait Suite: Copy + Clone + Debug {
    /// Its name, with which tags end by convention.
    const NAME: &'static str;
    /// The field of coordinates.
    type Field: ExtensionField;
    /// Points of the curve, not only of the group.
    type Point: CurveAffine<Base = Self::Field>;

    /// An element's point of the curve, section 6.
    fn map(element: &Self::Field) -> Self::Point;

    /// The multiple of a point in the group, section 7.
    fn clear_cofactor(
        point: &<Self::Point as CurveAffine>::CurveExt,
    ) -> <Self::Point as CurveAffine>::CurveExt;
}

/// All stages of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages<S: Suite> {
    /// `u` of the message.
    pub elements: [S::Field; 2],
    /// `Q0` and `Q1`.
    pub mapped: [S::Point; 2],
    /// The hash.
    pub point: S::Point,
}

impl<S: Suite> Stages<S> {
    /// The stages of a message.
    pub fn new(message: &[u8], tag: &Tag) -> Self {
        Self::expanded(Expander::Sha256, message, tag)
    }

    /// The stages of a message that is expanded with this hash, which need not be that of the suite's name.
    pub fn expanded(expander: Expander, message: &[u8], tag: &Tag) -> Self {
        let elements = hash_to_field(expander, message, tag, 2);
        let elements = elements.try_into().expect("two were asked for");
        Self::of_elements(elements)
    }

    /// The stages from two elements on.
    pub fn of_elements(elements: [S::Field; 2]) -> Self {
        let mapped = elements.map(|element| S::map(&element));
        let sum = mapped[0].to_curve() + mapped[1].to_curve();
        Self { elements, mapped, point: S::clear_cofactor(&sum).to_affine() }
    }
}

/// `count` elements from a message, RFC 9380 section 5.2.
pub fn hash_to_field<F: ExtensionField>(
    expander: Expander,
    message: &[u8],
    tag: &Tag,
    count: usize,
) -> Vec<F> {
    let each = F::DEGREE * F::BYTES;
    let bytes = expander.expand(message, tag, count * each);
    bytes.chunks_exact(each).map(F::reduced).collect()
}

/// The hash of a message, RFC 9380 section 3.
pub fn hash_to_curve<S: Suite>(message: &[u8], tag: &Tag) -> S::Point {
    Stages::<S>::new(message, tag).point
}
