//! The farm on Temporal: what its engine runs, and the worker that it runs on.

mod activities;
mod codec;
mod connect;
mod flows;
mod queues;
#[cfg(test)]
mod tests;
mod worker;

pub use activities::FarmActivities;
pub use connect::{connect, Server};
pub use flows::{Batch, Chain, Proofs, Rows, Sweep};
pub use queues::{Class, FLOW_QUEUE, VERIFY_QUEUE};
pub(crate) use queues::{LEAST_TIME, PATIENCE};
pub use worker::{work, WorkerOptions};
