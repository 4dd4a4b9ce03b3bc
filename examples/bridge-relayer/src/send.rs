//! Sending, never twice.
//!
//! A transaction's number is fixed, and written down, before it is sent. A chain executes one transaction of each number, so
//! whatever became of a relayer that was killed while it sent, what it sent and what the next one sends under the same
//! number are not both executed. And the next one asks the chain what there is to do only when the number that was
//! written down is used or free for good.

use std::{
    ffi::OsString,
    fs,
    path::PathBuf,
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    chain::{hex_number, Chain},
    config::Config,
    fault::Fault,
    source::write,
    step::Step,
};

/// How often a node is asked whether a transaction is in a block, and for how long.
const POLL: Duration = Duration::from_millis(250);
const PATIENCE: Duration = Duration::from_secs(120);

/// What was about to be sent.
#[derive(Debug, Deserialize, Serialize)]
struct Sending {
    nonce: u64,
    what: String,
}

/// Sends steps, one after another.
#[derive(Debug)]
pub(crate) struct Sender {
    chain: Chain,
    config: Config,
    /// Where the number is written down.
    file: PathBuf,
}

impl Sender {
    pub(crate) fn new(config: &Config) -> Self {
        let file = config.work.join("sending.json");
        Self { chain: Chain::new(config), config: config.clone(), file }
    }

    /// Waits until the chain has decided about what was being sent when the relayer was killed.
    pub(crate) fn settle(&self) -> Result<(), Fault> {
        let Ok(text) = fs::read_to_string(&self.file) else { return Ok(()) };
        // The file is written whole, so that anything else is not of this program.
        let Sending { nonce, what } = serde_json::from_str(&text)
            .map_err(|error| Fault::Config(format!("{}: {error}", self.file.display())))?;
        let begin = Instant::now();
        // While it waits for a block it is not yet decided. If it is nowhere, it was never sent.
        while self.chain.sent("pending")? > nonce && self.chain.sent("latest")? <= nonce {
            if begin.elapsed() > PATIENCE {
                return Err(Fault::Chain(format!("still waiting for a block: {what}")));
            }
            sleep(POLL);
        }
        self.forget()
    }

    /// Whether the chain would take it now: what is refused here costs nothing.
    pub(crate) fn simulate(&self, step: &Step) -> Result<(), Fault> {
        match self.chain.call(step.to, &step.calldata) {
            Err(Fault::Refused(reason)) => {
                Err(Fault::Refused(format!("not so: {}: {reason}", step.what)))
            }
            answer => answer.map(drop),
        }
    }

    /// Sends it and waits for its block; returns its gas.
    pub(crate) fn send(&self, step: &Step) -> Result<u64, Fault> {
        let nonce = self.chain.sent("latest")?;
        let sending = Sending { nonce, what: step.what.clone() };
        let text = serde_json::to_string(&sending)
            .map_err(|error| Fault::Chain(format!("{}: {error}", self.file.display())))?;
        write(&self.file, &text)?;
        let calldata = format!("0x{}", hex::encode(&step.calldata));
        let (to, nonce) = (step.to.to_string(), nonce.to_string());
        let fixed = ["send", "--json", "--rpc-url", &self.config.chain, "--nonce", &nonce];
        let mut words: Vec<OsString> = fixed.iter().map(Into::into).collect();
        words.extend(self.config.account.iter().map(Into::into));
        words.extend([to, calldata].map(Into::into));
        let output = Command::new(&self.config.cast).args(words).output();
        let output = output.map_err(|error| Fault::Config(format!("cast: {error}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Fault::Chain(format!("{}: cast send: {}", step.what, said.trim())));
        }
        self.forget()?;
        gas(&output.stdout).map_err(|reason| Fault::Chain(format!("{}: {reason}", step.what)))
    }

    fn forget(&self) -> Result<(), Fault> {
        fs::remove_file(&self.file)
            .map_err(|error| Fault::Chain(format!("{}: {error}", self.file.display())))
    }
}

/// The gas in a receipt, if the transaction succeeded.
fn gas(receipt: &[u8]) -> Result<u64, String> {
    let receipt: Value = serde_json::from_slice(receipt).map_err(|error| error.to_string())?;
    match (hex_number(&receipt["status"]), hex_number(&receipt["gasUsed"])) {
        (Some(1), Some(gas)) => Ok(gas),
        _ => Err(format!("the transaction failed: {receipt}")),
    }
}
