//! Ceremonies with made-up secrets that run elsewhere, on the workers of a farm: what each is asked for, and what came of it.

mod asked;
mod dkg;
mod frost;
#[cfg(test)]
mod tests;

use crate::Error;

pub use asked::{DkgAsked, FrostAsked, Simulated, Simulation};
pub use dkg::Args as DkgArgs;
use dkg::Dkg;
use frost::Frost;

/// Which ceremonies.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Args {
    /// FROST: key generation, both rounds, the aggregation and the search for a cheater, as `muster frost sweep` measures them.
    Frost(FrostArgs),
    /// A key among players with given stakes, without a dealer: as `muster dkg demo` makes it.
    Dkg(DkgArgs),
}

pub use super::frost::SweepArgs as FrostArgs;

/// Some ceremonies, and where their results go.
#[derive(Debug)]
pub struct Simulations(Kind);

#[derive(Debug)]
enum Kind {
    Frost(Box<Frost>),
    Dkg(Dkg),
}

impl Simulations {
    /// Those that a command asks for.
    ///
    /// # Errors
    ///
    /// [`Error::File`] for results that are there, or malformed, and for bad stakes; [`Error::Io`].
    pub fn of(args: &Args) -> Result<Self, Error> {
        Ok(Self(match args {
            Args::Frost(args) => Kind::Frost(Box::new(Frost::of(args)?)),
            Args::Dkg(args) => Kind::Dkg(Dkg::of(args)?),
        }))
    }

    /// Those of which there is no result.
    pub fn left(&self) -> Vec<Simulation> {
        match &self.0 {
            Kind::Frost(frost) => frost.left(),
            Kind::Dkg(dkg) => dkg.left(),
        }
    }

    /// Takes over what came of one.
    ///
    /// # Errors
    ///
    /// [`Error::File`] for what is no result of one of these.
    pub fn take(&mut self, simulated: Simulated) -> Result<(), Error> {
        match &mut self.0 {
            Kind::Frost(frost) => frost.take(simulated),
            Kind::Dkg(dkg) => dkg.take(simulated),
        }
    }

    /// Writes the files of the results.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::File`].
    pub fn save(&self) -> Result<(), Error> {
        match &self.0 {
            Kind::Frost(frost) => frost.save(),
            Kind::Dkg(dkg) => dkg.save(),
        }
    }

    /// Says on standard output what came of all.
    ///
    /// # Errors
    ///
    /// [`Error::File`], which does not occur for results that could be saved.
    pub fn report(&self, json: bool) -> Result<(), Error> {
        let report = match &self.0 {
            Kind::Frost(frost) => frost.report()?,
            Kind::Dkg(dkg) => dkg.report(),
        };
        report.print(json);
        Ok(())
    }
}
