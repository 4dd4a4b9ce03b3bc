//! The message on the command line.

use std::path::PathBuf;

use clap::Args;
use muster_prover::input;

use crate::{
    values::{bytes, Bytes},
    Error,
};

/// Greatest length of a message's file.
const MESSAGE_LIMIT: u64 = 1 << 26;

/// The message that is signed.
#[derive(Debug, Args)]
pub(crate) struct MessageArgs {
    /// The message: any number of bytes in 0x hex.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Option<Bytes>,
    /// File whose bytes are the message.
    #[arg(long, value_name = "FILE", conflicts_with = "message")]
    message_file: Option<PathBuf>,
}

impl MessageArgs {
    /// The message, if there is one.
    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, Error> {
        match (&self.message, &self.message_file) {
            (Some(Bytes(bytes)), _) => Ok(Some(bytes.clone())),
            (None, Some(path)) => Ok(Some(input::read(path, MESSAGE_LIMIT)?)),
            (None, None) => Ok(None),
        }
    }
}
