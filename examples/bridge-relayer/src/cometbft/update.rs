//! How a header follows from one that the client trusts, and what shows it.

use std::path::{Path, PathBuf};

use alloy_primitives::{Address, Bytes, B256};
use alloy_sol_types::SolCall;
use serde_json::{json, Value};

use super::{
    abi::{self, Checkpoint, Translation, Update},
    block::{hash_name, Block, Blocks},
};
use crate::{
    chain::Chain, config::Config, fault::Fault, programs::Muster, source::write, step::Step,
};

/// The status of a client that takes headers.
const ACTIVE: u8 = 0;

/// The client.
#[derive(Debug)]
pub(super) struct Client {
    chain: Chain,
    pub(super) address: Address,
}

impl Client {
    /// The height of the highest header that it has; [`Fault::Over`] if it takes no more.
    pub(super) fn latest(&self) -> Result<u64, Fault> {
        let status = self.chain.read(self.address, &abi::statusCall {})?;
        if status != ACTIVE {
            let state = if status == 1 { "expired" } else { "frozen" };
            return Err(Fault::Over(format!("the client is {state}")));
        }
        Ok(self.chain.read(self.address, &abi::latestCall {})?.height)
    }

    /// Whether it has this header.
    pub(super) fn has(&self, checkpoint: Checkpoint) -> Result<bool, Fault> {
        self.chain.read(self.address, &abi::isVerifiedCall { checkpoint })
    }

    /// All headers that it has, in the order in which they came. The chain's blocks are looked through from this one on.
    pub(super) fn all(&self, since: u64) -> Result<Vec<Checkpoint>, Fault> {
        let logs = self.chain.logs::<abi::HeaderVerified>(self.address, since)?;
        Ok(logs.into_iter().map(|log| log.checkpoint).collect())
    }
}

/// How a header follows from a trusted one.
#[derive(Debug)]
pub(super) struct Way {
    trusted: Checkpoint,
    /// The block whose validators the trusted header names, and a file with those of their signatures that the later block has;
    /// nothing if these are the later block's own validators.
    common: Option<(Block, PathBuf)>,
}

/// A client, a node that is asked for blocks, and what proves.
#[derive(Debug)]
pub(super) struct Updates {
    pub(super) client: Client,
    pub(super) blocks: Blocks,
    muster: Muster,
    work: PathBuf,
}

impl Updates {
    /// Asks the client which chain it follows.
    pub(super) fn new(config: &Config, source: &str) -> Result<Self, Fault> {
        let client = Client { chain: Chain::new(config), address: config.client };
        let name = client.chain.read(client.address, &abi::chainIdCall {})?;
        let name = String::from_utf8(name.to_vec())
            .map_err(|_| Fault::Config("client: the name of its chain is no text".into()))?;
        let muster = Muster::new(config);
        let blocks = Blocks::new(source, &config.work, name, muster.clone());
        Ok(Self { client, blocks, muster, work: config.work.clone() })
    }

    /// The block at this height, or else the highest one on the half of the way, and so on, that follows from the trusted header.
    pub(super) fn reach(
        &self,
        trusted: &Checkpoint,
        mut height: u64,
    ) -> Result<Option<(Block, Way)>, Fault> {
        while height > trusted.height {
            let block = self.blocks.get(height)?;
            if let Some(way) = self.way(trusted, &block)? {
                return Ok(Some((block, way)));
            }
            height = trusted.height + (height - trusted.height) / 2;
        }
        Ok(None)
    }

    /// Nothing if too few of the validators whom the trusted header names signed the block.
    fn way(&self, trusted: &Checkpoint, block: &Block) -> Result<Option<Way>, Fault> {
        let way = |common| Way { trusted: trusted.clone(), common };
        if block.validators() == trusted.nextValidatorsHash {
            return Ok(Some(way(None)));
        }
        let named = self.named_by(trusted)?;
        let file = block.dir.join(format!("signed-by-{}.json", hash_name(named.validators())));
        let is_enough = common(&named, block, &file)?;
        Ok(is_enough.then(|| way(Some((named, file)))))
    }

