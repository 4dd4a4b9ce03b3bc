//! Ceremonies with made-up secrets that run elsewhere, on the workers of a farm: what each is asked for, and what came of it.

mod asked;
mod dkg;
mod frost;
#[cfg(test)]
mod tests;

pub use super::frost::SweepArgs as FrostArgs;
use crate::Error;

pub use asked::{DkgAsked, Simulated, Simulation};
pub use dkg::Args as DkgArgs;
use dkg::Dkg;
use frost::Frost;

/// Some ceremonies, and where their results go.
#[derive(Debug)]
pub struct Simulations(Kind);

#[derive(Debug)]
enum Kind {
    Frost(Box<Frost>),
    Dkg(Dkg),
}

impl Simulations {
    /// Those of FROST that a command asks for.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] for results that are there, or malformed; [`muster_prover::Error::Io`].
    pub fn frost(args: &FrostArgs) -> Result<Self, Error> {
        Ok(Self(Kind::Frost(Box::new(Frost::of(args)?))))
    }

    /// The key generations that a command asks for.
    ///
    /// # Errors
    ///
    /// The same, and for bad stakes.
    pub fn dkg(args: &DkgArgs) -> Result<Self, Error> {
        Ok(Self(Kind::Dkg(Dkg::of(args)?)))
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
    /// [`muster_prover::Error::File`] for what is no result of one of these.
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
    /// [`muster_prover::Error::Io`], [`muster_prover::Error::File`].
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
    /// [`muster_prover::Error::File`], which does not occur for results that could be saved.
    pub fn report(&self, json: bool) -> Result<(), Error> {
        let report = match &self.0 {
            Kind::Frost(frost) => frost.report()?,
            Kind::Dkg(dkg) => dkg.report(),
        };
        report.print(json)
    }
}
