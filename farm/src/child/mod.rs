//! Proving in a process of its own, one for each key: what takes the memory of a machine down takes down that process
//! and not the worker.
//!
//! The process gets orders as lines of JSON on its standard input, and answers with lines on its standard output, in the
//! order in which they end. When the input ends, so does the process, at work or not: it never outlives its worker.

mod once;
mod process;
mod row;
mod serve;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{job::Prove, work::Fault};

pub use once::{once, serve_once, Order as Once, SrsFile};
pub use process::{Child, Command};
pub use row::{measure, serve_row};
pub use serve::serve;

/// Names of the hidden commands.
pub const COMMAND: &str = "child";
/// That which measures a row of a sweep.
pub const ROW_COMMAND: &str = "sweep-row";
/// That which does one thing and ends.
pub const ONCE_COMMAND: &str = "once";

/// A proof that is to be made.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    id: u64,
    prove: Prove,
    committee: PathBuf,
    signatures: PathBuf,
}

/// What the process says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// The keys are loaded.
    Ready,
    /// They cannot be.
    Unfit(Fault),
    /// An order is done.
    Done { id: u64, result: Result<String, Fault> },
}
