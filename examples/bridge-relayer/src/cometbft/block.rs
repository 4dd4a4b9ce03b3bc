//! Blocks as a node of CometBFT has them.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use alloy_primitives::{Bytes, B256};
use serde::Deserialize;
use serde_json::Value;

use super::abi::{BlockId, Checkpoint, Header, Time};
use crate::{
    fault::Fault,
    programs::Muster,
    source::{write, Node},
};

/// Validators on a page.
const PAGE: u64 = 100;
/// Places among the hashes of a header.
const VALIDATORS: usize = 2;
const NEXT_VALIDATORS: usize = 3;
/// The hashes, in the order in which a header has them, and the proposer's address.
const HASHES: [&str; 9] = [
    "last_commit_hash",
    "data_hash",
    "validators_hash",
    "next_validators_hash",
    "consensus_hash",
    "app_hash",
    "last_results_hash",
    "evidence_hash",
    "proposer_address",
];

/// A block whose signatures `muster` has verified, under validators that it names itself. Whether the chain has it is for
/// the client to say.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) header: Header,
    pub(super) hash: B256,
    pub(super) round: u32,
    pub(super) parts_total: u32,
    pub(super) parts_hash: B256,
    /// Its files.
    pub(super) dir: PathBuf,
    validators: B256,
    next_validators: B256,
}

#[derive(Deserialize)]
struct Commit {
    result: Signed,
}

#[derive(Deserialize)]
struct Signed {
    signed_header: SignedHeader,
}

#[derive(Deserialize)]
struct SignedHeader {
    header: Value,
    commit: RawCommit,
}

#[derive(Deserialize)]
struct RawCommit {
    round: u32,
    block_id: RawId,
}

#[derive(Deserialize)]
struct RawId {
    hash: String,
    parts: RawParts,
}

#[derive(Deserialize)]
struct RawParts {
    total: u32,
    hash: String,
}

impl Block {
    /// Reads what a node answered. What is odd about it, `muster` says better.
    pub(super) fn read(text: &str, dir: &Path) -> Result<Self, Fault> {
        let odd = |error| Fault::Source(format!("commit: {error}"));
        let Commit { result } = serde_json::from_str(text).map_err(odd)?;
        let SignedHeader { header, commit } = result.signed_header;
        let read = || {
            let header = header_of(&header)?;
            let word = |bytes: &Bytes| B256::try_from(&bytes[..]).ok();
            let RawCommit { round, block_id } = commit;
            let hash = word(&hex_of(&block_id.hash)?)?;
            let height = header.height;
            Some(Self {
                validators: word(&header.hashes[VALIDATORS])?,
                next_validators: word(&header.hashes[NEXT_VALIDATORS])?,
                hash,
                round,
                parts_total: block_id.parts.total,
                parts_hash: word(&hex_of(&block_id.parts.hash)?)?,
                dir: dir.join(format!("{height}-{}", hash_name(hash))),
                header,
            })
        };
        read().ok_or_else(|| Fault::Source("commit: not a header with its block".into()))
    }

    pub(super) fn height(&self) -> u64 {
        self.header.height
    }

    pub(super) fn validators(&self) -> B256 {
        self.validators
    }

