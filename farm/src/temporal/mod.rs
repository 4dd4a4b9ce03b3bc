//! The farm on Temporal: what its engine runs, and the worker that it runs on.

mod activities;
mod codec;
mod connect;
mod queues;
#[cfg(test)]
mod tests;
mod worker;
mod workflow;

pub use activities::FarmActivities;
pub use codec::{CodecKey, Sealed};
pub use connect::{connect, Server};
pub use queues::{Class, FLOW_QUEUE, VERIFY_QUEUE};
pub use worker::{work, WorkerOptions};
pub use workflow::{Batch, Proofs};
