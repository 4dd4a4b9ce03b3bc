//! Making the rows of a sweep, one after the other or several at once.

use std::{
    sync::{Condvar, Mutex, MutexGuard},
    time::Instant,
};

use crate::{
    pool,
    progress::Progress,
    results::Row,
    store::{Existing, Store},
    Error,
};

/// How many rows run at once.
#[derive(Clone, Copy, Debug)]
pub struct AtOnce {
    /// The most rows.
    pub rows: usize,
    /// The most bytes that they may take together, if there is a limit. A row alone may take more.
    pub bytes: Option<u64>,
    /// After this no row is begun that takes time.
    pub until: Option<Instant>,
}

impl AtOnce {
    /// One row after the other, each with the machine to itself.
    pub const ONE: Self = Self { rows: 1, bytes: None, until: None };
}

/// What the workers share.
struct Filling<'a, R: Row> {
    store: &'a mut Store<R>,
    progress: Progress,
    /// Places of the new rows among those that were left.
    made: Vec<usize>,
    /// Whether an error has ended the sweep: rows at work are finished and kept, but no more are begun.
    is_over: bool,
}

impl<R: Row> Store<R> {
    /// Makes those rows that are asked for and not finished, several at once, and writes the files after each of them.
    ///
    /// # Errors
    ///
    /// Those of [`Row::measure`], which end the sweep; [`muster_prover::Error::Io`] and [`muster_prover::Error::File`]
    /// for files that cannot be written.
    pub fn fill(
        &mut self,
        cases: &[R::Case],
        at_once: AtOnce,
        settings: &R::Settings,
    ) -> Result<(), Error> {
        let left = self.results.left(cases);
        let planned = left.iter().map(|case| R::seconds(case, settings)).sum();
        let progress = Progress::new(left.len(), planned, at_once.rows);
        if self.machine_differs {
            progress
                .note("note: the results hold rows from another machine or version; they are kept");
        }
        if self.existing == Existing::Resume {
            let finished = cases.len() - left.len();
            progress.note(&format!("{finished} rows are finished, {} are to be run", left.len()));
        }
        let room = Room::new(at_once.bytes);
        let filling = Mutex::new(Filling { store: self, progress, made: vec![], is_over: false });
        let locked = || filling.lock().expect("nobody panics who holds it");
        let done = pool::each((0..left.len()).collect(), at_once.rows, |&place| {
            let case = left[place];
            let _part = room.enter(R::bytes(case, settings));
            {
                let filling = locked();
                let is_late = at_once.until.is_some_and(|end| Instant::now() >= end);
                if filling.is_over || is_late && R::seconds(case, settings) > 0.0 {
                    return Ok(());
                }
                filling.progress.start(place, &case.to_string(), R::seconds(case, settings));
            }
            let made = pool::caught(|| R::measure(case, settings));
            let filling = &mut *locked();
            let kept = made.and_then(|row| filling.keep(&left, place, row));
            filling.is_over |= kept.is_err();
            kept
        });
        locked().progress.end();
        done.into_iter().try_for_each(|(_, made)| made)?;
        self.save()
    }
}

impl<R: Row> Filling<'_, R> {
    /// Adds a row to the others, in the order in which they are asked for, no matter which ended first.
    fn keep(&mut self, left: &[&R::Case], place: usize, row: R) -> Result<(), Error> {
        let Self { store, progress, made, .. } = self;
        progress.finish(place, &row.outcome(), row.has_run());
        let later = made.iter().filter(|other| **other > place).map(|other| left[*other]);
        store.results.put(left[place], row, None, |row| later.clone().any(|case| row.is_of(case)));
        made.push(place);
        store.save()
    }
}

/// Memory for rows that run at once: lets them in as long as their estimates together stay within a limit. A row alone is
/// always let in: whether it is too large for the machine is checked before.
#[derive(Debug)]
pub(crate) struct Room {
    limit: u64,
    taken: Mutex<Taken>,
    freed: Condvar,
    /// Held by the row that waits. Later rows wait for it, so that small rows cannot keep a large one out.
    turn: Mutex<()>,
}

#[derive(Debug, Default)]
struct Taken {
    rows: usize,
    bytes: u64,
}

/// A row's part of the memory, until it is dropped.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Room {
    /// Memory of `limit` bytes, or without a limit.
    pub(crate) fn new(limit: Option<u64>) -> Self {
        let limit = limit.unwrap_or(u64::MAX);
        Self { limit, taken: Mutex::default(), freed: Condvar::new(), turn: Mutex::new(()) }
    }

    /// Waits until there are `bytes` left, or no row is inside.
    pub(crate) fn enter(&self, bytes: u64) -> Part<'_> {
        let _turn = self.turn.lock().expect("nobody panics who holds it");
        let is_full =
            |taken: &mut Taken| taken.rows > 0 && taken.bytes.saturating_add(bytes) > self.limit;
        let taken = self.freed.wait_while(self.taken(), is_full);
        let mut taken = taken.expect("nobody panics who holds it");
        taken.rows += 1;
        taken.bytes += bytes;
        Part { room: self, bytes }
    }

    /// Whether a row waits, or is about to be let in.
    #[cfg(test)]
    pub(crate) fn is_awaited(&self) -> bool {
        self.turn.try_lock().is_err()
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().expect("nobody panics who holds it")
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let mut taken = self.room.taken();
        taken.rows -= 1;
        taken.bytes -= self.bytes;
        self.room.freed.notify_all();
    }
}
