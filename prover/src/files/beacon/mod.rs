//! Ethereum: an update of a light client, and the sync committee that signed it, as a beacon node answers (consensus
//! specifications, Altair to Fulu: `light-client/sync-protocol.md`).

use std::path::{Path, PathBuf};

use muster_circuits::{Committee, Scheme, Signatures};
use muster_schemes::{
    hash::{
        sha256::sha256,
        ssz::{bytes_root, chunk, merkleize},
    },
    membership::PublicKey,
};
use serde::{de::DeserializeOwned, Deserialize};
use serde_json::json;

use super::{
    imported::{trusting, Imported, Importer, Said},
    members::in_words,
    CommitteeFile, SignaturesFile,
};
use crate::{
    encoding::{from_hex, hex_bytes, to_hex},
    input, Error, Number, Seats,
};

/// Greatest length of a file.
const LIMIT: u64 = 1 << 22;
const DOMAIN_SYNC_COMMITTEE: [u8; 4] = [7, 0, 0, 0];
/// Of mainnet.
const GENESIS_VALIDATORS_ROOT: Root = [
    0x4b, 0x36, 0x3d, 0xb9, 0x4e, 0x28, 0x61, 0x20, 0xd7, 0x6e, 0xb9, 0x05, 0x34, 0x0f, 0xdd, 0x4e,
    0x54, 0xbf, 0xe9, 0xf0, 0x6b, 0xf3, 0x3f, 0xf6, 0xcf, 0x5a, 0xd2, 0x7f, 0x51, 0x1b, 0xfe, 0x95,
];
/// The forks by their numbers; mainnet's versions are these numbers and three zero bytes.
const FORKS: [&str; 7] = ["phase0", "altair", "bellatrix", "capella", "deneb", "electra", "fulu"];
/// Members of a committee and slots of its period: mainnet's preset, and the minimal one.
const PRESETS: [(usize, u64); 2] = [(512, 256 * 32), (32, 8 * 8)];
/// Places of fields of a state, at the depth that branches show: 5 levels, or 6 from Electra on.
const CURRENT: usize = 22;
const NEXT: usize = 23;
/// The place of the root of the finalized checkpoint, one level further down.
const FINALIZED: usize = 41;

type Root = [u8; 32];

/// An update, and where its committee is from.
#[derive(Clone, Debug)]
pub struct Beacon {
    /// An update, a finality update or an optimistic update.
    pub update: PathBuf,
    /// The bootstrap of the same period, or an update of the period before.
    pub committee: PathBuf,
    /// The version of the fork in which the update was signed, if it is not mainnet's.
    pub fork_version: Option<[u8; 4]>,
    /// The root of the validators at genesis, if it is not mainnet's.
    pub genesis_validators_root: Option<Root>,
}

#[derive(Deserialize)]
struct Answer<T> {
    version: Option<String>,
    data: T,
}

#[derive(Deserialize)]
struct Update {
    attested_header: Header,
    finalized_header: Option<Header>,
    finality_branch: Option<Vec<Word>>,
    sync_aggregate: Aggregate,
    signature_slot: Number<u64>,
}

/// What names a committee: a bootstrap, or an update.
#[derive(Deserialize)]
struct Source {
    header: Option<Header>,
    current_sync_committee: Option<SyncCommittee>,
    current_sync_committee_branch: Option<Vec<Word>>,
    attested_header: Option<Header>,
    next_sync_committee: Option<SyncCommittee>,
    next_sync_committee_branch: Option<Vec<Word>>,
}

#[derive(Deserialize)]
struct Header {
    beacon: BeaconHeader,
}

#[derive(Deserialize)]
struct BeaconHeader {
    slot: Number<u64>,
    proposer_index: Number<u64>,
    parent_root: Word,
    state_root: Word,
    body_root: Word,
}

#[derive(Deserialize)]
struct SyncCommittee {
    pubkeys: Vec<Key>,
    aggregate_pubkey: Key,
}

#[derive(Deserialize)]
struct Aggregate {
    sync_committee_bits: String,
    sync_committee_signature: String,
}

