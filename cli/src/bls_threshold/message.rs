//! The message on the command line.

use std::path::PathBuf;

use clap::Args;

use crate::{
    values::{bytes, bytes_of, Bytes},
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
        bytes_of(self.message.as_ref(), self.message_file.as_deref(), MESSAGE_LIMIT)
    }
}
