//! Each place without what it records: which test notices?
//!
//! A test that passes without a whole set of places notices none of them, so it is asked about all that is left
//! at once, and about halves of what it noticed until single places are found.

use std::{
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        Mutex, MutexGuard,
    },
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::{
    binaries::Test,
    error::Error,
    parallel,
    place::Place,
    record::{Record, Recorded},
    trial::{self, Outcome},
};

/// A test that takes longer than so many times its own time is stopped.
const PATIENCE: u32 = 20;
/// The least time that a test is given.
const LEAST: Duration = Duration::from_secs(60);

/// What a run may take.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Processes at a time.
    pub(crate) jobs: usize,
    /// After which no test is asked.
    pub(crate) time: Option<Duration>,
    /// At most so many places.
    pub(crate) sample: Option<usize>,
    /// So many of the places that tests showed to notice are dropped all the same.
    pub(crate) confirmed: usize,
    /// Decides which.
    pub(crate) seed: u64,
}

impl Limits {
    /// Where a place stands among all of which a sample has the first.
    fn rank(&self, place: &Place) -> u64 {
        rank(self.seed, place.key())
    }
}

/// A number by which `seed` decides whether something of this name is in a sample.
pub(crate) fn rank(seed: u64, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, name).hash(&mut hasher);
    hasher.finish()
}

/// What came of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// The place.
    pub(crate) place: Place,
    /// The title of the test that noticed.
    pub(crate) noticed: Option<String>,
    /// Whether tests are left that were not asked.
    pub(crate) is_open: bool,
}

/// Drops all places that `counts` names, or a sample of them, until no test notices another. What an earlier run
/// of the same sources noticed is `known`; `hints` gives titles of tests that are asked about a place before all others.
/// Whether no test was refuted, and what came of each place. `progress` is told from time to time.
pub(crate) fn drop_each(
    record: &Record,
    mut counts: impl FnMut(&Place) -> bool,
    known: &[Verdict],
    hints: impl Fn(&Place) -> Vec<String>,
    limits: &Limits,
    progress: &(impl Fn(&[Verdict]) -> Result<(), Error> + Sync),
) -> Result<(bool, Vec<Verdict>), Error> {
    let mut chosen: Vec<_> = (0..record.places.len()).collect();
    chosen.retain(|number| counts(&record.places[*number]));
    if let Some(sample) = limits.sample {
        chosen.sort_by_key(|number| limits.rank(&record.places[*number]));
        chosen.truncate(sample);
        chosen.sort_unstable();
    }
    let search = Search::new(record, &chosen, known, limits)?;
    let refuted = search.confirm(&chosen, limits)?;
    search.withdraw(&refuted);
    search.follow(hints, limits.jobs, progress)?;
    let (last, forged): (Vec<_>, Vec<_>) =
        record.tests.iter().partition(|recorded| recorded.test.is_determinism());
    // What is dropped beside a place may hide that a test notices it: until a round finds nothing.
    while search.round(&forged, limits.jobs, progress)? > 0 {}
    search.ask_each(&last, limits.jobs, progress)?;
    Ok((refuted.is_empty(), search.verdicts(false)))
}

/// What is left to find, shared by all threads.
struct Search<'a> {
    record: &'a Record,
    /// Of each place that is not noticed yet, nothing; of the others, the test.
    state: Mutex<BTreeMap<usize, Option<&'a Test>>>,
    lists: TempDir,
    trials: AtomicUsize,
    deadline: Option<Instant>,
    is_late: AtomicBool,
}

