//! The farm on Temporal: what its engine runs, and the worker that it runs on.

mod activities;
mod chain;
mod codec;
mod connect;
mod proofs;
mod queues;
mod sweep;
#[cfg(test)]
mod tests;
mod worker;

pub use activities::FarmActivities;
pub use chain::Chain;
pub use connect::{connect, Server};
pub use proofs::{Batch, Proofs};
pub use queues::{Class, FLOW_QUEUE, VERIFY_QUEUE};
pub use sweep::{Rows, Sweep};
pub use worker::{work, WorkerOptions};
