//! Jobs as others send them, possibly in a later version.

use muster_prover::input;
use serde::{de::Error, Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{unknown, Job, FIRST_VERSION, VERSION};

/// A job as somebody sent it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Incoming {
    /// One that this program understands.
    Known(Box<Job>),
    /// One of a later version, as it came. It is passed on, not done here.
    Later(Value),
}

impl Incoming {
    /// The job without its inputs, for whoever only verifies its result.
    pub(crate) fn without_inputs(self) -> Self {
        match self {
            Self::Known(job) => Self::Known(Box::new(job.without_inputs())),
            later @ Self::Later(_) => later,
        }
    }

    /// The job, if this program understands it.
    ///
    /// # Errors
    ///
    /// What a worker that does not understand it says.
    pub fn known(self) -> Result<Job, String> {
        match self {
            Self::Known(job) => Ok(*job),
            Self::Later(job) => Err(format!("it is older than job version {}", job["version"])),
        }
    }
}

impl From<Job> for Incoming {
    fn from(job: Job) -> Self {
        Self::Known(Box::new(job))
    }
}

impl<'de> Deserialize<'de> for Incoming {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let job = Value::deserialize(from)?;
        if let Some(version) = job["version"].as_u64() {
            if version > VERSION.into() {
                return Ok(Self::Later(job));
            }
            if version < FIRST_VERSION.into() {
                return Err(D::Error::custom(unknown(version)));
            }
        }
        input::from_value(job).map(Self::Known).map_err(D::Error::custom)
    }
}
