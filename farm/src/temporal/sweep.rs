//! The workflow of a sweep: rows, each with a machine to itself.

#![allow(missing_docs, reason = "the macros of the SDK make constants without documentation")]

use serde::{Deserialize, Serialize};
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{workflows::join_all, ContinueAsNewOptions, WorkflowContext, WorkflowResult};

use super::{proofs::finish, Batch};
use crate::work::Outcome;

/// Rows that one run of the workflow takes on. Its history has some ten events per row and attempt; the next run
/// has its own history.
const MOST_ROWS: usize = 100;

/// The rows left of a sweep, and the outcomes of the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rows {
    /// Rows left, one batch each.
    pub left: Vec<Batch>,
    /// Outcomes of earlier rows.
    pub ended: Vec<Outcome>,
}

/// Measures all rows.
#[workflow]
#[derive(Default)]
pub struct Sweep {
    /// How many rows have ended.
    ended: usize,
}

#[workflow_methods]
impl Sweep {
    /// The outcome of each row, in order.
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

    /// How many rows have ended.
    #[query]
    pub fn ended(&self, _ctx: &temporalio_sdk::WorkflowContextView) -> usize {
        self.ended
    }
}