impl<'a> Search<'a> {
    fn new(
        record: &'a Record,
        chosen: &[usize],
        known: &[Verdict],
        limits: &Limits,
    ) -> Result<Self, Error> {
        let showed = record.showed();
        let known: HashMap<_, _> = (known.iter())
            .filter_map(|verdict| Some((verdict.place.key(), verdict.noticed.as_ref()?)))
            .collect();
        let noticed = |number: &usize| {
            let named = || record.named(known.get(record.places[*number].key())?);
            Some(&showed.get(number).copied().or_else(named)?.test)
        };
        Ok(Self {
            record,
            state: Mutex::new(chosen.iter().map(|number| (*number, noticed(number))).collect()),
            lists: tempfile::tempdir().map_err(Error::Folder)?,
            trials: AtomicUsize::new(0),
            deadline: limits.time.map(|time| Instant::now() + time),
            is_late: AtomicBool::new(false),
        })
    }

    /// Drops a sample of the places that tests showed to notice, and returns the tests that do not fail.
    fn confirm(&self, chosen: &[usize], limits: &Limits) -> Result<Vec<&'a Test>, Error> {
        let showed = self.record.showed();
        let mut showed: Vec<_> =
            showed.iter().filter(|(number, _)| chosen.contains(number)).collect();
        showed.sort_by_key(|(number, _)| limits.rank(&self.record.places[**number]));
        showed.truncate(limits.confirmed);
        let answers = parallel::map(limits.jobs, &showed, |_, (number, recorded)| {
            match self.outcome(recorded, &[**number])? {
                Outcome::Passes if !self.is_late.load(Ordering::Relaxed) => {
                    let (place, title) = (&self.record.places[**number], recorded.test.title());
                    eprintln!("{title} was taken to notice {}, and passes without it", place.key());
                    Ok(Some(&recorded.test))
                }
                _ => Ok(None),
            }
        });
        answers.into_iter().filter_map(Result::transpose).collect()
    }

    /// Takes nothing for noticed that these tests showed: each place is dropped after all.
    fn withdraw(&self, refuted: &[&Test]) {
        for noticed in self.state().values_mut() {
            if noticed.is_some_and(|test| refuted.iter().any(|one| one.title() == test.title())) {
                *noticed = None;
            }
        }
    }

    /// Asks about each place that is left, by itself, the tests that `hints` names.
    fn follow(
        &self,
        hints: impl Fn(&Place) -> Vec<String>,
        jobs: usize,
        progress: &(impl Fn(&[Verdict]) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        let all: Vec<_> = (0..self.record.places.len()).collect();
        let named = |place: usize| {
            let titles = hints(&self.record.places[place]).into_iter();
            titles.filter_map(move |title| Some((place, self.record.named(&title)?)))
        };
        let mut hinted: Vec<_> = (self.of_these_left(&all).into_iter())
            .flat_map(named)
            .filter(|(place, recorded)| recorded.places.binary_search(place).is_ok())
            .filter(|(_, recorded)| !recorded.test.is_determinism())
            .collect();
        hinted.sort_by_key(|(_, recorded)| recorded.time);
        let answers = parallel::map(jobs, &hinted, |number, (place, recorded)| {
            self.ask(recorded, &[*place], false)?;
            if number.is_multiple_of(100) {
                eprintln!("{number}/{} hints: {} left", hinted.len(), self.left());
                progress(&self.verdicts(true))?;
            }
            Ok(())
        });
        answers.into_iter().collect()
    }

    /// Asks all `tests` once about what is left; how many places they noticed.
    fn round(
        &self,
        tests: &[&'a Recorded],
        jobs: usize,
        progress: &(impl Fn(&[Verdict]) -> Result<(), Error> + Sync),
    ) -> Result<usize, Error> {
        let before = self.left();
        let asked = AtomicUsize::new(0);
        let answers = parallel::map(jobs, tests, |_, recorded| {
            let answer = self.ask(recorded, &recorded.places, false);
            let asked = asked.fetch_add(1, Ordering::Relaxed) + 1;
            if asked.is_multiple_of(20) || asked == tests.len() {
                let trials = self.trials.load(Ordering::Relaxed);
                eprintln!("{asked}/{} tests, {trials} trials: {} left", tests.len(), self.left());
                progress(&self.verdicts(true))?;
            }
            answer
        });
        answers.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(before - self.left())
    }

    /// Asks `tests`, the fastest first, about each place that is left by itself: for tests that notice most
    /// places, halves are no shorter way.
    fn ask_each(
        &self,
        tests: &[&'a Recorded],
        jobs: usize,
        progress: &(impl Fn(&[Verdict]) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        let all: Vec<_> = (0..self.record.places.len()).collect();
        let left = self.of_these_left(&all);
        let asked = AtomicUsize::new(0);
        let answers = parallel::map(jobs, &left, |_, place| {
            let records = |test: &&&'a Recorded| test.places.binary_search(place).is_ok();
            for recorded in tests.iter().filter(records) {
                if self.outcome(recorded, &[*place])? == Outcome::Fails {
                    self.state().insert(*place, Some(&recorded.test));
                    break;
                }
            }
            let asked = asked.fetch_add(1, Ordering::Relaxed) + 1;
            if asked.is_multiple_of(100) {
                eprintln!("{asked}/{} places by themselves: {} left", left.len(), self.left());
                progress(&self.verdicts(true))?;
            }
            Ok(())
        });
        answers.into_iter().collect()
    }

    /// Finds the places of `set` that a test notices; whether it fails without the whole set, which may be
    /// known before.
    fn ask(&self, recorded: &'a Recorded, set: &[usize], fails: bool) -> Result<bool, Error> {
        let left = self.of_these_left(set);
        if left.is_empty() {
            return Ok(false);
        }
        if !(fails && left.len() == set.len() && left.len() > 1) {
            match self.outcome(recorded, &left)? {
                Outcome::Passes => return Ok(false),
                Outcome::Fails if left.len() == 1 => {
                    self.state().insert(left[0], Some(&recorded.test));
                    return Ok(true);
                }
                _ if left.len() == 1 => return Ok(false),
                _ => {}
            }
        }
        let (first, second) = left.split_at(left.len() / 2);
        let first_fails = self.ask(recorded, first, false)?;
        self.ask(recorded, second, !first_fails)?;
        Ok(true)
    }

    /// What comes of a test without `set`.
    fn outcome(&self, recorded: &Recorded, set: &[usize]) -> Result<Outcome, Error> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.is_late.store(true, Ordering::Relaxed);
            return Ok(Outcome::Passes);
        }
        let trial = self.trials.fetch_add(1, Ordering::Relaxed);
        let path = self.lists.path().join(trial.to_string());
        let lines: Vec<_> = set.iter().map(|number| self.record.places[*number].key()).collect();
        let file = |source| Error::File { path: path.clone(), source };
        std::fs::write(&path, lines.join("\n")).map_err(file)?;
        let limit = LEAST.max(recorded.time * PATIENCE);
        let (outcome, _) = trial::run(&recorded.test, ("MUSTER_DROP", &path), limit)?;
        std::fs::remove_file(&path).map_err(file)?;
        Ok(outcome)
    }

    fn state(&self) -> MutexGuard<'_, BTreeMap<usize, Option<&'a Test>>> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    fn left(&self) -> usize {
        self.state().values().filter(|test| test.is_none()).count()
    }

    fn of_these_left(&self, set: &[usize]) -> Vec<usize> {
        let state = self.state();
        set.iter().copied().filter(|number| matches!(state.get(number), Some(None))).collect()
    }

    /// What came of all places, in a run that still `goes_on` or in one that is over.
    fn verdicts(&self, goes_on: bool) -> Vec<Verdict> {
        let is_open = goes_on || !self.record.is_whole || self.is_late.load(Ordering::Relaxed);
        let verdict = |(number, noticed): (&usize, &Option<&Test>)| Verdict {
            place: self.record.places[*number].clone(),
            is_open: is_open && noticed.is_none(),
            noticed: noticed.map(Test::title),
        };
        self.state().iter().map(verdict).collect()
    }
}

#[cfg(test)]
mod tests;
