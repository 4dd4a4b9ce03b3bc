//! What a job is predicted to take.

use muster_prover::{estimate::Size, Memory, Shape};
use serde::{Deserialize, Serialize};

use super::Job;

/// A job, and what it is predicted to take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// What is to be done.
    pub job: Job,
    /// Bytes of memory.
    pub bytes: u64,
    /// Seconds on two cores.
    pub seconds: f64,
}

impl Task {
    /// A job for keys of this shape.
    pub fn new(job: Job, shape: &Shape) -> Self {
        let size = Size::of(shape);
        Self { job, bytes: size.proving_bytes(Memory::Low, 1), seconds: size.seconds() }
    }
}
