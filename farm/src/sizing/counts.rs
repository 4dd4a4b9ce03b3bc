//! What one workflow costs Temporal's server and the store, counted in the code that does it.
//!
//! Without retries a workflow has 17 events ([reference](https://docs.temporal.io/references/events)):
//!
//! | | events | state transitions |
//! |---|---|---|
//! | started, and its first task scheduled | 2 | 1 |
//! | its task started | 1 | 1 |
//! | its task completed, `make` scheduled | 2 | 1 |
//! | `make` started; written as an event only when it ends, since it may be tried again | | 1 |
//! | `make` started and completed, the second task scheduled | 3 | 1 |
//! | its task started | 1 | 1 |
//! | its task completed, `confirm` scheduled | 2 | 1 |
//! | `confirm` started | | 1 |
//! | `confirm` started and completed, the third task scheduled | 3 | 1 |
//! | its task started | 1 | 1 |
//! | its task completed, the workflow completed | 2 | 1 |
//!
//! The 11 transitions are those of Temporal's own example of a workflow with two activities: "two for Workflow
//! start, four for each Activity, and one for Workflow completion" ([state
//! transition](https://docs.temporal.io/workflow-execution#state-transition)). A heartbeat is one more, and no
//! event. So is the server's check, when a heartbeat's time is over, whether another one has come.

use serde::Serialize;

use super::{Fleet, Load};
use crate::{
    job::INLINE_LIMIT,
    runner::{MOST_BYTES, MOST_SECONDS, MOST_TOGETHER, SHORT_SECONDS},
    temporal::{LEAST_TIME, PATIENCE},
};

/// Events in the history of a workflow without retries.
pub const EVENTS: u32 = 17;
/// State transitions of a workflow without retries, besides those for heartbeats.
pub const TRANSITIONS: u32 = 11;
/// State transitions of an activity whose worker died: timed out, started again, and the heartbeat with the start.
pub(super) const TRANSITIONS_OF_RETRY: u32 = 3;
/// Actions of Temporal's cloud, besides heartbeats: the workflow and its two activities.
pub(super) const ACTIONS: u32 = 3;

/// An activity that was not heard of for this long has lost its worker.
pub const HEARTBEAT_SECONDS: f64 = 5.0;
/// Heartbeats reach the server this far apart. Activities send one each second; the SDK passes on the first at
/// once, and then the latest whenever four fifths of the time-out have passed.
pub const BEAT_SECONDS: f64 = 0.8 * HEARTBEAT_SECONDS;

/// Verifications that a worker does at once, each for one workflow.
pub(super) const VERIFIERS: u32 = 2;

/// Bytes of a job without its inputs.
const JOB_BYTES: u64 = 700;
/// A workflow's jobs pass the server with their inputs twice: at its start, and for `make`; `confirm` has no inputs.
const PASSAGES: f64 = 2.0;
/// The longest payload that the server takes by default.
pub(super) const PAYLOAD_LIMIT: f64 = 2.0 * 1024.0 * 1024.0;

/// State transitions for the signs of life of an activity that takes so many seconds.
pub(super) fn transitions_alive(seconds: f64) -> f64 {
    beats(seconds) + looks(seconds)
}

/// Heartbeats that reach the server: one at once, then one every four seconds.
pub(super) fn beats(seconds: f64) -> f64 {
    1.0 + (seconds / BEAT_SECONDS).floor()
}

/// Checks by the server: when the first heartbeat's time is over, then that of the one that it finds, and so on.
fn looks(seconds: f64) -> f64 {
    ((seconds - HEARTBEAT_SECONDS) / BEAT_SECONDS + 1.0).floor().max(0.0)
}

/// Requests to the store, and the bytes that go with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Requests {
    /// Reads.
    pub reads: f64,
    /// Writes.
    pub writes: f64,
    /// Removals.
    pub removals: f64,
    /// Bytes written.
    pub bytes_in: f64,
    /// Bytes read.
    pub bytes_out: f64,
}

