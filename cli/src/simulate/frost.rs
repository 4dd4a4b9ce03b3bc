//! Rows of a sweep of FROST.

use std::path::Path;

use muster_sweep::{
    frost::{table, FrostAsked, Row as FrostRow},
    Machine, Results, Store,
};

use super::{Simulated, Simulation};
use crate::{frost::SweepArgs, report::Report, Error};

/// A sweep, and the directory of its results.
#[derive(Debug)]
pub(super) struct Frost {
    asks: Vec<FrostAsked>,
    store: Store<FrostRow>,
}

impl Frost {
    pub(super) fn of(args: &SweepArgs) -> Result<Self, Error> {
        let results = Results::new(Machine::this(), Some(args.repeat()));
        let store = Store::open_kept(&args.store().out, args.store().existing(), results)?;
        Ok(Self { asks: args.asked(), store })
    }

    pub(super) fn left(&self) -> Vec<Simulation> {
        let rows = &self.store.results.rows;
        let is_left = |asked: &&FrostAsked| !rows.iter().any(|row| row.is_of(asked));
        self.asks.iter().filter(is_left).cloned().map(Simulation::Frost).collect()
    }

    /// Puts a row where it stands among those that are asked for, whichever come first.
    pub(super) fn take(&mut self, simulated: Simulated) -> Result<(), Error> {
        let Simulation::Frost(asked) = &simulated.asked else { return Ok(()) };
        let row = simulated.frost(Path::new("the row"), asked)?;
        let place = |row: &FrostRow| self.asks.iter().position(|asked| row.is_of(asked));
        let own = place(&row);
        self.store.results.put_from(simulated.machine, row, |other| place(other) > own);
        Ok(())
    }

    pub(super) fn save(&self) -> Result<(), Error> {
        if self.store.results.rows.is_empty() {
            return Ok(());
        }
        Ok(self.store.save()?)
    }

    pub(super) fn report(&self) -> Result<Report, Error> {
        let table = table(&self.store.results);
        Ok(Report { text: self.store.text(&table), json: self.store.json()? })
    }
}
