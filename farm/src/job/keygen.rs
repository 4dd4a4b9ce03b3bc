//! A request for keys.

use muster_prover::{input, keys::Plan, muster_params::Origin, Keys, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{prove::Integer, JobName};
use crate::{digest::Digest, store::PinnedKey};

/// The most bytes of a shape: a usual one has a few hundred.
pub(super) const SHAPE_LIMIT: usize = 64 << 10;

/// Makes the keys of a circuit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keygen {
    /// Digest of the file of the SRS, which the store has: halo2's raw format, with the further powers behind it.
    pub srs: Digest,
    /// Where the SRS is from, as keys say it.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub origin: Origin,
    /// The circuit.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub shape: Value,
    /// Polynomials that share a commitment, 1 to 256, in proofs of the format `compact`. Without it the keys are for `fast`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Integer>")]
    pub stride: Option<u32>,
}

/// Keys that a worker made. Nobody proves with them until somebody pins them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeKeys {
    /// Digest of the verifying key.
    pub key: Digest,
    /// The files.
    pub pinned: PinnedKey,
}

impl Keygen {
    /// Made from kind, SRS, where that is from, circuit and, if it has packs, their stride.
    pub(super) fn name(&self) -> JobName {
        let origin = serde_json::to_string(&self.origin).expect("texts");
        let mut parts =
            vec![self.srs.0.to_vec(), origin.into(), self.shape.to_string().into_bytes()];
        parts.extend(self.stride.map(|stride| stride.to_le_bytes().into()));
        JobName::of("keygen", parts)
    }

    /// The packs of the keys for its shape; `None` for keys that have none. Takes up to a second.
    ///
    /// # Errors
    ///
    /// Those of [`Keys::plan`].
    pub fn plan(&self, shape: &Shape) -> Result<Option<Plan>, muster_prover::Error> {
        self.stride.map(|stride| Keys::plan(shape, Some(stride))).transpose()
    }

    /// The circuit's shape.
    ///
    /// # Errors
    ///
    /// What is wrong, and in which field.
    pub fn shape(&self) -> Result<Shape, String> {
        let shape: Result<Shape, _> = input::from_value(self.shape.clone());
        let shape = shape.map_err(|error| format!("shape: {error}"))?;
        shape.check().map_err(|error| format!("shape: {error}"))?;
        Ok(shape)
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let (least, most) = Plan::STRIDES.into_inner();
        if let Some(stride) = self.stride.filter(|stride| !Plan::STRIDES.contains(stride)) {
            return Err(format!("stride: {stride}, but {least} to {most} are possible"));
        }
        match self.shape.to_string().len() {
            0..=SHAPE_LIMIT => self.shape().map(drop),
            length => Err(format!("shape: {length} bytes are more than {SHAPE_LIMIT}")),
        }
    }
}
