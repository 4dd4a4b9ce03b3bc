//! Making the rows of a sweep, one after the other or several at once.

use std::sync::Mutex;

use super::{
    progress::Progress,
    results::Row,
    room::Room,
    store::{Existing, Store},
};
use crate::{pool, Error};

/// Work that gives a row.
#[derive(Debug)]
pub struct Task<T> {
    /// What is measured.
    pub what: T,
    /// Its name while it runs.
    pub name: String,
    /// Seconds that it takes, roughly. Only the proportions matter: a sweep learns the machine's
    /// speed from its own rows.
    pub cost: f64,
    /// Estimated bytes of memory. They matter when rows run at once.
    pub bytes: u64,
}

/// How many rows run at once.
#[derive(Clone, Copy, Debug)]
pub struct AtOnce {
    /// The most rows.
    pub rows: usize,
    /// The most bytes that they may take together, if there is a limit. A row alone may take more.
    pub bytes: Option<u64>,
}

impl AtOnce {
    /// One row after the other, each with the machine to itself.
    pub const ONE: Self = Self { rows: 1, bytes: None };
}

/// What the workers share.
struct Filling<'a, R: Row> {
    store: &'a mut Store<R>,
    progress: Progress,
    /// The new rows, with their places among the tasks.
    new: Vec<(R::Ask, usize)>,
    /// Whether an error has ended the sweep: rows at work are finished and kept, but no more are begun.
    is_over: bool,
}

impl<R: Row> Store<R> {
    /// Makes rows, several at once, and writes the files after each of them. `asked` is the number of
    /// rows that were asked for, including finished ones.
    ///
    /// # Errors
    ///
    /// Those of `work`, which end the sweep; [`muster_prover::Error::Io`] and [`muster_prover::Error::File`] for files
    /// that cannot be written.
    pub fn fill<T: Send, E: From<Error> + Send>(
        &mut self,
        asked: usize,
        tasks: Vec<Task<T>>,
        at_once: AtOnce,
        work: impl Fn(&T) -> Result<R, E> + Sync,
    ) -> Result<(), E> {
        let planned = tasks.iter().map(|task| task.cost).sum();
        let progress = Progress::new(tasks.len(), planned, at_once.rows);
        if self.machine_differs {
            progress
                .note("note: the results hold rows from another machine or version; they are kept");
        }
        if self.existing == Existing::Resume {
            let (left, finished) = (tasks.len(), asked - tasks.len());
            progress.note(&format!("{finished} rows are finished, {left} are to be run"));
        }
        let room = Room::new(at_once.bytes);
        let filling = Mutex::new(Filling { store: self, progress, new: vec![], is_over: false });
        let tasks = tasks.into_iter().enumerate().collect();
        let done = pool::each(tasks, at_once.rows, |(place, task)| {
            let _part = room.enter(task.bytes);
            make(&filling, *place, task, &work)
        });
        filling.into_inner().expect("nobody panics who holds it").progress.end();
        done.into_iter().try_for_each(|(_, made)| made)?;
        Ok(self.save()?)
    }
}

impl<R: Row> Filling<'_, R> {
    /// Adds a row to the others, in the order of the tasks, no matter which ended first.
    fn keep(&mut self, place: usize, row: R) -> Result<(), Error> {
        let Self { store, new, .. } = self;
        new.push((row.ask(), place));
        let is_later = |row: &R| {
            let ask = row.ask();
            new.iter().any(|(other, others)| *others > place && *other == ask)
        };
        store.results.put_before(row, is_later);
        store.save()
    }
}

/// Makes a row and adds it to the others, unless the sweep is over.
fn make<T, R: Row, E: From<Error>>(
    filling: &Mutex<Filling<'_, R>>,
    place: usize,
    task: &Task<T>,
    work: impl Fn(&T) -> Result<R, E>,
) -> Result<(), E> {
    let filling = || filling.lock().expect("nobody panics who holds it");
    {
        let filling = &mut *filling();
        if filling.is_over {
            return Ok(());
        }
        filling.progress.start(place, &task.name, task.cost);
    }
    let made = pool::caught(|| work(&task.what));
    let filling = &mut *filling();
    let kept = made.and_then(|row| {
        filling.progress.finish(place, &row.outcome(), row.has_run());
        Ok(filling.keep(place, row)?)
    });
    filling.is_over |= kept.is_err();
    kept
}