    /// What a client keeps of it.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            height: self.height(),
            time: self.header.time.clone(),
            blockHash: self.hash,
            nextValidatorsHash: self.next_validators,
        }
    }

    /// The file of its validators.
    pub(super) fn committee(&self) -> PathBuf {
        self.dir.join("block/committee.json")
    }

    /// The file of their signatures.
    pub(super) fn signatures(&self) -> PathBuf {
        self.dir.join("block/signatures.json")
    }

    /// One of these files.
    pub(super) fn read_file(path: &Path) -> Result<Value, Fault> {
        let bad = |reason: String| Fault::Chain(format!("{}: {reason}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| bad(error.to_string()))
    }
}

/// Where blocks come from.
#[derive(Debug)]
pub(super) struct Blocks {
    node: Node,
    dir: PathBuf,
    chain: String,
    muster: Muster,
}

impl Blocks {
    pub(super) fn new(url: &str, work: &Path, chain: String, muster: Muster) -> Self {
        Self { node: Node::new(url), dir: work.join("blocks"), chain, muster }
    }

    /// The height of the newest block that is signed.
    pub(super) fn newest(&self) -> Result<u64, Fault> {
        let status = self.json("status")?;
        let height = &status["result"]["sync_info"]["latest_block_height"];
        let read = || height.as_str()?.parse().ok();
        read().ok_or_else(|| Fault::Source(format!("status: {height} is no height")))
    }

    /// The hash of the block at this height, as the node says, whose word for it is taken.
    pub(super) fn hash(&self, height: u64) -> Result<B256, Fault> {
        self.ask(height).map(|(_, block)| block.hash)
    }

    /// The block at this height, with its validators and their signatures in files.
    pub(super) fn get(&self, height: u64) -> Result<Block, Fault> {
        let (text, block) = self.ask(height)?;
        let commit = block.dir.join("commit.json");
        write(&commit, &text)?;
        let pages = self.validators(height, &block.dir)?;
        let mut args: Vec<&OsStr> = vec!["--commit".as_ref(), commit.as_os_str()];
        args.extend(["--chain-id", &self.chain, "--validators"].map(OsStr::new));
        args.extend(pages.iter().map(|page| page.as_os_str()));
        self.muster.import("cometbft", &args, &block.dir.join("block"))?;
        Ok(block)
    }

    /// What the node answers, and its block.
    fn ask(&self, height: u64) -> Result<(String, Block), Fault> {
        let text = self.node.get(&format!("commit?height={height}"))?;
        let block = Block::read(&text, &self.dir)?;
        let other = block.height();
        let odd = || Fault::Source(format!("commit: block {other} in place of {height}"));
        (other == height).then_some((text, block)).ok_or_else(odd)
    }

    /// The pages of the validators at this height.
    fn validators(&self, height: u64, dir: &Path) -> Result<Vec<PathBuf>, Fault> {
        let (mut pages, mut total) = (vec![], 1);
        while pages.len() as u64 * PAGE < total {
            let page = pages.len() + 1;
            let path = format!("validators?height={height}&per_page={PAGE}&page={page}");
            let text = self.node.get(&path)?;
            let answer: Value = serde_json::from_str(&text)
                .map_err(|error| Fault::Source(format!("{path}: {error}")))?;
            let number = answer["result"]["total"].as_str().and_then(|total| total.parse().ok());
            total = number.ok_or_else(|| Fault::Source(format!("{path}: no total")))?;
            let file = dir.join(format!("validators-{page}.json"));
            write(&file, &text)?;
            pages.push(file);
        }
        Ok(pages)
    }

    fn json(&self, path: &str) -> Result<Value, Fault> {
        serde_json::from_str(&self.node.get(path)?)
            .map_err(|error| Fault::Source(format!("{path}: {error}")))
    }
}

fn hex_of(text: &str) -> Option<Bytes> {
    hex::decode(text).ok().map(Bytes::from)
}

/// Its 14 fields, as the client hashes them.
fn header_of(header: &Value) -> Option<Header> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    // Versions that are 0 may be missing.
    let number =
        |value: &Value| if value.is_null() { Some(0) } else { value.as_str()?.parse().ok() };
    let last = &header["last_block_id"];
    let mut hashes: [Bytes; 9] = Default::default();
    for (hash, field) in hashes.iter_mut().zip(HASHES) {
        *hash = hex_of(header[field].as_str()?)?;
    }
    Some(Header {
        versionBlock: number(&header["version"]["block"])?,
        versionApp: number(&header["version"]["app"])?,
        chainId: text(&header["chain_id"])?.into_bytes().into(),
        height: number(&header["height"])?,
        time: time_of(header["time"].as_str()?)?,
        lastBlockId: BlockId {
            blockHash: hex_of(last["hash"].as_str()?)?,
            partsTotal: last["parts"]["total"].as_u64()?.try_into().ok()?,
            partsHash: hex_of(last["parts"]["hash"].as_str()?)?,
        },
        hashes,
    })
}

/// RFC 3339, since 1970.
fn time_of(text: &str) -> Option<Time> {
    let time = humantime::parse_rfc3339(text).ok()?;
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(Time { secs: since.as_secs().try_into().ok()?, nanos: since.subsec_nanos() })
}

/// The first digits name it well enough.
pub(super) fn hash_name(hash: B256) -> String {
    hex::encode(&hash[..8])
}
