//! `messages.json`: `{"messages": [{"nonce": 7, "payload": "0x…"}, …]}`.

use std::{borrow::Cow, path::Path};

use muster_evm::bridge::Message;
use muster_prover::{encoding::from_hex, input, Number};
use serde::Deserialize;

use crate::Error;

/// Greatest length of the file.
const LIMIT: u64 = 1 << 28;

/// The messages of a batch, in their order.
#[derive(Clone, Debug)]
pub struct MessagesFile {
    /// The messages.
    pub messages: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<'a> {
    #[serde(borrow)]
    messages: Vec<RawMessage<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMessage<'a> {
    nonce: Number<u64>,
    #[serde(borrow)]
    payload: Cow<'a, str>,
}

impl MessagesFile {
    /// Reads messages.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`] naming the message, or those of reading a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = input::read(path, LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let decode = |(i, message): (usize, RawMessage)| {
            let payload = from_hex(&message.payload);
            let at = || format!("messages[{i}].payload");
            let payload = payload.map_err(|reason| Error::field(path, at(), reason))?;
            Ok(Message { nonce: message.nonce.0, payload })
        };
        let messages = raw.messages.into_iter().enumerate().map(decode);
        Ok(Self { messages: messages.collect::<Result<_, Error>>()? })
    }
}
