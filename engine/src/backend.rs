use std::{env, fmt};

use thiserror::Error;

#[cfg(target_arch = "x86_64")]
use crate::lanes::ifma::Ifma;
#[cfg(test)]
use crate::lanes::Counted;
use crate::{
    field::Field,
    lanes::{Lanes, Points, Portable},
};

/// The environment variable that [`Backend::from_env`] reads: `portable` or `ifma`. Unset or empty, it
/// takes the best that the machine has.
pub const ENGINE_ENV: &str = "MUSTER_ENGINE";

/// What computes: the library's own arithmetic, or vectors. Results are the same, bit for bit.
///
/// A value of this type runs on this machine.
#[derive(Clone, Copy)]
pub struct Backend(Kind);

#[derive(Clone, Copy)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Ifma(Ifma),
    /// Computes nothing, and panics if a bound is exceeded.
    #[cfg(test)]
    Counted,
}

/// Why there is no such backend.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum BackendError {
    /// [`ENGINE_ENV`] names no backend.
    #[error("{ENGINE_ENV} is {0:?}; it must be portable or ifma")]
    Unknown(String),
    /// [`ENGINE_ENV`] asks for vectors, and the processor has none, or the feature `portable` leaves them out.
    #[error("{ENGINE_ENV} is ifma, but {}", if cfg!(feature = "portable") {
        "this program was built without vectors"
    } else {
        "this processor has no AVX-512 IFMA"
    })]
    Missing,
}

impl Backend {
    /// The library's own arithmetic, which runs anywhere.
    pub const fn portable() -> Self {
        Self(Kind::Portable)
    }

    /// Eight lanes of AVX-512 IFMA, if the processor has them and the feature `portable` does not leave them out.
    pub fn ifma() -> Option<Self> {
        if cfg!(feature = "portable") {
            return None;
        }
        #[cfg(target_arch = "x86_64")]
        return Ifma::try_new().map(|ifma| Self(Kind::Ifma(ifma)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// The fastest that the machine has.
    pub fn best() -> Self {
        Self::ifma().unwrap_or(Self::portable())
    }

    /// The one that [`ENGINE_ENV`] names, or else the fastest.
    ///
    /// # Errors
    ///
    /// If it names none, or one that this machine does not have.
    pub fn from_env() -> Result<Self, BackendError> {
        Self::named(&env::var_os(ENGINE_ENV).unwrap_or_default().to_string_lossy())
    }

    #[cfg(test)]
    pub(crate) const fn counted() -> Self {
        Self(Kind::Counted)
    }

    /// The backend with a name; the fastest for an empty one.
    pub(crate) fn named(name: &str) -> Result<Self, BackendError> {
        match name {
            "" => Ok(Self::best()),
            "portable" => Ok(Self::portable()),
            "ifma" => Self::ifma().ok_or(BackendError::Missing),
            _ => Err(BackendError::Unknown(name.into())),
        }
    }

    /// Its name, as [`ENGINE_ENV`] has it.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(_) => "ifma",
            #[cfg(test)]
            Kind::Counted => "counted",
        }
    }

    /// Does a piece of work.
    pub(crate) fn run<F: Field, W: Work<F>>(self, work: W) -> W::Output {
        match self.0 {
            Kind::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(ifma) => work.run(ifma),
            #[cfg(test)]
            Kind::Counted => work.run(Counted),
        }
    }

    /// Does a piece of work on points.
    pub(crate) fn run_points<W: PointWork>(self, work: W) -> W::Output {
        match self.0 {
            Kind::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(ifma) => work.run(ifma),
            #[cfg(test)]
            Kind::Counted => work.run(Counted),
        }
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something to compute, on any lanes.
pub(crate) trait Work<F> {
    /// What comes out.
    type Output;

    /// Computes it.
    fn run<L: Lanes<F>>(self, lanes: L) -> Self::Output;
}

/// Something to compute with points of G1.
pub(crate) trait PointWork {
    /// What comes out.
    type Output;

    /// Computes it.
    fn run<L: Points>(self, lanes: L) -> Self::Output;
}