impl Requests {
    /// The requests of a job, from `submit` to `submit`.
    pub fn of_job(load: &Load) -> Self {
        let proof = load.proof_bytes as f64;
        let [signatures, committee] = [load.signatures_bytes, load.committee_bytes].map(stored);
        let own = f64::from(u32::from(signatures > 0));
        let files = own + f64::from(u32::from(committee > 0));
        let (signatures, committee) = (signatures as f64, committee as f64);
        Self {
            // `submit` looks for a proof and fetches it in the end. `make` looks for a verified one, an unverified one,
            // and whether the job was cancelled, `confirm` for the first two. Signatures are read for each job, a
            // committee once by each worker.
            reads: 7.0 + own,
            // The mark, the unverified proof and the verified one; `submit` writes inputs anew for each job.
            writes: 3.0 + files,
            removals: 2.0,
            bytes_in: 2.0 * proof + signatures + committee,
            bytes_out: 2.0 * proof + signatures,
        }
    }

    /// `factor` times as much.
    pub fn times(self, factor: f64) -> Self {
        Self {
            reads: self.reads * factor,
            writes: self.writes * factor,
            removals: self.removals * factor,
            bytes_in: self.bytes_in * factor,
            bytes_out: self.bytes_out * factor,
        }
    }
}

/// Bytes of an input that are in the store: none of those of an input that travels in its job.
fn stored(bytes: u64) -> u64 {
    if bytes > INLINE_LIMIT as u64 {
        bytes
    } else {
        0
    }
}

impl Load {
    /// How many of these jobs `submit` puts into a workflow, if their seconds are as predicted.
    pub fn usual_batch(&self) -> u32 {
        if self.prove_seconds >= SHORT_SECONDS {
            return 1;
        }
        let in_time = MOST_SECONDS / self.prove_seconds.max(f64::EPSILON);
        let fitting = (MOST_BYTES as u64 / self.held_bytes().max(1)).min(in_time as u64);
        u32::try_from(fitting.clamp(1, MOST_TOGETHER as u64)).unwrap_or(u32::MAX)
    }

    /// Bytes of inputs that travel in a job.
    fn held_bytes(&self) -> u64 {
        [self.committee_bytes, self.signatures_bytes]
            .map(|bytes| bytes - stored(bytes))
            .iter()
            .sum()
    }

    /// Bytes of a workflow's jobs.
    pub(super) fn payload_bytes(&self) -> f64 {
        f64::from(self.batch) * (JOB_BYTES + self.held_bytes()) as f64
    }

    /// Seconds that an activity may take, if the prediction for its proofs is right.
    pub(super) fn time_limit(&self) -> f64 {
        LEAST_TIME.as_secs_f64() + PATIENCE * f64::from(self.batch) * self.prove_seconds
    }

    /// Bytes that the server writes for a workflow.
    pub(super) fn history_bytes(&self) -> f64 {
        PASSAGES * self.payload_bytes()
    }
}

/// How a worker goes through the jobs of a workflow's activity: it does some at once, each of which makes requests to the
/// store, one after the other, before it computes and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Jobs at once.
    pub(super) at_once: u32,
    /// Seconds of the requests before.
    pub(super) before: f64,
    /// Seconds that a job computes, on all cores.
    pub(super) seconds: f64,
    /// Seconds of the requests after.
    pub(super) after: f64,
}

impl Pace {
    /// For proofs. Before: looks for a verified one, an unverified one, and whether it was cancelled; the
    /// signatures; the mark. After: the mark's removal, the proof.
    pub(super) fn of_make(load: &Load, fleet: &Fleet) -> Self {
        let fetched = f64::from(u32::from(stored(load.signatures_bytes) > 0));
        let (at_once, request) = (fleet.slots.min(load.batch), fleet.store.request_seconds);
        let (before, after) = ((4.0 + fetched) * request, 2.0 * request);
        Self { at_once, before, seconds: load.prove_seconds, after }
    }

    /// For verifications, all of a batch at once. Before: both looks. After: the verified proof, the unverified one's removal.
    pub(super) fn of_confirm(load: &Load, fleet: &Fleet) -> Self {
        let requests = 2.0 * fleet.store.request_seconds;
        let (before, after) = (requests, requests);
        Self { at_once: load.batch, before, seconds: load.verify_seconds, after }
    }

    /// Seconds of all requests.
    pub(super) fn wait(self) -> f64 {
        self.before + self.after
    }
}
