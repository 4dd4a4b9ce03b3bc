//! The library's formats of proofs on the command line.

use muster_circuits::Shape;
use muster_prover::{keys::Plan, Keys, ProofKind};
use muster_schemes::decimal;
use serde_json::{json, Value};

use crate::{progress::Progress, values::kinds, Error};

/// What keys are made for, and with which packs.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct PacksArgs {
    /// Format of the proofs that the keys are for.
    #[arg(long, value_parser = kinds(), default_value = "fast")]
    kind: ProofKind,
    /// Polynomials that share a commitment, with --kind compact. More make proofs cheaper to verify on a chain, take longer
    /// to prove, and take an SRS of more powers (default: what costs least in all, with at most six packs).
    #[arg(long, value_name = "T", value_parser = decimal::within::<u32>(Plan::STRIDES))]
    stride: Option<u32>,
}

impl PacksArgs {
    /// The format.
    pub fn kind(&self) -> ProofKind {
        self.kind
    }

    /// Refuses a stride for keys that have no packs, before anything takes long.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`].
    pub fn check(&self) -> Result<(), Error> {
        if self.stride.is_some() && self.kind != ProofKind::Compact {
            return Err(Error::usage("--stride: for keys of --kind compact alone".into()));
        }
        Ok(())
    }

    /// The packs of keys for a shape; `None` for keys that have none.
    ///
    /// # Errors
    ///
    /// Those of [`Self::check`] and of [`Keys::plan`].
    pub fn plan(&self, shape: &Shape, progress: &Progress) -> Result<Option<Plan>, Error> {
        self.check()?;
        if self.kind != ProofKind::Compact {
            return Ok(None);
        }
        let plan = || Keys::plan(shape, self.stride);
        Ok(Some(progress.if_slow("planning the packs", plan)?))
    }
}

/// Packs, for programs.
pub fn packs_json(plan: &Plan) -> Value {
    json!({
        "count": plan.packing().packs().len(),
        "stride": plan.packing().stride(),
        "decider_degree": plan.decider_k(),
        "powers": plan.powers(),
    })
}
