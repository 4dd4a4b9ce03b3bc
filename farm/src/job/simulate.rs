//! A ceremony with made-up secrets.

use muster_cli::simulate::Simulation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JobName;

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
