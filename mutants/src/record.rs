//! Which test records which place, and how long it takes.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    binaries::Test,
    error::Error,
    parallel,
    place::Place,
    trial::{self, Outcome},
};

/// The time that a test is given as it is.
const PATIENCE: Duration = Duration::from_secs(1800);
/// The same where the time of the run is limited.
const SHORT_PATIENCE: Duration = Duration::from_secs(6);

/// Stands before a place that a test notices, in the list that it makes.
const NOTICED: char = '+';

/// A test, as it is.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The test.
    pub(crate) test: Test,
    /// Its time in a process of its own.
    pub(crate) time: Duration,
    /// Numbers of the places of circuits that it records, in order.
    pub(crate) places: Vec<usize>,
    /// Those of them of which it showed, as it ran, that it notices when they are missing.
    pub(crate) noticed: Vec<usize>,
}

/// All tests, the fastest first, and all places.
#[derive(Debug)]
pub(crate) struct Record {
    /// The tests that record a place.
    pub(crate) tests: Vec<Recorded>,
    /// The places, in order.
    pub(crate) places: Vec<Place>,
    /// Whether no test was limited, in its time or its cases.
    pub(crate) is_whole: bool,
}

impl Record {
    /// Runs each test once; where the time `is_limited`, without those that are slow.
    pub(crate) fn make(tests: Vec<Test>, jobs: usize, is_limited: bool) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::Folder)?;
        let limit = if is_limited { SHORT_PATIENCE } else { PATIENCE };
        let lists = parallel::map(jobs, &tests, |number, test| {
            let list = folder.path().join(number.to_string());
            let (outcome, time) = trial::run(test, ("MUSTER_PLACES", &list), limit)?;
            if outcome == Outcome::Fails || (outcome == Outcome::Late && !is_limited) {
                return Err(Error::Red { test: test.title() });
            }
            // A test that records nothing makes no list.
            let list = std::fs::read_to_string(&list).unwrap_or_default();
            // The last line of a test that was stopped may be a part of one.
            let whole = &list[..list.rfind('\n').map_or(0, |end| end + 1)];
            let (noticed, places): (Vec<_>, Vec<_>) =
                whole.lines().partition(|line| line.starts_with(NOTICED));
            let parsed = |lines: Vec<&str>| -> Vec<_> {
                let lines = lines.into_iter().map(|line| line.trim_start_matches(NOTICED));
                lines.filter_map(Place::parse).filter(|place| !place.is_of_a_test()).collect()
            };
            Ok((outcome, time, parsed(places), parsed(noticed)))
        });
        let lists = lists.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut places: Vec<_> =
            lists.iter().flat_map(|(_, _, places, _)| places).cloned().collect();
        places.sort();
        places.dedup();
        let number = |place: &Place| places.binary_search(place).expect("all places are there");
        let recorded = tests.into_iter().zip(&lists).map(|(test, (_, time, list, noticed))| {
            let [places, noticed] = [list, noticed].map(|list| {
                let mut numbers: Vec<_> = list.iter().map(number).collect();
                numbers.sort_unstable();
                numbers
            });
            Recorded { test, time: *time, places, noticed }
        });
        // Of a test that was stopped nobody knows whether it passes as it is.
        let passed = recorded.zip(&lists).filter(|(_, (outcome, ..))| *outcome == Outcome::Passes);
        let asked = passed.map(|(recorded, _)| recorded);
        let mut tests: Vec<_> = asked.filter(|recorded| !recorded.places.is_empty()).collect();
        tests.sort_by_key(|recorded| recorded.time);
        if places.is_empty() {
            return Err(Error::NoPlaces);
        }
        Ok(Self { tests, places, is_whole: !is_limited })
    }

    /// The places that a test showed to notice as it ran, each with the fastest such test. The determinism of cells does
    /// not count.
    pub(crate) fn showed(&self) -> BTreeMap<usize, &Recorded> {
        let forged = self.tests.iter().filter(|recorded| !recorded.test.is_determinism());
        // The fastest comes first, and stays.
        let noticed = forged.rev().flat_map(|test| test.noticed.iter().map(move |n| (*n, test)));
        noticed.collect()
    }

    /// The test with this title, if it still is there.
    pub(crate) fn named(&self, title: &str) -> Option<&Recorded> {
        self.tests.iter().find(|recorded| recorded.test.title() == title)
    }

    /// The time of all tests, one after the other.
    pub(crate) fn time(&self) -> Duration {
        self.tests.iter().map(|recorded| recorded.time).sum()
    }
}
