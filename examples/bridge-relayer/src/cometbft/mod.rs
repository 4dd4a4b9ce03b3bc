//! CometBFT: headers of a chain, and messages that its application committed to; and a watcher that looks for forks.
//!
//! From the header that the client has as its latest it goes to the newest one that can be reached: the next one, a later one
//! of the same validators, or one that enough of the trusted validators signed. Otherwise the half of the way is tried.

mod abi;
mod app;
mod block;
mod update;
mod watch;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use alloy_primitives::Bytes;

use self::{app::Messages, block::Block, update::Updates};
use crate::{
    chain::Chain,
    config::Config,
    fault::Fault,
    step::{Follower, Step},
};

pub(crate) use self::watch::Watch;

/// A client, the node that is asked, and what proves.
#[derive(Debug)]
pub(crate) struct CometBft {
    updates: Updates,
    messages: Option<Messages>,
    /// Messages that were refused. Under another header they are asked for again.
    refused: BTreeSet<Bytes>,
}

impl CometBft {
    /// Asks the client which chain it follows.
    pub(crate) fn new(config: &Config) -> Result<Self, Fault> {
        let updates = Updates::new(config, &config.source)?;
        let chain = Chain::new(config);
        let messages = config.receiver.map(|to| Messages::new(&chain, to, &config.source));
        Ok(Self { updates, messages, refused: BTreeSet::new() })
    }

    /// The block of the client's latest header: the node has to have the same one.
    fn trusted(&self) -> Result<Block, Fault> {
        let height = self.updates.client.latest()?;
        let block = self.updates.blocks.get(height)?;
        let other = || Fault::Source(format!("block {height} is not the one that the client has"));
        self.updates.client.has(block.checkpoint())?.then_some(block).ok_or_else(other)
    }

    /// The step to the newest header that can be reached.
    fn advance(&self, trusted: &Block) -> Result<Option<Step>, Fault> {
        let newest = self.updates.blocks.newest()?;
        let reached = self.updates.reach(&trusted.checkpoint(), newest)?;
        reached.map(|(block, way)| self.updates.step(&block, &way)).transpose()
    }
}

impl Follower for CometBft {
    fn next(&mut self) -> Result<Option<Step>, Fault> {
        let trusted = self.trusted()?;
        // Messages need no proof of signatures. One that the node is silent or lies about holds nobody else up.
        let message = self.messages.as_mut().map(|messages| messages.next(&trusted, &self.refused));
        match message {
            Some(Ok(Some(step))) => return Ok(Some(step)),
            Some(Err(fault)) => {
                let header = self.advance(&trusted)?;
                return header.map(Some).ok_or(fault);
            }
            None | Some(Ok(None)) => {}
        }
        self.advance(&trusted)
    }

    fn refused(&mut self, step: &Step) {
        if step.to != self.updates.client.address {
            self.refused.insert(step.calldata.clone());
        }
    }
}