    /// The next block, for its validators: those that the trusted header names.
    fn named_by(&self, trusted: &Checkpoint) -> Result<Block, Fault> {
        let named = self.blocks.get(trusted.height + 1)?;
        if named.validators() == trusted.nextValidatorsHash {
            return Ok(named);
        }
        let height = named.height();
        Err(Fault::Source(format!("block {height} has other validators than the one before names")))
    }

    /// Everything that the client is to be told of this block, or of the validators first.
    pub(super) fn step(&self, block: &Block, way: &Way) -> Result<Step, Fault> {
        if let Some(step) = self.first(way)? {
            return Ok(step);
        }
        let update = self.update(block, way)?;
        let skipped = if way.common.is_some() { " by a skip" } else { "" };
        let verified = format!("header {} is verified{skipped}", block.height());
        let (what, calldata) = match self.translation(block)? {
            None => (verified, abi::submitCall { update }.abi_encode()),
            Some(translation) => (
                format!("{verified}, with new validators"),
                abi::registerAndSubmitCall { translation, update }.abi_encode(),
            ),
        };
        Ok(Step { what, to: self.client.address, calldata: calldata.into() })
    }

    /// What shows that this block and a header that the client has are of no one chain.
    pub(super) fn report(
        &self,
        block: &Block,
        way: &Way,
        other: &Checkpoint,
    ) -> Result<Step, Fault> {
        if let Some(step) = self.first(way)? {
            return Ok(step);
        }
        if let Some(translation) = self.translation(block)? {
            return Ok(self.register(block, translation));
        }
        let (update, other) = (self.update(block, way)?, other.clone());
        let what = format!("a fork at height {} is reported", block.height());
        let calldata = abi::reportCall { update, other }.abi_encode().into();
        Ok(Step { what, to: self.client.address, calldata })
    }

    /// The client has to know the validators whom the trusted header names.
    fn first(&self, way: &Way) -> Result<Option<Step>, Fault> {
        let Some((named, _)) = &way.common else { return Ok(None) };
        Ok(self.translation(named)?.map(|translation| self.register(named, translation)))
    }

    fn register(&self, block: &Block, translation: Translation) -> Step {
        let what = format!("validators of block {} are registered", block.height());
        let calldata = abi::registerCall { translation }.abi_encode().into();
        Step { what, to: self.client.address, calldata }
    }

    /// The proofs that the block is signed.
    fn update(&self, block: &Block, way: &Way) -> Result<Update, Fault> {
        let mut trusted_proof = Bytes::new();
        if let Some((named, signatures)) = &way.common {
            let proof = block.dir.join(format!("by-{}.json", hash_name(named.validators())));
            trusted_proof = self.muster.prove(&named.committee(), signatures, ">1/3", &proof)?;
        }
        let own = block.dir.join("own.json");
        let proof = self.muster.prove(&block.committee(), &block.signatures(), ">2/3", &own)?;
        Ok(Update {
            trusted: way.trusted.clone(),
            header: block.header.clone(),
            round: block.round,
            partsTotal: block.parts_total,
            partsHash: block.parts_hash,
            proof,
            trustedProof: trusted_proof,
        })
    }

    /// A translation of the block's validators, unless the client knows them.
    fn translation(&self, block: &Block) -> Result<Option<Translation>, Fault> {
        let hash = block.validators();
        let known = self
            .client
            .chain
            .read(self.client.address, &abi::validatorSetCall { validatorsHash: hash })?;
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

/// Writes down who of these validators signed the block, each by its key, since places differ. Says whether they have more
/// than a third of the weight.
pub(super) fn common(named: &Block, block: &Block, file: &Path) -> Result<bool, Fault> {
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
