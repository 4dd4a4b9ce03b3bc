//! What a job is predicted to take.

use muster_cli::simulate::Simulation;
use muster_prover::{estimate::Size, Shape};
use muster_sweep::proofs::elsewhere::FarRow;
use serde::{Deserialize, Serialize};

use super::{Incoming, Job};
use crate::workshop::LEAST;

/// Memory of a node: keys that verify are small.
const NODE_BYTES: u64 = 100 << 20;
/// A verification takes less than this.
const CHILD_SECONDS: f64 = 0.05;
/// Keys take at most as long as this many proofs.
const KEYS_PROOFS: f64 = 4.0;

/// A job, and what it is predicted to take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task<J = Job> {
    /// What is to be done.
    pub job: J,
    /// Bytes of memory.
    pub bytes: u64,
    /// Seconds on two cores.
    pub seconds: f64,
    /// What it is about, for display.
    #[serde(default)]
    pub about: About,
}

/// What a job is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Name of the scheme.
    pub scheme: String,
    /// log₂ of the circuit's rows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub degree: String,
    /// Signers that the circuit has room for, and members of the set: `8/16`.
    pub case: String,
}

impl About {
    fn of(shape: &Shape) -> Self {
        Self {
            scheme: shape.scheme.name().to_owned(),
            degree: shape.degree().to_string(),
            case: format!("{}/{}", shape.slots, shape.capacity),
        }
    }
}

impl Task {
    /// A proof by keys of this shape and size.
    pub fn proof(job: Job, shape: &Shape, size: &Size) -> Self {
        let (bytes, seconds) = (size.proving_bytes(LEAST, 1), size.seconds());
        Self { job, bytes, seconds, about: About::of(shape) }
    }

    /// The task in the form in which it is sent.
    pub(crate) fn sent(self) -> Task<Incoming> {
        let Self { job, bytes, seconds, about } = self;
        Task { job: job.into(), bytes, seconds, about }
    }

    /// A row of a sweep, with the sweep's predictions.
    pub fn row(job: Job, row: &FarRow) -> Self {
        let (shape, case) = (&row.asked.shape, row.asked.case.clone());
        let scheme = shape["scheme"].as_str().unwrap_or_default().to_owned();
        let about = About { scheme, degree: shape["layout"]["k"].to_string(), case };
        Self { job, bytes: row.bytes, seconds: row.seconds, about }
    }

    /// Keys for this shape, which are of this size.
    pub fn keys(job: Job, shape: &Shape, size: &Size) -> Self {
        let (bytes, seconds) = (size.keygen_bytes(), KEYS_PROOFS * size.seconds());
        Self { job, bytes, seconds, about: About::of(shape) }
    }

    /// A ceremony.
    pub fn ceremony(job: Job, asked: &Simulation) -> Self {
        let (bytes, seconds) = (asked.bytes(), asked.seconds());
        Self { job, bytes, seconds, about: About::default() }
    }

    /// A node with this many children.
    pub fn node(job: Job, children: usize) -> Self {
        let seconds = CHILD_SECONDS * children as f64;
        Self { job, bytes: NODE_BYTES, seconds, about: About::default() }
    }
}