#[derive(Clone, Copy, Deserialize)]
struct Word(#[serde(deserialize_with = "hex_bytes::deserialize")] Root);

#[derive(Clone, Copy, Deserialize)]
struct Key(#[serde(deserialize_with = "hex_bytes::deserialize")] [u8; 48]);

/// A committee, the header whose state names it, and the period in which it signs.
struct Signers {
    committee: SyncCommittee,
    header: BeaconHeader,
    period: u64,
    /// Slots of a period.
    slots: u64,
}

impl Importer for Beacon {
    fn import(&self) -> Result<Imported, Error> {
        let path = &self.update;
        let Answer { version, data: update } = answer::<Update>(path)?;
        let signers = Signers::read(&self.committee)?;
        let period = update.signature_slot.0 / signers.slots;
        if period != signers.period {
            let of = signers.period;
            let reason =
                format!("it is in period {period}, but the committee signs in period {of}");
            return Err(Error::field(path, "data.signature_slot", reason));
        }
        let header = &update.attested_header.beacon;
        if update.signature_slot.0 <= header.slot.0 {
            let reason = "not after the slot of the attested header";
            return Err(Error::field(path, "data.signature_slot", reason));
        }
        let finalized = update.finalized(path)?;
        let mut compared =
            vec!["the root of the committee with the state of the header that it is from".into()];
        if finalized.is_some() {
            compared.push("the finalized header with the state of the attested one".into());
        }
        let fork = self.fork_version(version.as_deref())?;
        let genesis = self.genesis_validators_root.unwrap_or(GENESIS_VALIDATORS_ROOT);
        let signed = header.signing_root(fork, genesis);
        let committee = signers.committee(&self.committee)?;
        let signatures = update.signatures(path, &committee, &signed)?;
        let trusted = to_hex(&signers.header.root());
        let at = signers.header.slot.0;
        let is_mainnet = genesis == GENESIS_VALIDATORS_ROOT;
        let network = if is_mainnet { "mainnet".to_owned() } else { to_hex(&genesis) };
        let believed = vec![
            format!("that the block {trusted} at slot {at}, whose state names the committee, is the chain's: compare it with a checkpoint that you trust"),
            format!("that the update was signed under the fork version {}, on the network {network}", to_hex(&fork)),
            format!("that it was signed at slot {}, which nobody signed", update.signature_slot.0),
            "the signature itself, which the next command verifies".into(),
        ];
        let finalized = finalized.map(|header| (header.slot.0, to_hex(&header.root())));
        let json = json!({
            "finalized": finalized.as_ref().map(|(slot, root)| json!({ "slot": slot, "block": root })),
            "period": period,
            "trusted": { "slot": at, "block": trusted },
        });
        let (threshold, options) = (">=2/3".into(), " --rule trusted-keys --seats".into());
        let mut said = Said { threshold, options, json, compared, believed, ..Said::default() };
        said.say("slot", "slot", header.slot.0);
        said.say("block", "block", to_hex(&header.root()));
        if let Some((slot, root)) = finalized {
            said.rows.push(("finalized", format!("{root} at slot {slot}")));
        }
        said.say("digest", "digest", to_hex(&signed));
        // What `muster translate` translates.
        said.say("commitment", "commitment", to_hex(&signers.committee.root()));
        Ok(Imported::new(committee, signatures, said))
    }
}

impl Beacon {
    /// The version of the fork that is given, or else mainnet's of this name.
    fn fork_version(&self, name: Option<&str>) -> Result<[u8; 4], Error> {
        if let Some(version) = self.fork_version {
            return Ok(version);
        }
        let known = FORKS.iter().position(|fork| Some(*fork) == name);
        let known = known.ok_or_else(|| {
            let reason = format!("{:?} is no known fork: --fork-version", name.unwrap_or_default());
            Error::field(&self.update, "version", reason)
        })?;
        Ok([known as u8, 0, 0, 0])
    }
}

impl Signers {
    fn read(path: &Path) -> Result<Self, Error> {
        let source = answer::<Source>(path)?.data;
        let current = source.current_sync_committee.zip(source.current_sync_committee_branch);
        let current = current.zip(source.header).map(|found| ("current", found, CURRENT));
        let next = source.next_sync_committee.zip(source.next_sync_committee_branch);
        let next = next.zip(source.attested_header).map(|found| ("next", found, NEXT));
        let Some((name, ((committee, branch), header), place)) = current.or(next) else {
            let reason = "neither a bootstrap nor an update with the next committee: a finality update names none";
            return Err(Error::field(path, "data", reason));
        };
        let at = |field: &str| format!("data.{name}_sync_committee{field}");
        let found = committee.pubkeys.len();
        let preset = PRESETS.iter().find(|(members, _)| *members == found);
        let (_, slots) = *preset.ok_or_else(|| {
            let reason = format!("{found} keys: a committee has 512, or 32 in the minimal preset");
            Error::field(path, at(".pubkeys"), reason)
        })?;
        let header = header.beacon;
        if !is_in_state(&committee.root(), &branch, (5, place), &header) {
            let reason = "it does not lead from the committee to the state of the header";
            return Err(Error::field(path, at("_branch"), reason));
        }
        let later = u64::from(place == NEXT);
        let period = (header.slot.0 / slots).saturating_add(later);
        Ok(Self { committee, header, period, slots })
    }

    /// A seat for each key, with a weight of 1.
    fn committee(&self, path: &Path) -> Result<CommitteeFile, Error> {
        let suite = trusting(Scheme::BlsBls12381, None, None)?;
        let bytes: Vec<_> = self.committee.pubkeys.iter().map(|key| &key.0[..]).collect();
        let read = |(seat, key): (usize, Result<_, _>)| {
            let at = format!("sync committee: pubkeys[{seat}]");
            Ok((key.map_err(in_words).map_err(Error::at(path, at))?, 1))
        };
        let members = suite.decode_keys(&bytes).into_iter().enumerate().map(read);
        let members = members.collect::<Result<Vec<(PublicKey, u64)>, Error>>()?;
        let committee = Committee::with_seats(&members, Seats::Several)
            .map_err(Error::at(path, "sync committee"))?;
        Ok(CommitteeFile::whole(suite, committee))
    }
}

impl Update {
    /// The finalized header, if there is one: it has to be in the state of the attested one.
    fn finalized(&self, path: &Path) -> Result<Option<&BeaconHeader>, Error> {
        let (Some(finalized), Some(branch)) = (&self.finalized_header, &self.finality_branch)
        else {
            return Ok(None);
        };
        let header = &finalized.beacon;
        if branch.iter().all(|node| node.0 == [0; 32]) {
            return Ok(None);
        }
        let attested = &self.attested_header.beacon;
        if is_in_state(&header.root(), branch, (6, FINALIZED), attested) {
            return Ok(Some(header));
        }
        let reason = "it does not lead from the finalized header to the state of the attested one";
        Err(Error::field(path, "data.finality_branch", reason))
    }

    /// The signature of all seats whose bits are set.
    fn signatures(
        &self,
        path: &Path,
        committee: &CommitteeFile,
        signed: &Root,
    ) -> Result<SignaturesFile, Error> {
        let Aggregate { sync_committee_bits, sync_committee_signature } = &self.sync_aggregate;
        let at = "data.sync_aggregate.sync_committee_bits";
        let bits = from_hex(sync_committee_bits).map_err(Error::at(path, at))?;
        let seats = committee.committee.members().len();
        if 8 * bits.len() != seats {
            let reason = format!("{} bits for {seats} seats", 8 * bits.len());
            return Err(Error::field(path, at, reason));
        }
        let members = (0..seats).filter(|seat| bits[seat / 8] >> (seat % 8) & 1 == 1).collect();
        let scheme = committee.scheme;
        let at = "data.sync_aggregate.sync_committee_signature";
        let signature = from_hex(sync_committee_signature).map_err(Error::at(path, at))?;
        let signature = scheme.suite().decode_signature(&signature).map_err(Error::at(path, at))?;
        let message = scheme.message_from_bytes(signed);
        let message = message.ok_or(muster_circuits::Error::WrongMessage(scheme))?;
        let signatures = Signatures::Aggregate { members, signature };
        Ok(SignaturesFile { scheme, message, signatures })
    }
}

impl BeaconHeader {
    /// `hash_tree_root`.
    fn root(&self) -> Root {
        let number = |number: &Number<u64>| chunk(&number.0.to_le_bytes());
        let Self { slot, proposer_index, parent_root, state_root, body_root } = self;
        merkleize(&[number(slot), number(proposer_index), parent_root.0, state_root.0, body_root.0])
    }

    /// `compute_signing_root`, in the domain of sync committees.
    fn signing_root(&self, fork: [u8; 4], genesis: Root) -> Root {
        let data = merkleize(&[chunk(&fork), genesis]);
        let domain = [&DOMAIN_SYNC_COMMITTEE[..], &data[..28]].concat();
        merkleize(&[self.root(), chunk(&domain)])
    }
}

impl SyncCommittee {
    /// `hash_tree_root`.
    fn root(&self) -> Root {
        let keys: Vec<_> = self.pubkeys.iter().map(|key| bytes_root(&key.0)).collect();
        merkleize(&[merkleize(&keys), bytes_root(&self.aggregate_pubkey.0)])
    }
}

/// `is_valid_merkle_branch` to the root of the header's state. Branches have `depth` levels, or one more from Electra on.
fn is_in_state(
    leaf: &Root,
    branch: &[Word],
    (depth, place): (usize, usize),
    header: &BeaconHeader,
) -> bool {
    let up = |node: Root, (level, sibling): (usize, &Word)| match place >> level & 1 {
        0 => sha256(&[node, sibling.0].concat()),
        _ => sha256(&[sibling.0, node].concat()),
    };
    let is_deep = branch.len() == depth || branch.len() == depth + 1;
    is_deep && branch.iter().enumerate().fold(*leaf, up) == header.state_root.0
}

/// What a beacon node answered: one object, or a list of one.
fn answer<T: DeserializeOwned>(path: &Path) -> Result<Answer<T>, Error> {
    let bytes = input::read(path, LIMIT)?;
    let is_list = input::text(path, &bytes)?.trim_start().starts_with('[');
    // Updates come in a list.
    let list: Vec<Answer<T>> =
        if is_list { input::parse(path, &bytes)? } else { vec![input::parse(path, &bytes)?] };
    let count = list.len();
    let one = <[_; 1]>::try_from(list).map(|[one]| one);
    one.map_err(|_| Error::file(path, format!("{count} updates: ask for one, with count=1")))
}

#[cfg(test)]
mod tests;
