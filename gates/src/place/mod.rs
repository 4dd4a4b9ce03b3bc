//! The places in the code that ask for a constraint.
//!
//! Whatever is recorded at the border of the gates (copies, range checks, fixed cells, relations,
//! and the polynomials and lookups of a gate) carries the place that asked for it. A build without
//! debug assertions has no places: a [`Place`] is empty there, and everything is kept. With them one
//! place can be [dropped](drops), to find out whether a forged witness notices.

#[cfg(debug_assertions)]
use std::panic::Location;

#[cfg(debug_assertions)]
pub mod credit;
#[cfg(debug_assertions)]
pub mod drops;

/// Whether the environment asks this build to drop constraints, and it would: only tests may. Programs refuse to start.
pub fn is_asked_to_drop() -> bool {
    #[cfg(debug_assertions)]
    return drops::is_asked();
    #[cfg(not(debug_assertions))]
    false
}

/// A place in the code; empty without debug assertions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    #[cfg(debug_assertions)]
    location: Option<&'static Location<'static>>,
    /// Whether the circuit came here an odd number of times before.
    #[cfg(debug_assertions)]
    odd: bool,
}

/// All places are equal: rows of two lanes may be the same and come from two places.
impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}

#[cfg(debug_assertions)]
impl Place {
    /// The caller's place or, if the caller is `#[track_caller]` itself, its caller's, and so on. The odd and the even
    /// visits of a circuit count as two places.
    #[track_caller]
    pub(super) fn here() -> Self {
        let location = Location::caller();
        Self { location: Some(location), odd: drops::is_odd(location) }
    }

    /// As [`Self::here`], but all visits count as one place.
    #[track_caller]
    pub(super) fn all() -> Self {
        Self { location: Some(Location::caller()), odd: false }
    }

    /// Whether `what` is recorded here; `part` tells several at one place apart.
    pub(super) fn keeps(self, what: &'static str, part: usize) -> bool {
        self.key(what, part).is_none_or(|(location, what, part)| drops::keeps(location, what, part))
    }

    /// What [`Self::keeps`] asks about; `None` for an empty place.
    pub(super) fn key(self, what: &'static str, part: usize) -> Option<drops::Key> {
        self.location.map(|location| (location, what, 2 * part + usize::from(self.odd)))
    }

    /// A name that tells it from other places.
    #[cfg(debug_assertions)]
    pub fn name(self) -> Option<String> {
        self.location.map(|location| format!("{location}/{}", u8::from(self.odd)))
    }

    /// Whether any range check is dropped: the lookups must then be told where.
    pub(super) fn drops_ranges() -> bool {
        drops::is_range()
    }
}

#[cfg(not(debug_assertions))]
impl Place {
    #[inline(always)]
    pub(super) fn here() -> Self {
        Self {}
    }

    #[inline(always)]
    pub(super) fn all() -> Self {
        Self {}
    }

    #[inline(always)]
    pub(super) fn keeps(self, _: &'static str, _: usize) -> bool {
        true
    }

    #[inline(always)]
    pub(super) fn drops_ranges() -> bool {
        false
    }
}
