//! Rows of a sweep of FROST.

use std::path::Path;

use muster_sweep::{
    frost::{Case, Row},
    Machine, Results, Store,
};

use super::{Simulated, Simulation};
use crate::{frost::SweepArgs, report::Report, Error};

/// A sweep, and the directory of its results.
#[derive(Debug)]
pub(super) struct Frost {
    cases: Vec<Case>,
    store: Store<Row>,
}

impl Frost {
    pub(super) fn of(args: &SweepArgs) -> Result<Self, Error> {
        let results = Results::new(Machine::this(), Some(args.repeat()));
        let store = Store::open_kept(&args.store().out, args.store().existing(), results)?;
        Ok(Self { cases: args.cases(), store })
    }

    pub(super) fn left(&self) -> Vec<Simulation> {
        self.store.results.left(&self.cases).into_iter().cloned().map(Simulation::Frost).collect()
    }

    /// Puts a row where it stands among those that are asked for, whichever come first.
    pub(super) fn take(&mut self, simulated: Simulated) -> Result<(), Error> {
        let Simulation::Frost(asked) = &simulated.asked else { return Ok(()) };
        let row = simulated.frost(Path::new("the row"), asked)?;
        if let Some(place) = self.cases.iter().position(|case| case == asked) {
            self.store.results.put_among(&self.cases, place, row, Some(simulated.machine));
        }
        Ok(())
    }

    pub(super) fn save(&self) -> Result<(), Error> {
        Ok(self.store.save_rows()?)
    }

    pub(super) fn report(&self) -> Result<Report, Error> {
        Ok(Report { text: self.store.text()?, json: self.store.json()? })
    }
}
