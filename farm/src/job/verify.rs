//! A node of a tree of jobs: proofs, and nodes below, that must all hold.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Claim, JobName};

/// The most children of a node.
const MOST_CHILDREN: usize = 1 << 12;

/// Verifies proofs together. It stands where aggregation will.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// What the proofs show: the store has each under the name of its job.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// Nodes below, by the names of their jobs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<crate::Digest>")]
    pub nodes: Vec<JobName>,
}

/// What a node says. It says nothing that is not in its job: only its presence in the store has a meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verified {
    /// Names of the jobs whose proofs hold.
    pub proofs: Vec<JobName>,
    /// Nodes below.
    pub nodes: Vec<JobName>,
}

impl Verified {
    /// The name of the job whose result this is.
    pub fn name(&self) -> JobName {
        let part = |kind: &'static [u8], name: &JobName| [kind, name.digits().as_bytes()].concat();
        let proofs = self.proofs.iter().map(|name| part(b"proof ", name));
        let nodes = self.nodes.iter().map(|name| part(b"node ", name));
        JobName::of("verify", proofs.chain(nodes).collect())
    }
}

impl Verify {
    /// Made from kind and children, in order.
    pub(super) fn name(&self) -> JobName {
        self.verified().name()
    }

    /// What the node says if everything holds.
    pub fn verified(&self) -> Verified {
        let proofs = self.claims.iter().map(Claim::name).collect();
        Verified { proofs, nodes: self.nodes.clone() }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let children = self.claims.len() + self.nodes.len();
        if !(1..=MOST_CHILDREN).contains(&children) {
            return Err(format!(
                "claims: a node has 1 to {MOST_CHILDREN} children, not {children}"
            ));
        }
        let mut seen = HashSet::new();
        let names = self.claims.iter().map(Claim::name).chain(self.nodes.iter().copied());
        if !names.into_iter().all(|name| seen.insert(name)) {
            return Err("claims: a child occurs twice".into());
        }
        self.claims.iter().try_for_each(|claim| claim.statement.check())
    }
}
