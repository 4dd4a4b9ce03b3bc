//! Rows of `muster bls-threshold sweep`: the time of an aggregation over thresholds, naive and fast.

use std::{cmp::Ordering, fmt, time::Instant};

use muster_threshold::bls::{
    lagrange::{Domain, Method},
    Ciphersuite, Error as Fault, Identities, SuiteName, Synthetic, Task,
};
use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};
use serde::{Deserialize, Serialize};

use crate::{
    median,
    plot::{names, Panel, Plot, UNMEASURED},
    rounded, Error, PlotOf, Results, NANOSECONDS,
};

/// What is signed: no secret is at stake.
const MESSAGE: &[u8] = b"muster bls-threshold sweep";
/// Seconds that short runs are repeated for.
const LEAST_TIME: f64 = 0.3;
/// Most runs.
const MOST_RUNS: usize = 200;

/// What a row is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The curve, and whether keys or signatures are short.
    pub suite: SuiteName,
    /// Identities of the signers.
    pub identities: Identities,
    /// How many sign, of one less than twice as many.
    pub threshold: usize,
    /// Threads that compute.
    pub threads: usize,
}

/// What the rows of a sweep have in common.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The fewest runs of which a median is taken.
    pub repeat: u64,
    /// The most seconds that the naive method may take.
    pub naive_limit: f64,
}

impl Case {
    /// Signers of the committee.
    fn signers(&self) -> usize {
        2 * self.threshold - 1
    }

    /// Seconds that the naive coefficients take, roughly.
    fn naive(&self) -> f64 {
        55e-9 * (self.threshold as f64).powi(2)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { suite, identities, threshold, .. } = self;
        write!(out, "{suite}, {identities}, 2^{}", threshold.checked_ilog2().unwrap_or_default())
    }
}

/// A row. The order of the fields is that of the columns in the CSV. Times are medians, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub(crate) suite: SuiteName,
    pub(crate) identities: Identities,
    pub(crate) threshold: usize,
    pub(crate) signers: usize,
    pub(crate) threads: usize,
    /// Name of the method for the coefficients.
    pub(crate) method: String,
    /// What is made once for a committee.
    pub(crate) domain_s: f64,
    pub(crate) lagrange_s: f64,
    pub(crate) combination_s: f64,
    pub(crate) verification_s: f64,
    /// The three together.
    pub(crate) aggregate_s: f64,
    /// The naive coefficients, where they do not take too long.
    pub(crate) naive_lagrange_s: Option<f64>,
    /// The whole with them.
    pub(crate) naive_aggregate_s: Option<f64>,
    /// Least number of runs of which times are medians.
    pub(crate) repeat: u64,
}

impl crate::Row for Row {
    const COLUMNS: &'static str = "suite,identities,threshold,signers,threads,method,domain_s,\
        lagrange_s,combination_s,verification_s,aggregate_s,naive_lagrange_s,naive_aggregate_s,repeat";
    const PLOTS: &'static [PlotOf<Self>] = &[("svg", plot)];
    type Case = Case;
    type Settings = Settings;

    fn is_of(&self, case: &Case) -> bool {
        let Self { suite, identities, threshold, threads, .. } = *self;
        Case { suite, identities, threshold, threads } == *case
    }

    /// Shares, three runs, and one or more of the naive method.
    fn seconds(case: &Case, settings: &Settings) -> f64 {
        let naive = Some(case.naive()).filter(|naive| *naive <= settings.naive_limit);
        1.5 + 1.2e-4 * case.threshold as f64 + 2.0 * naive.unwrap_or_default()
    }

    fn measure(case: &Case, settings: &Settings) -> Result<Self, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(case.threads).build();
        let pool = pool.map_err(|error| Error::usage(format!("--threads: {error}")))?;
        pool.install(|| case.suite.with(Measure { case, settings }))
    }

    fn outcome(&self) -> String {
        let (whole, part) = (time(self.aggregate_s), time(self.lagrange_s));
        format!("{whole}, of which coefficients {part} by {}", self.method)
    }

    fn order(&self, other: &Self) -> Ordering {
        let key = |row: &Self| (row.suite.name(), row.identities.name(), row.threshold);
        key(self).cmp(&key(other))
    }

    fn table(results: &Results<Self>) -> Result<String, serde_json::Error> {
        let head = [
            "suite",
            "identities",
            "t",
            "method",
            "Lagrange",
            "combine",
            "verify",
            "together",
            "naive",
        ];
        let cells = |row: &Self| {
            vec![
                row.suite.name().to_owned(),
                row.identities.name().to_owned(),
                format!("2^{}", row.threshold.checked_ilog2().unwrap_or_default()),
                row.method.clone(),
                time(row.lagrange_s),
                time(row.combination_s),
                time(row.verification_s),
                time(row.aggregate_s),
                row.naive_aggregate_s.map_or("-".into(), time),
            ]
        };
        Ok(results.align(&head, &[0, 1, 3], |row| (cells(row), String::new())))
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The measurement of a row.
struct Measure<'a> {
    case: &'a Case,
    settings: &'a Settings,
}

