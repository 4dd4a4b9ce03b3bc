//! Ethereum: sync committees that follow each other, and final blocks, from the light client's part of a beacon node.
//!
//! The first committee that the client does not know is brought with the update that names it; once it knows the next one, the
//! latest final block is.

mod abi;
mod update;

#[cfg(test)]
mod tests;

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use alloy_primitives::{Address, B256};
use alloy_sol_types::SolCall;
use serde_json::json;

use self::update::Update;
use crate::{
    chain::Chain,
    config::Config,
    fault::Fault,
    programs::Muster,
    source::{write, Node},
    step::{Follower, Step},
};

/// A client, the node that is asked, and what proves.
#[derive(Debug)]
pub(crate) struct Ethereum {
    chain: Chain,
    client: Address,
    muster: Muster,
    node: Node,
    work: PathBuf,
    network: Network,
}

/// What the client says of the network.
#[derive(Clone, Copy, Debug)]
struct Network {
    genesis: B256,
    epoch: u64,
    period: u64,
    seats: u64,
}

impl Network {
    /// Seats that have to sign: two thirds, rounded up.
    fn quorum(&self) -> u64 {
        self.seats - self.seats / 3
    }
}

impl Ethereum {
    /// Asks the client which network it follows.
    pub(crate) fn new(config: &Config) -> Result<Self, Fault> {
        let (chain, client) = (Chain::new(config), config.client);
        let network = Network {
            genesis: chain.read(client, &abi::GENESIS_VALIDATORS_ROOTCall {})?,
            epoch: chain.read(client, &abi::SLOTS_PER_EPOCHCall {})?,
            period: chain.read(client, &abi::SLOTS_PER_PERIODCall {})?,
            seats: chain.read(client, &abi::COMMITTEE_SIZECall {})?,
        };
        if network.epoch == 0 || network.period == 0 {
            return Err(Fault::Config(format!("client: {client} has no network")));
        }
        let muster = Muster::new(config).with_seats();
        let (node, work) = (Node::new(&config.source), config.work.clone());
        Ok(Self { chain, client, muster, node, work, network })
    }

    /// Whether the client knows the committee of a period.
    fn knows(&self, period: u64) -> Result<bool, Fault> {
        let root = self.chain.read(self.client, &abi::committeeRootCall { period })?;
        Ok(!root.is_zero())
    }

    /// The update that names the committee of the period after this one, if there is a good one already.
    fn naming(&self, period: u64) -> Result<Option<Update>, Fault> {
        let path = format!("updates?start_period={period}&count=1");
        let text = self.ask(&path)?;
        if text.trim() == "[]" {
            return Ok(None);
        }
        let update = Update::read(&text)?;
        let Some(next) = update.next.as_ref().filter(|_| {
            let slots = [update.attested.slot, update.finalized.slot, update.signature_slot];
            slots.iter().all(|slot| slot / self.network.period == period)
        }) else {
            return Ok(None);
        };
        let is_whole = next.keys.len() as u64 == self.network.seats;
        is_whole
            .then_some(Some(update))
            .ok_or_else(|| Fault::Source(format!("{path}: a committee of another size")))
    }

    fn ask(&self, path: &str) -> Result<String, Fault> {
        self.node.get(&format!("eth/v1/beacon/light_client/{path}"))
    }

    /// What an update's signers are imported from: the bootstrap of the client's latest block, or the update that named them. A block
    /// by which an update was forced has no bootstrap.
    fn signers(&self, period: u64, latest: u64) -> Result<String, Fault> {
        let root = self.chain.read(self.client, &abi::blockRootCall { slot: latest })?;
        if period != latest / self.network.period || root.is_zero() {
            return self.ask(&format!("updates?start_period={}&count=1", period.saturating_sub(1)));
        }
        self.ask(&format!("bootstrap/{root}"))
    }

