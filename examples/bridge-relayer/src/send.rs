//! Sending, never twice.
//!
//! A transaction's number is fixed, and written down, before it is sent. A chain executes one transaction of each number, so
//! whatever became of a relayer that was killed while it sent, what it sent and what the next one sends under the same
//! number are not both executed. And the next one asks the chain what there is to do only when the number that was
//! written down is used or free for good.
//!
//! A transaction that no block takes is sent again under its number for a higher price, or, if the contract would refuse it
//! by now, an empty one in its place.

use std::{
    ffi::OsString, fs, io::ErrorKind, path::PathBuf, process::Command, thread::sleep,
    time::Duration,
};

use alloy_primitives::B256;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    chain::{hex_number, Chain, Fee},
    config::Config,
    fault::Fault,
    source::write,
    step::Step,
};

/// How often a node is asked whether a transaction is in a block.
const POLL: Duration = Duration::from_millis(250);
/// After so many blocks without it, it is sent again for more.
pub(crate) const BLOCKS: u64 = 5;

/// What was about to be sent.
#[derive(Debug, Deserialize, Serialize)]
struct Sending {
    nonce: u64,
    what: String,
    to: String,
    calldata: String,
    /// The price, unless `cast` chose it.
    fee: Option<Fee>,
    /// The newest block when it was sent.
    block: u64,
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
        let text = match fs::read_to_string(&self.file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            read => read.map_err(|error| self.bad(&error))?,
        };
        // The file is written whole, so that anything else is not of this program.
        let mut sending: Sending = serde_json::from_str(&text)
            .map_err(|error| Fault::Config(format!("{}: {error}", self.file.display())))?;
        // If it is nowhere, it was never sent, or no node remembers it.
        if self.chain.sent("pending")? > sending.nonce {
            self.wait(&mut sending, &mut vec![])?;
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
        let mut sending = Sending {
            nonce: self.chain.sent("latest")?,
            what: step.what.clone(),
            to: step.to.to_string(),
            calldata: format!("0x{}", hex::encode(&step.calldata)),
            fee: self.chain.fee()?,
            block: self.chain.height()?,
        };
        if let Some(fee) = &sending.fee {
            self.allow(fee, &sending.what)?;
        }
        self.keep(&sending)?;
        let mut hashes = vec![self.submit(&sending)?];
        self.wait(&mut sending, &mut hashes)?;
        self.forget()?;
        let bad = |reason: &str| Fault::Chain(format!("{}: {reason}", step.what));
        for hash in hashes {
            let receipt = self.chain.receipt(hash)?;
            if !receipt.is_null() {
                let gas = gas(&receipt).map_err(|reason| bad(&reason))?;
                let is_step = sending.what == step.what;
                return is_step.then_some(gas).ok_or_else(|| bad("refused while it waited"));
            }
        }
        Err(bad("another transaction has its number"))
    }

    /// Until a transaction of this number is in a block. Those that are sent on the way are added.
    fn wait(&self, sending: &mut Sending, hashes: &mut Vec<B256>) -> Result<(), Fault> {
        while self.chain.sent("latest")? <= sending.nonce {
            if self.chain.height()? >= sending.block + BLOCKS {
                self.replace(sending, hashes)?;
            }
            sleep(POLL);
        }
        Ok(())
    }

    /// Sends it again, for more.
    fn replace(&self, sending: &mut Sending, hashes: &mut Vec<B256>) -> Result<(), Fault> {
        let waiting = format!("still waiting for a block: {}", sending.what);
        let (Some(fee), Some(now)) = (&sending.fee, self.chain.fee()?) else {
            return Err(Fault::Chain(waiting));
        };
        let fee = fee.raised(&now);
        self.allow(&fee, &waiting)?;
        if self.is_refused(sending)? {
            sending.what = format!("nothing, in place of: {}", sending.what);
            (sending.to, sending.calldata) = (self.config.from.to_string(), "0x".into());
        }
        (sending.fee, sending.block) = (Some(fee), self.chain.height()?);
        self.keep(sending)?;
        match self.submit(sending) {
            Ok(hash) => hashes.push(hash),
            // A block was faster.
            Err(_) if self.chain.sent("latest")? > sending.nonce => {}
            Err(fault) => return Err(fault),
        }
        println!("sent again, for at most {fee}: {}", sending.what);
        Ok(())
    }

    fn is_refused(&self, sending: &Sending) -> Result<bool, Fault> {
        let odd = |reason: &dyn std::fmt::Display| self.bad(reason);
        let to = sending.to.parse().map_err(|error| odd(&error))?;
        let calldata = hex::decode(sending.calldata.trim_start_matches("0x"));
        match self.chain.call(to, &calldata.map_err(|error| odd(&error))?) {
            Err(Fault::Refused(_)) => Ok(true),
            answer => answer.map(|_| false),
        }
    }

    /// Whether the configuration allows this price.
    fn allow(&self, fee: &Fee, what: &str) -> Result<(), Fault> {
        let is_allowed = self.config.max_fee_per_gas.is_none_or(|most| fee.max <= most);
        let reason = || format!("{what}: {fee} is more than max_fee_per_gas allows");
        is_allowed.then_some(()).ok_or_else(|| Fault::Chain(reason()))
    }

    /// Hands it to a node; returns its hash.
    fn submit(&self, sending: &Sending) -> Result<B256, Fault> {
        let nonce = sending.nonce.to_string();
        let fixed = ["send", "--async", "--rpc-url", &self.config.chain, "--nonce", &nonce];
        let mut words: Vec<OsString> = fixed.iter().map(Into::into).collect();
        if let Some(Fee { max, tip }) = sending.fee {
            let price = ["--gas-price", &max.to_string(), "--priority-gas-price", &tip.to_string()];
            words.extend(price.iter().map(Into::into));
        }
        words.extend(self.config.account.iter().map(Into::into));
        words.push((&sending.to).into());
        words.extend((sending.calldata != "0x").then(|| OsString::from(&sending.calldata)));
        let output = Command::new(&self.config.cast).args(words).output();
        let output = output.map_err(|error| Fault::Config(format!("cast: {error}")))?;
        let (said, answer) =
            [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes)).into();
        let hash = output.status.success().then(|| answer.trim().parse().ok()).flatten();
        let bad = || format!("{}: cast send: {}{answer}", sending.what, said.trim());
        hash.ok_or_else(|| Fault::Chain(bad()))
    }

    fn keep(&self, sending: &Sending) -> Result<(), Fault> {
        let text = serde_json::to_string(sending).map_err(|error| self.bad(&error))?;
        write(&self.file, &text)
    }

    fn forget(&self) -> Result<(), Fault> {
        fs::remove_file(&self.file).map_err(|error| self.bad(&error))
    }

    fn bad(&self, reason: &dyn std::fmt::Display) -> Fault {
        Fault::Chain(format!("{}: {reason}", self.file.display()))
    }
}

/// The gas in a receipt, if the transaction succeeded.
fn gas(receipt: &Value) -> Result<u64, String> {
    match (hex_number(&receipt["status"]), hex_number(&receipt["gasUsed"])) {
        (Some(1), Some(gas)) => Ok(gas),
        _ => Err(format!("the transaction failed: {receipt}")),
    }
}
