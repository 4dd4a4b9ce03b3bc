//! A row of a sweep.

use muster_sweep::proofs::elsewhere::Asked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JobName;

/// The most bytes of a shape: a usual one has a few hundred.
const SHAPE_LIMIT: usize = 64 << 10;

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