    /// The update as the client takes it, with the proof that a quorum signed it.
    fn signed(&self, update: &Update, latest: u64, dir: &Path) -> Result<abi::Update, Fault> {
        let signature_slot = update.signature_slot;
        let period = signature_slot / self.network.period;
        let (file, source) = (dir.join("update.json"), dir.join("signers.json"));
        write(&file, &update.text)?;
        write(&source, &self.signers(period, latest)?)?;
        let epoch = signature_slot.saturating_sub(1) / self.network.epoch;
        let fork = self.chain.read(self.client, &abi::forkAtCall { epoch })?;
        let (version, genesis) = (fork.version.to_string(), self.network.genesis.to_string());
        let mut args: Vec<&OsStr> = vec!["--update".as_ref(), file.as_os_str()];
        args.extend(["--committee".as_ref(), source.as_os_str()]);
        args.extend(["--fork-version", &version].map(OsStr::new));
        args.extend(["--genesis-validators-root", &genesis].map(OsStr::new));
        let imported = dir.join("import");
        self.muster.import("beacon", &args, &imported)?;
        let [committee, signatures] =
            ["committee.json", "signatures.json"].map(|name| imported.join(name));
        let quorum = self.network.quorum();
        let proof = dir.join("proof.json");
        let proof = self.muster.prove(&committee, &signatures, &quorum.to_string(), &proof)?;
        Ok(abi::Update {
            attested: update.attested.clone(),
            signatureSlot: signature_slot,
            participants: quorum,
            finalized: update.finalized.clone(),
            finalityBranch: update.finality_branch.clone(),
            proof,
        })
    }

    /// The next committee takes its place.
    fn rotate(&self, update: &Update, latest: u64, period: u64) -> Result<Step, Fault> {
        let next = update.next.as_ref().ok_or_else(|| Fault::Source("no committee".into()))?;
        let dir = self.dir(update);
        let signed = self.signed(update, latest, &dir)?;
        let member = |key: &String| json!({ "public_key": key, "weight": 1 });
        let members: Vec<_> = next.keys.iter().map(member).collect();
        let committee = dir.join("next.json");
        write(&committee, &json!({ "scheme": "bls-bls12-381", "members": members }).to_string())?;
        let translated = self.muster.translate(&committee, &dir.join("translation.json"))?;
        let next = abi::Committee {
            hashTreeRoot: translated.commitment.into(),
            branch: next.branch.clone(),
            root: translated.root,
            proof: translated.proof,
        };
        let calldata = abi::rotateCall { update: signed, next }.abi_encode().into();
        let what = format!("the committee of period {} is known", period + 1);
        Ok(Step { what, to: self.client, calldata })
    }

    /// A later block is final.
    fn follow(&self, update: &Update, latest: u64) -> Result<Step, Fault> {
        let signed = self.signed(update, latest, &self.dir(update))?;
        let what = format!("the block of slot {} is final", update.finalized.slot);
        let calldata = abi::followCall { update: signed }.abi_encode().into();
        Ok(Step { what, to: self.client, calldata })
    }

    fn dir(&self, update: &Update) -> PathBuf {
        self.work.join(format!("{}-{}", update.signature_slot, update.name()))
    }
}

impl Follower for Ethereum {
    fn next(&mut self) -> Result<Option<Step>, Fault> {
        let latest = self.chain.read(self.client, &abi::latestSlotCall {})?;
        let period = latest / self.network.period;
        let unnamed = if self.knows(period + 1)? { period + 1 } else { period };
        if let Some(update) = self.naming(unnamed)? {
            return self.rotate(&update, latest, unnamed).map(Some);
        }
        let update = Update::read(&self.ask("finality_update")?)?;
        let is_new = update.finalized.slot > latest;
        if !is_new || !self.knows(update.signature_slot / self.network.period)? {
            return Ok(None);
        }
        self.follow(&update, latest).map(Some)
    }

    fn refused(&mut self, _: &Step) {}
}
