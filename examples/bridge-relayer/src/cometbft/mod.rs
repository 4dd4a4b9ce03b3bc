//! CometBFT: headers of a chain, and messages that its application committed to.
//!
//! From the header that the client has as its latest it goes to the newest one that can be reached: the next one, a later one
//! of the same validators, or one that enough of the trusted validators signed. Otherwise the half of the way is tried.

mod abi;
mod app;
mod block;

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use alloy_primitives::{Address, Bytes, B256};
use alloy_sol_types::SolCall;
use serde_json::{json, Value};

use self::{
    abi::{Translation, Update},
    app::Messages,
    block::{hash_name, Block, Blocks},
};
use crate::{
    chain::Chain,
    config::Config,
    fault::Fault,
    programs::Muster,
    source::write,
    step::{Follower, Step},
};

/// The status of a client that takes headers.
const ACTIVE: u8 = 0;

/// A client, the node that is asked, and what proves.
#[derive(Debug)]
pub(crate) struct CometBft {
    chain: Chain,
    client: Address,
    muster: Muster,
    blocks: Blocks,
    messages: Option<Messages>,
    work: PathBuf,
    /// Messages that were refused. Under another header they are asked for again.
    refused: BTreeSet<Bytes>,
}

/// How a header follows from the trusted one.
enum Way {
    /// Its validators are those that the trusted header names.
    Named,
    /// Validators that the trusted header names signed it, too: their signatures.
    Signed(PathBuf),
    /// Too few of them did.
    TooFar,
}

impl CometBft {
    /// Asks the client which chain it follows.
    pub(crate) fn new(config: &Config) -> Result<Self, Fault> {
        let chain = Chain::new(config);
        let name = chain.read(config.client, &abi::chainIdCall {})?;
        let name = String::from_utf8(name.to_vec())
            .map_err(|_| Fault::Config("client: the name of its chain is no text".into()))?;
        let muster = Muster::new(config);
        let blocks = Blocks::new(&config.source, &config.work, name, muster.clone());
        let messages = config.receiver.map(|to| Messages::new(&chain, to, &config.source));
        Ok(Self {
            client: config.client,
            chain,
            muster,
            blocks,
            messages,
            work: config.work.clone(),
            refused: BTreeSet::new(),
        })
    }

    /// The block of the client's latest header: the node has to have the same one.
    fn trusted(&self) -> Result<Block, Fault> {
        let status = self.chain.read(self.client, &abi::statusCall {})?;
        if status != ACTIVE {
            let state = if status == 1 { "expired" } else { "frozen" };
            return Err(Fault::Over(format!("the client is {state}")));
        }
        let height = self.chain.read(self.client, &abi::latestCall {})?.height;
        let block = self.blocks.get(height)?;
        let checkpoint = block.checkpoint();
        let is_it = self.chain.read(self.client, &abi::isVerifiedCall { checkpoint })?;
        let other = || Fault::Source(format!("block {height} is not the one that the client has"));
        is_it.then_some(block).ok_or_else(other)
    }

    /// The step to the newest header that can be reached.
    fn advance(&self, trusted: &Block) -> Result<Option<Step>, Fault> {
        let mut height = self.blocks.newest()?;
        while height > trusted.height() {
            let block = self.blocks.get(height)?;
            match self.way(trusted, &block)? {
                Way::TooFar => height = trusted.height() + (height - trusted.height()) / 2,
                Way::Named => return self.submit(trusted, &block, None).map(Some),
                Way::Signed(signatures) => {
                    return self.submit(trusted, &block, Some(&signatures)).map(Some)
                }
            }
        }
        Ok(None)
    }

    fn way(&self, trusted: &Block, block: &Block) -> Result<Way, Fault> {
        if block.validators() == trusted.next_validators() {
            return Ok(Way::Named);
        }
        let (height, next) = (block.height(), trusted.height() + 1);
        if height == next {
            let reason = format!("block {height} has other validators than the one before names");
            return Err(Fault::Source(reason));
        }
        let named = self.named_by(trusted)?;
        let file = block.dir.join(format!("signed-by-{}.json", hash_name(named.validators())));
        Ok(match common(&named, block, &file)? {
            true => Way::Signed(file),
            false => Way::TooFar,
        })
    }

