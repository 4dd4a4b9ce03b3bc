//! What a worker counts and times, for Prometheus.
//!
//! | name | labels | |
//! |---|---|---|
//! | `muster_jobs_total` | `kind`, `outcome` | jobs, as each worker sees them end |
//! | `muster_phase_seconds` | `kind`, `phase` | where their time goes |
//! | `muster_cache_total` | `result` | artefacts that were on this machine, or not |
//! | `muster_memory_predicted_bytes` | | what the loaded keys and their proofs are predicted to take |
//! | `muster_memory_used_bytes` | | resident memory of the worker and its children |

use std::{
    fmt,
    net::SocketAddr,
    sync::{
        atomic::{AtomicUsize, Ordering},
        Arc,
    },
    time::{Duration, Instant},
};

use temporalio_common::telemetry::{
    metrics::{
        CoreMeter, Counter, Gauge, HistogramDuration, MetricKeyValue, MetricParameters,
        NewAttributes, NoOpCoreMeter,
    },
    start_prometheus_metric_exporter, HistogramBucketOverrides, PrometheusExporterOptions,
};

use crate::{job::KINDS, Error};

/// The names of all metrics, as Prometheus has them.
pub const NAMES: [&str; 5] = [
    "muster_jobs_total",
    "muster_phase_seconds",
    "muster_cache_total",
    "muster_memory_predicted_bytes",
    "muster_memory_used_bytes",
];

/// How jobs end: as they are made, and as they are verified.
const OUTCOMES: [&str; 11] = [
    "made",
    "there",
    "rejected",
    "bad-input",
    "worker",
    "outage",
    "crash",
    "dead",
    "cancelled",
    "confirmed",
    "refuted",
];

/// Bounds of the histogram of phases, in seconds: from a verification to the largest proofs.
const BOUNDS: [f64; 16] = [
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 180.0, 600.0, 3_600.0,
];

/// A part of a job's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Keys are fetched and loaded.
    Loading,
    /// The job waits for others of the same key, or for the whole machine.
    Waiting,
    /// The work itself.
    Proving,
    /// The result is written.
    Storing,
    /// A worker's result is verified.
    Verifying,
}

impl Phase {
    const ALL: [Self; 5] =
        [Self::Loading, Self::Waiting, Self::Proving, Self::Storing, Self::Verifying];

    fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Waiting => "waiting",
            Self::Proving => "proving",
            Self::Storing => "storing",
            Self::Verifying => "verifying",
        }
    }
}

/// What is counted and timed.
#[derive(Clone)]
pub struct Metrics {
    meter: Arc<dyn CoreMeter>,
    jobs: Counter,
    phases: HistogramDuration,
    cache: Counter,
    predicted: Gauge,
    used: Gauge,
    at_work: AtWork,
}

/// How many jobs are in each phase right now.
type AtWork = Arc<[AtomicUsize; Phase::ALL.len()]>;

/// A job in a phase, until this is dropped.
struct InPhase(AtWork, Phase);

impl InPhase {
    fn new(at_work: &AtWork, phase: Phase) -> Self {
        at_work[phase as usize].fetch_add(1, Ordering::Relaxed);
        Self(at_work.clone(), phase)
    }
}

impl Drop for InPhase {
    fn drop(&mut self) {
        self.0[self.1 as usize].fetch_sub(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Default for Metrics {
    /// Metrics that go nowhere.
    fn default() -> Self {
        Self::new(Arc::new(NoOpCoreMeter))
    }
}

impl Metrics {
    /// Serves them at `http://ADDRESS/metrics`, within a Tokio runtime, with those of whatever else gets the meter.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for an address that cannot be listened on.
    pub fn serve(address: SocketAddr) -> Result<Self, Error> {
        let overrides = [("muster_phase".to_owned(), BOUNDS.to_vec())].into();
        let options = PrometheusExporterOptions::builder()
            .socket_addr(address)
            .counters_total_suffix(true)
            .use_seconds_for_durations(true)
            .unit_suffix(true)
            .histogram_bucket_overrides(HistogramBucketOverrides { overrides })
            .build();
        let server = start_prometheus_metric_exporter(options);
        let server =
            server.map_err(|error| Error::Usage(format!("--metrics {address}: {error}")))?;
        let metrics = Self::new(server.meter);
        // Rates need an initial zero: otherwise the fault at which a worker stops would not show in them.
        for kind in KINDS {
            OUTCOMES.iter().for_each(|outcome| metrics.count(kind, outcome, 0));
        }
        Ok(metrics)
    }

    fn new(meter: Arc<dyn CoreMeter>) -> Self {
        let named = |name: &'static str, description: &'static str, unit: &'static str| {
            MetricParameters::builder().name(name).description(description).unit(unit).build()
        };
        Self {
            jobs: meter.counter(named("muster_jobs", "Jobs by kind and outcome", "")),
            phases: meter.histogram_duration(named("muster_phase", "Time by phase", "duration")),
            cache: meter.counter(named("muster_cache", "Artefacts taken, by result", "")),
            predicted: meter.gauge(named("muster_memory_predicted_bytes", "Loaded keys", "")),
            used: meter.gauge(named("muster_memory_used_bytes", "Resident memory", "")),
            at_work: Arc::default(),
            meter,
        }
    }

    /// How many jobs are in which phase right now, in words.
    pub(crate) fn at_work(&self) -> String {
        let count = |phase: &Phase| self.at_work[*phase as usize].load(Ordering::Relaxed);
        let phases = Phase::ALL.iter().filter(|phase| count(phase) > 0);
        let words: Vec<_> =
            phases.map(|phase| format!("{} {}", count(phase), phase.name())).collect();
        words.join(", ")
    }

    /// The meter, for others' metrics.
    pub fn meter(&self) -> Arc<dyn CoreMeter> {
        self.meter.clone()
    }

    /// Counts a job that ended here.
    pub(crate) fn job(&self, kind: &str, outcome: &str) {
        self.count(kind, outcome, 1);
    }

    fn count(&self, kind: &str, outcome: &str, more: u64) {
        self.jobs.add(more, &self.labels([("kind", kind), ("outcome", outcome)]));
    }

    /// Counts an artefact that was here, or had to be fetched.
    pub(crate) fn cached(&self, is_hit: bool) {
        self.cache.add(1, &self.labels([("result", if is_hit { "hit" } else { "miss" })]));
    }

    /// Does some work, timed as a phase of a job of `kind`.
    pub(crate) async fn timed<T>(
        &self,
        kind: &str,
        phase: Phase,
        work: impl std::future::Future<Output = T>,
    ) -> T {
        let (start, _in_phase) = (Instant::now(), InPhase::new(&self.at_work, phase));
        let result = work.await;
        self.spent(kind, phase, start.elapsed());
        result
    }

    /// Records how long a phase took.
    pub(crate) fn spent(&self, kind: &str, phase: Phase, time: Duration) {
        self.phases.record(time, &self.labels([("kind", kind), ("phase", phase.name())]));
    }

    /// What the loaded keys and their proofs are predicted to take.
    pub(crate) fn predicted(&self, bytes: u64) {
        self.predicted.record(bytes, &self.labels([]));
    }

    /// The memory in use.
    pub(crate) fn used(&self, bytes: u64) {
        self.used.record(bytes, &self.labels([]));
    }

    fn labels<const N: usize>(
        &self,
        labels: [(&'static str, &str); N],
    ) -> temporalio_common::telemetry::metrics::MetricAttributes {
        let pairs = labels.map(|(key, value)| MetricKeyValue::new(key, value.to_owned()));
        self.meter.new_attributes(NewAttributes { attributes: pairs.into() })
    }
}
