//! What is measured: a row of a sweep, or a ceremony with made-up secrets.

use muster_cli::simulate::Simulation;
use muster_sweep::proofs::elsewhere::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{keygen::SHAPE_LIMIT, JobName};

/// The most proofs of a row, as for `muster sweep`.
const MOST_PROOFS: usize = 1_000;

/// A row that is to be measured. A shape that is no shape fails in its own process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepRow {
    /// Rows of a series are measured once; another series measures them again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub series: String,
    /// The circuit, the sample, and how often it is proven.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub asked: Asked,
}

impl SweepRow {
    /// Made from kind, series, and all arguments of the row's process.
    pub(super) fn name(&self) -> JobName {
        let args = self.asked.args().map(String::into_bytes);
        JobName::of(
            "sweep-row",
            [self.series.clone().into_bytes()].into_iter().chain(args).collect(),
        )
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let repeat = self.asked.repeat;
        if !(1..=MOST_PROOFS).contains(&repeat) {
            return Err(format!("asked.repeat: {repeat}, but 1 to {MOST_PROOFS} are possible"));
        }
        match self.asked.shape.to_string().len() {
            0..=SHAPE_LIMIT => Ok(()),
            length => Err(format!("asked.shape: {length} bytes are more than {SHAPE_LIMIT}")),
        }
    }
}

/// A ceremony that is to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    /// Ceremonies of a series are held once; another series holds them again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub series: String,
    /// The ceremony.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub asked: Simulation,
}

impl Simulate {
    /// Made from kind, series and ceremony.
    pub(super) fn name(&self) -> JobName {
        let asked = serde_json::to_string(&self.asked).expect("texts and numbers");
        JobName::of("simulate", vec![self.series.clone().into(), asked.into()])
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.asked.check().map_err(|reason| format!("asked.{reason}"))
    }
}