    /// The next block, for its validators: those that the trusted header names.
    fn named_by(&self, trusted: &Block) -> Result<Block, Fault> {
        let named = self.blocks.get(trusted.height() + 1)?;
        if named.validators() == trusted.next_validators() {
            return Ok(named);
        }
        let height = named.height();
        Err(Fault::Source(format!("block {height} has other validators than the one before names")))
    }

    /// Everything that the client is to be told of this block, or of the validators first.
    fn submit(
        &self,
        trusted: &Block,
        block: &Block,
        signatures: Option<&Path>,
    ) -> Result<Step, Fault> {
        let (height, to) = (block.height(), self.client);
        let mut trusted_proof = Bytes::new();
        if let Some(signatures) = signatures {
            let named = self.named_by(trusted)?;
            if let Some(translation) = self.translation(&named)? {
                let what = format!("validators of block {} are registered", named.height());
                let calldata = abi::registerCall { translation }.abi_encode().into();
                return Ok(Step { what, to, calldata });
            }
            let proof = block.dir.join(format!("by-{}.json", hash_name(named.validators())));
            trusted_proof = self.muster.prove(&named.committee(), signatures, ">1/3", &proof)?;
        }
        let own = block.dir.join("own.json");
        let proof = self.muster.prove(&block.committee(), &block.signatures(), ">2/3", &own)?;
        let update = Update {
            trusted: trusted.checkpoint(),
            header: block.header.clone(),
            round: block.round,
            partsTotal: block.parts_total,
            partsHash: block.parts_hash,
            proof,
            trustedProof: trusted_proof,
        };
        let skipped = if signatures.is_some() { " by a skip" } else { "" };
        let (what, calldata) = match self.translation(block)? {
            None => (
                format!("header {height} is verified{skipped}"),
                abi::submitCall { update }.abi_encode(),
            ),
            Some(translation) => (
                format!("header {height} is verified{skipped}, with new validators"),
                abi::registerAndSubmitCall { translation, update }.abi_encode(),
            ),
        };
        Ok(Step { what, to, calldata: calldata.into() })
    }

    /// A translation of the block's validators, unless the client knows them.
    fn translation(&self, block: &Block) -> Result<Option<Translation>, Fault> {
        let hash = block.validators();
        let known =
            self.chain.read(self.client, &abi::validatorSetCall { validatorsHash: hash })?;
        if !known.root.is_zero() {
            return Ok(None);
        }
        let file = self.work.join("sets").join(format!("{}.json", hash_name(hash)));
        let translated = self.muster.translate(&block.committee(), &file)?;
        if B256::from(translated.commitment) != hash {
            return Err(Fault::Source(format!(
                "the validators of block {} are others",
                block.height()
            )));
        }
        Ok(Some(Translation {
            validatorsHash: hash,
            root: translated.root,
            members: translated.members,
            total: translated.total,
            proof: translated.proof,
        }))
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
        if step.to != self.client {
            self.refused.insert(step.calldata.clone());
        }
    }
}

/// Writes down who of these validators signed the block, each by its key, since places differ. Says whether they have more
/// than a third of the weight.
fn common(named: &Block, block: &Block, file: &Path) -> Result<bool, Fault> {
    let (theirs, own) =
        (Block::read_file(&named.committee())?, Block::read_file(&block.committee())?);
    let mut signed = Block::read_file(&block.signatures())?;
    let members = |committee: &Value| committee["members"].as_array().cloned().unwrap_or_default();
    let (theirs, own) = (members(&theirs), members(&own));
    let weight = |member: &Value| member["weight"].as_u64().map_or(1, u128::from);
    let total: u128 = theirs.iter().map(weight).sum();
    let (mut sum, mut kept) = (0, vec![]);
    for one in signed["signatures"].as_array().into_iter().flatten() {
        let key = one["member"].as_u64().and_then(|member| own.get(usize::try_from(member).ok()?));
        let Some(key) = key.map(|member| &member["public_key"]) else { continue };
        let Some(member) = theirs.iter().find(|member| member["public_key"] == *key) else {
            continue;
        };
        sum += weight(member);
        kept.push(json!({ "member": key, "signature": one["signature"] }));
    }
    signed["signatures"] = kept.into();
    write(file, &signed.to_string())?;
    Ok(3 * sum > total)
}
