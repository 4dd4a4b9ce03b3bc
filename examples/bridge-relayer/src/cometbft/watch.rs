//! A watcher: do nodes have the headers that the client has? If validators signed two chains, it shows the client the header of
//! the other one, which freezes it.

use std::collections::BTreeSet;

use super::{abi::Checkpoint, update::Updates};
use crate::{
    config::Config,
    fault::Fault,
    step::{Follower, Step},
};

/// A client, and the nodes that are compared with it.
#[derive(Debug)]
pub(crate) struct Watch {
    witnesses: Vec<Witness>,
    since: u64,
}

/// A node that may have another chain.
#[derive(Debug)]
struct Witness {
    url: String,
    updates: Updates,
    /// Heights at which it had the client's header. It is not asked again: who wants to hide a fork can do so anyway.
    agreed: BTreeSet<u64>,
}

impl Watch {
    /// The nodes are the source and the witnesses of the configuration.
    pub(crate) fn new(config: &Config) -> Result<Self, Fault> {
        let urls = [&config.source].into_iter().chain(&config.witnesses);
        let witness = |url: &String| {
            let updates = Updates::new(config, url)?;
            Ok(Witness { url: url.clone(), updates, agreed: BTreeSet::new() })
        };
        let witnesses = urls.map(witness).collect::<Result<_, Fault>>()?;
        Ok(Self { witnesses, since: config.since })
    }
}

impl Follower for Watch {
    fn next(&mut self) -> Result<Option<Step>, Fault> {
        let mut fault = None;
        for witness in &mut self.witnesses {
            // Who looks at a client that takes nothing any more looks for nothing.
            witness.updates.client.latest()?;
            let mut known = witness.updates.client.all(self.since)?;
            known.sort_by_key(|checkpoint| checkpoint.height);
            match witness.look(&known) {
                Ok(None) => {}
                Ok(step) => return Ok(step),
                // A node that is silent or lies holds no other up.
                Err(Fault::Source(reason)) => {
                    fault = Some(Fault::Source(format!("{}: {reason}", witness.url)));
                }
                Err(other) => return Err(other),
            }
        }
        fault.map_or(Ok(None), Err)
    }

    fn refused(&mut self, _: &Step) {}
}

impl Witness {
    /// What shows that this node has another chain than the client, whose headers these are, the lowest first.
    fn look(&mut self, known: &[Checkpoint]) -> Result<Option<Step>, Fault> {
        for (place, checkpoint) in known.iter().enumerate().rev() {
            if !self.agrees(checkpoint)? {
                return self.show(&known[..place], checkpoint).map(Some);
            }
        }
        Ok(None)
    }

    fn agrees(&mut self, checkpoint: &Checkpoint) -> Result<bool, Fault> {
        let height = checkpoint.height;
        if !self.agreed.contains(&height) {
            if self.updates.blocks.hash(height)? != checkpoint.blockHash {
                return Ok(false);
            }
            self.agreed.insert(height);
        }
        Ok(true)
    }

    /// From the highest header that both have to the node's own at this height. If that is too far, the client is told a header
    /// of the node's on the way: it has none there, or it is frozen by that one.
    fn show(&mut self, below: &[Checkpoint], other: &Checkpoint) -> Result<Step, Fault> {
        let height = other.height;
        let unshown = |reason| Fault::Source(format!("another block {height}: {reason}"));
        for trusted in below.iter().rev() {
            if !self.agrees(trusted)? {
                continue;
            }
            let reached = self.updates.reach(trusted, height)?;
            let (block, way) =
                reached.ok_or_else(|| unshown("nobody whom the client trusts signed it"))?;
            let is_there = block.height() == height;
            return if is_there {
                self.updates.report(&block, &way, other)
            } else {
                self.updates.step(&block, &way)
            };
        }
        Err(unshown("and none below that the client has"))
    }
}
