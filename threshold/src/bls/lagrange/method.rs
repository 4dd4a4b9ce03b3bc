//! The ways to compute the coefficients.

use crate::bls::identities::Identities;

/// A way to compute the coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Each coefficient by its formula, with its own inversion: t² steps. The baseline.
    Naive,
    /// The same with one inversion for all.
    Quadratic,
    /// [`Identities::Consecutive`]: factorials, and products over the missing signers.
    Missing,
    /// [`Identities::Consecutive`]: factorials, and a tree over values at consecutive integers.
    Values,
    /// Subproduct tree and multipoint evaluation, at any points.
    Subproduct,
    /// [`Identities::RootsOfUnity`]: the polynomial over the absentees by transforms.
    AbsentRoots,
    /// [`Identities::RootsOfUnity`]: the derivative of the polynomial over the signers.
    PresentRoots,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Naive,
        Self::Quadratic,
        Self::Missing,
        Self::Values,
        Self::Subproduct,
        Self::AbsentRoots,
        Self::PresentRoots,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Quadratic => "quadratic",
            Self::Missing => "missing",
            Self::Values => "values",
            Self::Subproduct => "subproduct",
            Self::AbsentRoots => "absent-roots",
            Self::PresentRoots => "present-roots",
        }
    }

    /// Whether it works for these identities.
    pub fn is_for(self, identities: Identities) -> bool {
        match self {
            Self::Naive | Self::Quadratic | Self::Subproduct => true,
            Self::Missing | Self::Values => identities == Identities::Consecutive,
            Self::AbsentRoots | Self::PresentRoots => identities == Identities::RootsOfUnity,
        }
    }
}
