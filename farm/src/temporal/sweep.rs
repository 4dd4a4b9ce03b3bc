//! The workflow of a sweep: rows, each with a machine to itself.

#![allow(missing_docs, reason = "the macros of the SDK make constants without documentation")]

use serde::{Deserialize, Serialize};
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{workflows::join_all, ContinueAsNewOptions, WorkflowContext, WorkflowResult};

use super::{proofs::finish, Batch};
use crate::work::Outcome;

/// Rows that a run of the workflow takes on. Its history has some ten events a row and attempt; the next run has one of its own.
const MOST_ROWS: usize = 100;

/// What is left of a sweep, and what came of the rest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rows {
    /// Rows, a batch each.
    pub left: Vec<Batch>,
    /// Of earlier rows.
    pub ended: Vec<Outcome>,
}

/// Measures all rows.
#[workflow]
#[derive(Default)]
pub struct Sweep {
    /// How many rows are at their end.
    ended: usize,
}

#[workflow_methods]
impl Sweep {
    /// What came of each row, in order.
    #[run]
    pub async fn run(
        ctx: &mut WorkflowContext<Self>,
        mut rows: Rows,
    ) -> WorkflowResult<Vec<Outcome>> {
        ctx.state_mut(|state| state.ended = rows.ended.len());
        let later = rows.left.split_off(rows.left.len().min(MOST_ROWS));
        let now = rows.left.iter().map(|row| async {
            let ended = finish(ctx, row, |_| ()).await;
            ctx.state_mut(|state| state.ended += row.tasks.len());
            ended
        });
        for ended in join_all(now).await {
            rows.ended.extend(ended?);
        }
        if later.is_empty() {
            return Ok(rows.ended);
        }
        let rows = Rows { left: later, ended: rows.ended };
        match ctx.continue_as_new(rows, ContinueAsNewOptions::default())? {}
    }

    /// How many rows are at their end.
    #[query]
    pub fn ended(&self, _ctx: &temporalio_sdk::WorkflowContextView) -> usize {
        self.ended
    }
}
