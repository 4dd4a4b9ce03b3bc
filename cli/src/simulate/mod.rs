//! Ceremonies with made-up secrets that run elsewhere, on the workers of a farm: what each is asked for, and what came of it.

mod asked;
mod dkg;
#[cfg(test)]
mod tests;

use std::path::Path;

use muster_sweep::{
    frost::{Case, Row},
    Machine, Results, Store,
};

pub use super::frost::SweepArgs as FrostArgs;
use crate::{report::Report, Error};

pub use asked::{DkgAsked, Simulated, Simulation};
pub use dkg::Args as DkgArgs;
use dkg::Dkg;

/// Some ceremonies, and where their results go.
#[derive(Debug)]
pub struct Simulations(Kind);

#[derive(Debug)]
enum Kind {
    /// Rows of a sweep of FROST, and the directory of its results.
    Frost {
        cases: Vec<Case>,
        store: Box<Store<Row>>,
    },
    Dkg(Dkg),
}

impl Simulations {
    /// Those of FROST that a command asks for.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] for results that are there, or malformed; [`muster_prover::Error::Io`].
    pub fn frost(args: &FrostArgs) -> Result<Self, Error> {
        let results = Results::new(Machine::this(), Some(args.repeat));
        let store = Store::open_kept(&args.store.out, args.store.existing(), results)?;
        Ok(Self(Kind::Frost { cases: args.cases(), store: Box::new(store) }))
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
            Kind::Frost { cases, store } => {
                store.results.left(cases).into_iter().cloned().map(Simulation::Frost).collect()
            }
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
            // A row stands where it does among those that are asked for, whichever come first.
            Kind::Frost { cases, store } => {
                let Simulation::Frost(asked) = &simulated.asked else { return Ok(()) };
                let row = simulated.frost(Path::new("the row"), asked)?;
                if let Some(place) = cases.iter().position(|case| case == asked) {
                    store.results.put_among(cases, place, row, Some(simulated.machine));
                }
            }
            Kind::Dkg(dkg) => dkg.take(&simulated),
        }
        Ok(())
    }

    /// Writes the files of the results.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Io`], [`muster_prover::Error::File`].
    pub fn save(&self) -> Result<(), Error> {
        match &self.0 {
            Kind::Frost { store, .. } => Ok(store.save_rows()?),
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
            Kind::Frost { store, .. } => Report { text: store.text()?, json: store.json()? },
            Kind::Dkg(dkg) => dkg.report(),
        };
        report.print(json)
    }
}
