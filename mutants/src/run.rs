//! The run: first which test records which place, then each place without what it records.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    sync::{
        atomic::{AtomicUsize, Ordering},
        Mutex, MutexGuard,
    },
    time::{Duration, Instant},
};

use crate::{
    binaries::Test,
    error::Error,
    place::Place,
    trial::{self, Outcome},
};

/// A test that takes longer than so many times its own time is stopped.
const PATIENCE: u32 = 20;
/// The least time that a test is given.
const LEAST: Duration = Duration::from_secs(60);
/// The time that a test is given as it is.
const RECORDING: Duration = Duration::from_secs(1800);
/// The same where the time of the run is limited: places are recorded first, and what is slow comes last.
const SHORT_RECORDING: Duration = Duration::from_secs(15);

/// Where the time of the run is limited, a place is left undecided after so much time.
const SHORT_PLACE: Duration = Duration::from_secs(20);

/// What a run may take.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Processes at a time.
    pub(crate) jobs: usize,
    /// After which no place is taken up.
    pub(crate) time: Option<Duration>,
    /// Decides the order of places.
    pub(crate) seed: u64,
}

/// What came of a place.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// The place.
    pub(crate) place: Place,
    /// The test that noticed.
    pub(crate) noticed: Option<Test>,
    /// Tests that ran without noticing.
    pub(crate) tried: usize,
    /// Whether tests are left that were not run.
    pub(crate) is_open: bool,
}

/// Tests, their times, and what they record.
#[derive(Debug)]
pub(crate) struct Run {
    tests: Vec<(Test, Duration)>,
    /// The tests that record a place, the fastest first.
    places: BTreeMap<Place, Vec<usize>>,
}

impl Run {
    /// Runs each test once as it is, to learn its time and its places.
    pub(crate) fn record(tests: Vec<Test>, limits: &Limits) -> Result<Self, Error> {
        let folder = std::env::temp_dir().join(format!("muster-mutants-{}", std::process::id()));
        let file = |source| Error::File { path: folder.clone(), source };
        std::fs::create_dir_all(&folder).map_err(file)?;
        let limit = limits.time.map_or(RECORDING, |_| SHORT_RECORDING);
        let recorded = in_parallel(limits.jobs, &tests, |number, test| {
            let list = folder.join(number.to_string());
            let (outcome, time) = trial::run(test, ("MUSTER_PLACES", &list), limit)?;
            if outcome == Outcome::Fails || (outcome == Outcome::Late && limits.time.is_none()) {
                return Err(Error::Red { test: test.title() });
            }
            // A test that records nothing makes no list.
            let places = std::fs::read_to_string(&list).unwrap_or_default();
            Ok((time, places.lines().filter_map(Place::parse).collect::<Vec<_>>()))
        });
        std::fs::remove_dir_all(&folder).map_err(file)?;
        let mut run = Self { tests: vec![], places: BTreeMap::new() };
        for (number, (test, recorded)) in tests.into_iter().zip(recorded).enumerate() {
            let (time, places) = recorded?;
            run.tests.push((test, time));
            places.into_iter().for_each(|place| run.places.entry(place).or_default().push(number));
        }
        if run.places.is_empty() {
            return Err(Error::NoPlaces);
        }
        for tests in run.places.values_mut() {
            tests.sort_by_key(|test| run.tests[*test].1);
        }
        let total: Duration = run.tests.iter().map(|(_, time)| *time).sum();
        eprintln!("{} places; all tests take {total:.0?}", run.places.len());
        Ok(run)
    }

    /// Drops each place whose name contains `part`, in an order that the seed decides.
    pub(crate) fn drop_each(&self, part: &str, limits: &Limits) -> Result<Vec<Verdict>, Error> {
        let mut places: Vec<_> =
            self.places.iter().filter(|(place, _)| place.key().contains(part)).collect();
        let order = |place: &Place| {
            let mut hasher = DefaultHasher::new();
            (limits.seed, place.key()).hash(&mut hasher);
            hasher.finish()
        };
        places.sort_by_key(|(place, _)| order(place));
        let start = Instant::now();
        let helpful = Mutex::new(HashMap::<&str, Vec<usize>>::new());
        let done = AtomicUsize::new(0);
        let verdicts = in_parallel(limits.jobs, &places, |_, (place, tests)| {
            if limits.time.is_some_and(|time| start.elapsed() > time) {
                return Ok(None);
            }
            // In a statement of its own: the lock is not held while tests run.
            let known = lock(&helpful).get(place.file()).cloned().unwrap_or_default();
            let (verdict, by) = self.drop_one(place, tests, &known, limits)?;
            if let Some(by) = by {
                let mut helpful = lock(&helpful);
                let known = helpful.entry(place.file()).or_default();
                known.retain(|test| *test != by);
                known.insert(0, by);
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if (verdict.noticed.is_none() && !verdict.is_open) || done.is_multiple_of(100) {
                let state = if verdict.noticed.is_some() { "" } else { "  not noticed" };
                eprintln!("{done}/{} {place}{state}", places.len());
            }
            Ok(Some(verdict))
        });
        verdicts.into_iter().filter_map(Result::transpose).collect()
    }

    /// Runs the tests of a place without what it records until one fails: those that noticed another place
    /// of the file first, then those of the nearest module, then the fastest; the determinism of cells last.
    fn drop_one(
        &self,
        place: &Place,
        tests: &[usize],
        helpful: &[usize],
        limits: &Limits,
    ) -> Result<(Verdict, Option<usize>), Error> {
        let start = Instant::now();
        let rank = |number: usize| {
            let (test, time) = &self.tests[number];
            let known = helpful.iter().position(|known| *known == number).unwrap_or(usize::MAX);
            (test.is_determinism(), known, Reverse(test.nearness(place.file())), *time)
        };
        let mut order = tests.to_vec();
        order.sort_by_key(|number| rank(*number));
        for (tried, number) in order.iter().enumerate() {
            if limits.time.is_some() && start.elapsed() > SHORT_PLACE {
                let verdict = Verdict { place: place.clone(), noticed: None, tried, is_open: true };
                return Ok((verdict, None));
            }
            let (test, time) = &self.tests[*number];
            let limit = LEAST.max(*time * PATIENCE);
            let (outcome, _) = trial::run(test, ("MUSTER_DROP", Path::new(place.key())), limit)?;
            if outcome == Outcome::Fails {
                let noticed = Some(test.clone());
                let verdict = Verdict { place: place.clone(), noticed, tried, is_open: false };
                return Ok((verdict, Some(*number)));
            }
        }
        let tried = order.len();
        let verdict = Verdict { place: place.clone(), noticed: None, tried, is_open: false };
        Ok((verdict, None))
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect("no thread panics while it holds the lock")
}

/// Does `work` on all items, in order, by so many threads.
fn in_parallel<I: Sync, O: Send>(
    jobs: usize,
    items: &[I],
    work: impl Fn(usize, &I) -> O + Sync,
) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(number) else { return };
                let output = work(number, item);
                lock(&done).push((number, output));
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panicked");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, output)| output).collect()
}

#[test]
fn work_is_done_in_order() {
    let items: Vec<_> = (0..100).collect();
    assert_eq!(
        in_parallel(4, &items, |number, item| number + item),
        (0..100).map(|i| 2 * i).collect::<Vec<_>>()
    );
}
