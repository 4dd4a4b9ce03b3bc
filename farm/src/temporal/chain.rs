//! The workflow of a chain: batches in levels, each of which needs those before it.

#![allow(missing_docs, reason = "the macros of the SDK make constants without documentation")]

use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{workflows::join_all, WorkflowContext, WorkflowResult};

use super::{proofs::finish, Batch};
use crate::work::Outcome;

/// Does the batches of a level at once, and the next level when they are all done.
#[workflow]
#[derive(Default)]
pub struct Chain {
    /// How many levels are done.
    levels: usize,
}

#[workflow_methods]
impl Chain {
    /// The outcome of each job, by batches. A level in which a job failed is the last.
    #[run]
    pub async fn run(
        ctx: &mut WorkflowContext<Self>,
        levels: Vec<Vec<Batch>>,
    ) -> WorkflowResult<Vec<Vec<Vec<Outcome>>>> {
        let mut all = vec![];
        for level in &levels {
            let batches = level.iter().map(|batch| finish(ctx, batch, |_| ()));
            let ended = join_all(batches).await.into_iter().collect::<WorkflowResult<Vec<_>>>()?;
            let is_done = ended.iter().flatten().all(|outcome| *outcome == Outcome::Done);
            all.push(ended);
            if !is_done {
                break;
            }
            ctx.state_mut(|state| state.levels += 1);
        }
        Ok(all)
    }

    /// How many levels are done.
    #[query]
    pub fn levels(&self, _ctx: &temporalio_sdk::WorkflowContextView) -> usize {
        self.levels
    }
}
