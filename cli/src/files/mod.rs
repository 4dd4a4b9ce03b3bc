//! The files of what the library does not know: bridges and threshold signatures. Errors name the file and the place in it.

pub mod bls_threshold;
pub mod frost;
mod messages;
pub mod pvss;

use std::io::{self, Write};

use serde::Serialize;

pub use messages::MessagesFile;

/// Writes indented JSON.
pub(crate) fn write_pretty(mut file: impl Write, content: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut file, content)?;
    file.write_all(b"\n")
}
