//! A job: what to do, as files and the engine hold it.

mod incoming;
mod keygen;
mod measured;
mod name;
mod prove;
mod task;
#[cfg(test)]
mod tests;
mod verify;

use muster_prover::input;
use schemars::JsonSchema;
use serde::{de::Error as _, Deserialize, Deserializer, Serialize};

pub use incoming::Incoming;
pub use keygen::{Keygen, MadeKeys};
pub use measured::{Simulate, SweepRow};
pub use name::JobName;
use prove::Integer;
pub use prove::{Claim, Input, Prove, StatedJob, INLINE_LIMIT};
pub use task::{About, Task};
pub use verify::{Verified, Verify};

/// Latest version of the format. A worker passes on jobs of later ones.
pub const VERSION: u32 = 3;
/// The first version that is still understood. It has no keys with packs, and is version 3 otherwise.
pub const FIRST_VERSION: u32 = 2;
/// The longest name of an owner: the longest key by which Temporal shares out workers.
pub const OWNER_LIMIT: usize = 64;

/// Something that is asked for, and by whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Version of this format: 3 for keys with packs, 2 or 3 for all else.
    #[schemars(with = "Integer")]
    pub version: u32,
    /// Who asks, for quotas and for those who look.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// What is to be done.
    pub work: Work,
}

/// What a job does.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Work {
    /// Makes a proof.
    Prove(Prove),
    /// Verifies proofs that the store has, and says that all of them hold.
    Verify(Verify),
    /// Measures a row of a sweep.
    SweepRow(SweepRow),
    /// Makes the keys of a circuit.
    Keygen(Keygen),
    /// Holds a ceremony with made-up secrets.
    Simulate(Simulate),
}

/// All kinds of work.
pub const KINDS: [&str; 5] = ["prove", "verify", "sweep-row", "keygen", "simulate"];

impl Work {
    /// Its kind, as the format names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Prove(_) => "prove",
            Self::Verify(_) => "verify",
            Self::SweepRow(_) => "sweep-row",
            Self::Keygen(_) => "keygen",
            Self::Simulate(_) => "simulate",
        }
    }

    /// What it must prove, if it makes a proof.
    pub(crate) fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Prove(prove) => Some(&prove.claim),
            _ => None,
        }
    }

    /// The first version of the format that has it. Jobs say this one, so that all workers who can do them will.
    fn version(&self) -> u32 {
        match self {
            Self::Keygen(Keygen { stride: Some(_), .. }) => VERSION,
            _ => FIRST_VERSION,
        }
    }

    /// Whether it measures a machine, and so must have it alone.
    pub fn is_measured(&self) -> bool {
        matches!(self, Self::SweepRow(_) | Self::Simulate(_))
    }
}

/// What is said of a version that is not understood.
fn unknown(version: u64) -> String {
    format!("version: {version} is unknown; {FIRST_VERSION} to {VERSION} are known")
}

impl<'de> Deserialize<'de> for Work {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (kind, fields) = input::tagged(from, "kind")?;
        let work = match kind.as_str() {
            "prove" => input::from_value(fields).map(Self::Prove),
            "verify" => input::from_value(fields).map(Self::Verify),
            "sweep-row" => input::from_value(fields).map(Self::SweepRow),
            "keygen" => input::from_value(fields).map(Self::Keygen),
            "simulate" => input::from_value(fields).map(Self::Simulate),
            other => return Err(D::Error::unknown_variant(other, &KINDS)),
        };
        work.map_err(D::Error::custom)
    }
}

impl Job {
    /// A job of the first version that has such work.
    pub fn new(work: Work, owner: impl Into<String>) -> Self {
        Self { version: work.version(), owner: owner.into(), work }
    }

    /// Its name. It says what is to be done, whoever asks for it, however often, and from whatever files.
    pub fn name(&self) -> JobName {
        match &self.work {
            Work::Prove(prove) => prove.claim.name(),
            Work::Verify(verify) => verify.name(),
            Work::SweepRow(row) => row.name(),
            Work::Keygen(keygen) => keygen.name(),
            Work::Simulate(simulate) => simulate.name(),
        }
    }

    /// The job without its inputs, for whoever only verifies its result.
    pub(crate) fn without_inputs(mut self) -> Self {
        if let Work::Prove(prove) = &mut self.work {
            prove.committee = Input::Inline(String::new());
            prove.signatures = Input::Inline(String::new());
        }
        self
    }

    /// Bytes of inputs that travel in the job itself.
    pub(crate) fn inline_bytes(&self) -> usize {
        let length = |input: &Input| match input {
            Input::Inline(text) => text.len(),
            Input::Stored(_) | Input::Sealed(_) => 0,
        };
        match &self.work {
            Work::Prove(prove) => length(&prove.committee) + length(&prove.signatures),
            _ => 0,
        }
    }

    /// Checks what the types do not say.
    ///
    /// # Errors
    ///
    /// What is wrong, and in which field.
    pub fn check(&self) -> Result<(), String> {
        let (version, first) = (self.version, self.work.version());
        if !(FIRST_VERSION..=VERSION).contains(&version) {
            return Err(unknown(version.into()));
        }
        if version < first {
            return Err(format!("version: {version}, but such work is of version {first}"));
        }
        if self.owner.len() > OWNER_LIMIT {
            let length = self.owner.len();
            return Err(format!("owner: {length} bytes are more than {OWNER_LIMIT}"));
        }
        match &self.work {
            Work::Prove(prove) => prove.check(),
            Work::Verify(verify) => verify.check(),
            Work::SweepRow(row) => row.check(),
            Work::Keygen(keygen) => keygen.check(),
            Work::Simulate(simulate) => simulate.check(),
        }
    }
}
