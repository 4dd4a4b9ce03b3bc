//! Proving in a separate process for each key: when memory runs out, that process dies and not the worker.
//!
//! The process reads orders as lines of JSON from its standard input, and answers each with a line on its standard
//! output when it is done. When the input ends, so does the process, busy or not: it never outlives its worker.

mod once;
mod process;
mod serve;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{job::Prove, work::Fault};

pub use once::{measure, once, serve_once, serve_row, Order as Once, SrsFile};
pub use process::{Child, Command};
pub use serve::serve;

/// Name of the hidden command that proves.
pub const COMMAND: &str = "child";
/// The command that measures a row of a sweep.
pub const ROW_COMMAND: &str = "sweep-row";
/// The command that does one thing and ends.
pub const ONCE_COMMAND: &str = "once";

/// A proof to be made.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    id: u64,
    prove: Prove,
    committee: PathBuf,
    signatures: PathBuf,
}

/// What the process answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// The keys are loaded.
    Ready,
    /// The keys cannot be loaded.
    Unfit(Fault),
    /// An order is done.
    Done { id: u64, result: Result<String, Fault> },
}