/// Seconds of one run.
struct Times {
    lagrange: f64,
    combination: f64,
    verification: f64,
    aggregate: f64,
}

impl Task for Measure<'_> {
    type Output = Result<Row, Error>;

    fn run<S: Ciphersuite<Signed = [u8]>>(self) -> Result<Row, Error> {
        let Case { suite, identities, threshold, threads } = *self.case;
        let &Settings { repeat, naive_limit } = self.settings;
        let signers = self.case.signers();
        let start = Instant::now();
        let domain = Synthetic::<S>::domain(identities, signers).map_err(refused)?;
        let domain_s = rounded(start.elapsed().as_secs_f64(), NANOSECONDS);
        let mut rng = ChaCha20Rng::seed_from_u64(threshold as u64);
        let shares = Synthetic::<S>::new(&domain, threshold, MESSAGE, &mut rng).map_err(refused)?;
        let method = Method::fastest(identities, threshold, signers);
        let fast = runs(&domain, &shares, method, repeat as usize)?;
        // A run that is long enough for its time to be sure of is not repeated in the naive method.
        let naive = (self.case.naive() <= naive_limit)
            .then(|| runs(&domain, &shares, Method::Naive, 1))
            .transpose()?;
        let middle = |runs: &[Times], part: fn(&Times) -> f64| {
            median(runs.iter().map(part).collect(), NANOSECONDS)
        };
        let naive = |part| naive.as_deref().map(|runs| middle(runs, part));
        Ok(Row {
            suite,
            identities,
            threshold,
            signers,
            threads,
            method: method.name().to_owned(),
            domain_s,
            lagrange_s: middle(&fast, |run| run.lagrange),
            combination_s: middle(&fast, |run| run.combination),
            verification_s: middle(&fast, |run| run.verification),
            aggregate_s: middle(&fast, |run| run.aggregate),
            naive_lagrange_s: naive(|run| run.lagrange),
            naive_aggregate_s: naive(|run| run.aggregate),
            repeat,
        })
    }
}

fn refused(fault: Fault) -> Error {
    Error::usage(format!("--t: {fault}"))
}

/// Aggregations by a method: `least` of them, and more if they are short.
fn runs<S: Ciphersuite<Signed = [u8]>>(
    domain: &Domain<S::Scalar>,
    shares: &Synthetic<S>,
    method: Method,
    least: usize,
) -> Result<Vec<Times>, Error> {
    let (mut runs, mut spent) = (vec![], 0.0);
    while runs.len() < least || (spent < LEAST_TIME && runs.len() < MOST_RUNS) {
        let start = Instant::now();
        let coefficients = domain.coefficients_by(method, &shares.signers).map_err(refused)?;
        let lagrange = start.elapsed().as_secs_f64();
        let signature = shares.combine(&coefficients);
        let combined = start.elapsed().as_secs_f64();
        let good = signature.is_some_and(|signature| shares.key.verify(MESSAGE, &signature));
        let aggregate = start.elapsed().as_secs_f64();
        if !good {
            let reason = format!("the signature by the method {} is bad", method.name());
            return Err(Error::usage(reason));
        }
        let (combination, verification) = (combined - lagrange, aggregate - combined);
        runs.push(Times { lagrange, combination, verification, aggregate });
        spent += aggregate;
    }
    Ok(runs)
}

/// Times against the threshold: the whole on the left, naive and fast, its parts on the right.
fn plot(results: &Results<Row>) -> Plot {
    // A name as long as that of the suite and the identities fits no legend.
    let short = |suite: SuiteName| suite.name().trim_start_matches("bls12-381-");
    let groups =
        results.groups(|row| Some(format!("{} {}", short(row.suite), row.identities.name())));
    let panel = |title, kinds: &[_]| {
        let lines = groups.lines(|row: &Row| (row.threshold as f64).log2(), kinds);
        Panel::new(title, "threshold t, of 2t − 1 signers", |x| format!("2^{x:.0}"), lines)
    };
    let whole = panel(
        "Coefficients, multi-exponentiation, verification",
        &[(0, |row| row.naive_aggregate_s), (1, |row| Some(row.aggregate_s))],
    );
    let parts = panel(
        "The fast one in parts",
        &[(2, |row| Some(row.lagrange_s)), (3, |row| Some(row.combination_s))],
    );
    Plot {
        title: "Time of an aggregation of BLS shares",
        notes: &["the naive curve ends where it would take too long (--naive-limit)"],
        empty: UNMEASURED,
        panels: [whole, parts],
        colours: ("shares at", groups.names),
        markers: ("time", names(["naive", "fast", "Lagrange", "multi-exponent."])),
    }
}
