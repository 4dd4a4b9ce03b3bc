//! NEAR: a block as a light client gets it, and the producers who approved what came after it (nomicon,
//! `ChainSpec/LightClient`; the RPC's `next_light_client_block`).

use std::{
    collections::{hash_map::Entry, HashMap},
    path::{Path, PathBuf},
};

use muster_circuits::{Committee, KeyKind, Message, MessageForm, Scheme, Suite};
use muster_schemes::{
    hash::sha256::sha256,
    membership::{WeightShift, WEIGHT_BITS},
    signature::{ed25519::PublicKey, SignedBytes},
};
use serde::{de::Error as _, Deserialize, Deserializer};
use serde_json::json;

use super::{
    bases::{from_base58, to_base58},
    imported::{judged, Aside, Claimed, Imported, Importer, Said},
    listing::Narrowed,
    members::{in_words, with_unknown_secret},
    reader::answer,
    weight::to_json,
    CommitteeFile, LeftOut,
};
use crate::{encoding::to_hex, input, Error, Number};

/// Greatest length of a file: mainnet has about a hundred producers.
const LIMIT: u64 = 1 << 22;
/// Most producers: each takes a hundred bytes in a file.
const MAX_PRODUCERS: usize = 1 << 14;
/// Most characters of an account's name.
const MAX_NAME: usize = 64;
/// What is signed: that a block is endorsed, its hash, and the height of the block that says so.
const APPROVAL: usize = 41;
/// The variants `Endorsement` of `ApprovalInner` and `V1` of `ValidatorStake`, in Borsh.
const ENDORSEMENT: u8 = 0;
const V1: u8 = 0;
/// How keys and signatures of Ed25519 begin, and their number in Borsh.
const ED25519: (&str, u8) = ("ed25519:", 0);
const SECP256K1: (&str, u8) = ("secp256k1:", 1);

type Hash = [u8; 32];

/// A block, and who produces blocks in its epoch.
#[derive(Clone, Debug)]
pub struct Near {
    /// The answer of `next_light_client_block`.
    pub block: PathBuf,
    /// The same of the epoch before, which names the producers; or a list of them, in order.
    pub producers: PathBuf,
}

#[derive(Deserialize)]
struct Block {
    prev_block_hash: Word,
    next_block_inner_hash: Word,
    inner_lite: Lite,
    inner_rest_hash: Word,
    next_bps: Option<Vec<Producer>>,
    approvals_after_next: Option<Vec<Option<String>>>,
}

#[derive(Deserialize)]
struct Lite {
    height: Number<u64>,
    epoch_id: Word,
    next_epoch_id: Word,
    prev_state_root: Word,
    outcome_root: Word,
    timestamp_nanosec: Number<u64>,
    next_bp_hash: Word,
    block_merkle_root: Word,
}

#[derive(Deserialize)]
struct Producer {
    account_id: String,
    public_key: String,
    stake: Number<u128>,
    validator_stake_struct_version: Option<String>,
}

/// 32 bytes in base58.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word(Hash);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        from_base58(&text).map(Self).map_err(D::Error::custom)
    }
}

/// The producers of an epoch, in order, and where they are from.
struct Producers {
    list: Vec<Producer>,
    /// Where they stand in the file.
    at: &'static str,
    /// The block that names them, with its height.
    named_in: Option<(Hash, u64)>,
}

/// What producers are as a committee.
struct Members {
    file: CommitteeFile,
    /// The member that each producer is, if a set can hold the key.
    members: Vec<Option<usize>>,
    asides: Vec<Aside>,
}

impl Importer for Near {
    fn import(&self) -> Result<Imported, Error> {
        let path = &self.block;
        let block = Block::parsed(path, &input::read(path, LIMIT)?)?;
        let producers = self.producers(&block)?;
        let Members { file: committee, members, mut asides } =
            producers.committee(&self.producers)?;
        let claims = block.approvals(path, &producers.list, &members, &mut asides)?;
        let approved = block.approval(path)?;
        let form = MessageForm::Bytes { most: APPROVAL };
        let suite = Suite::new(Scheme::Ed25519, KeyKind::Coordinates, None, Some(form));
        let suite = suite.map_err(|_| muster_circuits::Error::OtherForm(form))?;
        let message = Message::Bytes(SignedBytes::new(&approved));
        let (signatures, bad) = judged(&committee, suite, message, claims)?;
        asides.extend(bad);
        let mut compared = vec!["each approval with the key of its producer".to_owned()];
        if block.next_bps.is_some() {
            compared.push("the hash of the next producers with the block that names them".into());
        }
        let believed = producers.said(&mut compared, block.inner_lite.height.0);
        let shift = committee.narrowed.map_or(0, |narrowed| narrowed.shift.bits());
        let (threshold, options) = (">2/3".into(), format!(" --message-form {form}"));
        let json = json!({ "weight_shift": shift });
        let rows = vec![];
        let mut said = Said { threshold, options, rows, json, asides, compared, believed };
        said.say("height", "height", to_json(block.inner_lite.height.0.into()));
        said.say("block", "block", to_base58(&block.hash()));
        said.say("approved block", "approved_block", to_base58(&block.next_hash()));
        said.say("epoch", "epoch", to_base58(&block.inner_lite.epoch_id.0));
        said.rows.push(("stakes", format!("in yoctoNEAR, without their lowest {shift} bits")));
        said.say("message", "message", to_hex(&approved));
        Ok(Imported::new(committee, signatures, said))
    }
}

impl Near {
    /// The producers of the block's epoch.
    fn producers(&self, block: &Block) -> Result<Producers, Error> {
        let path = &self.producers;
        let bytes = input::read(path, LIMIT)?;
        // A list, or the RPC's answer with one, has no header.
        if !input::text(path, &bytes)?.contains("\"inner_lite\"") {
            return Ok(Producers { list: answer(path, &bytes)?, at: "", named_in: None });
        }
        let before = Block::parsed(path, &bytes)?;
        let (names, epoch) = (before.inner_lite.next_epoch_id, block.inner_lite.epoch_id);
        if names != epoch {
            let [names, epoch] = [names, epoch].map(|Word(hash)| to_base58(&hash));
            let reason = format!("{names}, but the block is in epoch {epoch}");
            return Err(Error::field(path, "inner_lite.next_epoch_id", reason));
        }
        let named_in = Some((before.hash(), before.inner_lite.height.0));
        let list = before.next_bps.ok_or_else(|| {
            let reason =
                "missing: the RPC leaves it out of blocks in the epoch that was asked from";
            Error::field(path, "next_bps", reason)
        })?;
        Ok(Producers { list, at: "next_bps", named_in })
    }
}

impl Block {
    /// A block; if it names producers, they have the hash in its header.
    fn parsed(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let block: Self = answer(path, bytes)?;
        if let Some(list) = &block.next_bps {
            let (found, expected) = (bp_hash(path, list)?, block.inner_lite.next_bp_hash.0);
            if found != expected {
                let [found, expected] = [found, expected].map(|hash| to_base58(&hash));
                let reason = format!("{expected}, but the producers have {found}");
                return Err(Error::field(path, "inner_lite.next_bp_hash", reason));
            }
        }
        Ok(block)
    }

    /// `current_block_hash` of the specification.
    fn hash(&self) -> Hash {
        let lite = &self.inner_lite;
        let words = |words: [Word; 4]| words.map(|Word(word)| word).concat();
        let lite = [
            &lite.height.0.to_le_bytes()[..],
            &words([lite.epoch_id, lite.next_epoch_id, lite.prev_state_root, lite.outcome_root]),
            &lite.timestamp_nanosec.0.to_le_bytes(),
            &lite.next_bp_hash.0,
            &lite.block_merkle_root.0,
        ];
        let inner = sha256(&[sha256(&lite.concat()), self.inner_rest_hash.0].concat());
        sha256(&[inner, self.prev_block_hash.0].concat())
    }

    /// `next_block_hash`: of the block that is approved.
    fn next_hash(&self) -> Hash {
        sha256(&[self.next_block_inner_hash.0, self.hash()].concat())
    }

    /// What producers sign who approve of it: `ApprovalInner::Endorsement`, and the height of the block with their
    /// approvals.
    fn approval(&self, path: &Path) -> Result<[u8; APPROVAL], Error> {
        let height = self.inner_lite.height.0.checked_add(2).ok_or("no block follows");
        let height = height.map_err(Error::at(path, "inner_lite.height"))?;
        let mut bytes = [ENDORSEMENT; APPROVAL];
        bytes[1..33].copy_from_slice(&self.next_hash());
        bytes[33..].copy_from_slice(&height.to_le_bytes());
        Ok(bytes)
    }

    /// The approvals, by the members who gave them.
    fn approvals(
        &self,
        path: &Path,
        producers: &[Producer],
        members: &[Option<usize>],
        asides: &mut Vec<Aside>,
    ) -> Result<Vec<Claimed>, Error> {
        let at = "approvals_after_next";
        let list = self.approvals_after_next.as_deref().unwrap_or_default();
        if list.len() < producers.len() {
            let reason = format!("{} for {} producers", list.len(), producers.len());
            return Err(Error::field(path, at, reason));
        }
        if list.len() > 2 * MAX_PRODUCERS {
            return Err(Error::field(path, at, format!("{}, too many", list.len())));
        }
        let mut claims = vec![];
        for (number, approval) in list.iter().enumerate() {
            let Some(text) = approval else { continue };
            let Some(producer) = producers.get(number) else {
                let who = format!("approval {number}");
                asides.push(Aside::new(who, "it is by a producer of the next epoch"));
                continue;
            };
            let who = format!("producer {}", producer.account_id);
            let (member, digits) = match (members[number], text.strip_prefix(ED25519.0)) {
                (Some(member), Some(digits)) => (member, digits),
                // Why is said already.
                (None, _) => continue,
                (_, None) => {
                    asides.push(Aside::new(who, "its signature is not one of Ed25519"));
                    continue;
                }
            };
            let signature =
                from_base58::<64>(digits).map_err(Error::at(path, format!("{at}[{number}]")))?;
            claims.push(Claimed { who, member: Some(member), signature: signature.to_vec() });
        }
        Ok(claims)
    }
}

impl Producers {
    /// What had to be believed of them; adds what was compared.
    fn said(&self, compared: &mut Vec<String>, height: u64) -> Vec<String> {
        vec![match self.named_in {
            Some((hash, at)) => {
                compared
                    .push("the epoch of the block with the one that the producers are for".into());
                compared.push("the hash of the producers with the block that names them".into());
                format!(
                    "that block {} at height {at}, which names the producers, is the chain's: compare it with one that you trust",
                    to_base58(&hash)
                )
            }
            None => {
                format!("that these are the producers of the epoch of height {height}, in order")
            }
        }]
    }

    /// The committee of those whose keys a set can hold. Stakes are too wide for weights and lose their lowest bits.
    fn committee(&self, path: &Path) -> Result<Members, Error> {
        let at = |number: usize, field: &str| format!("{}[{number}].{field}", self.at);
        if self.list.len() > MAX_PRODUCERS {
            let reason = format!("{} producers, more than {MAX_PRODUCERS}", self.list.len());
            return Err(Error::field(path, self.at, reason));
        }
        let mut total = 0u128;
        for (number, producer) in self.list.iter().enumerate() {
            let sum = total.checked_add(producer.stake.0).filter(|sum| sum >> 127 == 0);
            let sum = sum.ok_or("the stakes up to here add up to 2^127 or more");
            total = sum.map_err(Error::at(path, at(number, "stake")))?;
        }
        let bits = (u128::BITS - total.leading_zeros()).saturating_sub(WEIGHT_BITS);
        let shift = WeightShift::new(bits).unwrap_or_default();
        let (mut places, mut held, mut first) = (vec![], vec![], HashMap::new());
        let (mut left_out, mut asides) = (vec![], vec![]);
        for (number, producer) in self.list.iter().enumerate() {
            let Producer { account_id, public_key, stake: Number(stake), .. } = producer;
            check_name(account_id).map_err(Error::at(path, at(number, "account_id")))?;
            let key = key_of(public_key).map_err(Error::at(path, at(number, "public_key")))?;
            let key = key.and_then(|key| match first.entry(key.to_bytes()) {
                Entry::Occupied(before) => {
                    Err(format!("its key is that of producer {}", before.get()))
                }
                Entry::Vacant(place) => {
                    place.insert(number);
                    Ok(key)
                }
            });
            let weight = shift.weight(*stake) as u64;
            places.push(match (key, weight) {
                (Err(reason), _) => {
                    asides.push(Aside::new(format!("producer {account_id}"), &reason));
                    let (key, weight) = (public_key.clone(), *stake);
                    left_out.push(LeftOut { key, weight, reason });
                    None
                }
                (Ok(_), 0) => {
                    let reason = format!("its stake is nothing without its lowest {bits} bits");
                    asides.push(Aside::new(format!("producer {account_id}"), reason));
                    None
                }
                (Ok(key), weight) => {
                    held.push((key, weight));
                    Some(held.len() - 1)
                }
            });
        }
        let committee = Committee::new(&held).map_err(Error::at(path, self.at))?;
        let narrowed = (bits > 0).then_some(Narrowed { shift, total });
        let (scheme, keys) = (Scheme::Ed25519, KeyKind::Coordinates);
        let file = CommitteeFile { scheme, keys, committee, narrowed, left_out };
        Ok(Members { file, members: places, asides })
    }
}

/// A name is shown: it must be one that the chain could have.
fn check_name(name: &str) -> Result<(), &'static str> {
    let is_name = (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    is_name.then_some(()).ok_or("not the name of an account")
}

/// The bytes of a key with its type's number.
fn key_bytes(text: &str) -> Result<Vec<u8>, String> {
    if let Some(digits) = text.strip_prefix(ED25519.0) {
        return Ok([&[ED25519.1][..], &from_base58::<32>(digits)?].concat());
    }
    let digits = text.strip_prefix(SECP256K1.0).ok_or("neither ed25519: nor secp256k1:")?;
    Ok([&[SECP256K1.1][..], &from_base58::<64>(digits)?].concat())
}

/// The key, or why no set can hold it.
fn key_of(text: &str) -> Result<Result<PublicKey, String>, String> {
    let bytes = key_bytes(text)?;
    if bytes[0] != ED25519.1 {
        return Ok(Err("its key is not one of Ed25519".into()));
    }
    let key = PublicKey::from_bytes(&bytes[1..]).map_err(in_words);
    Ok(key.and_then(|key| with_unknown_secret(key.into()).map(|_| key)))
}

/// The hash of producers: SHA-256 of them in Borsh, without the version of their struct if the RPC does not say one.
fn bp_hash(path: &Path, list: &[Producer]) -> Result<Hash, Error> {
    let at = |number: usize, field: &str| format!("next_bps[{number}].{field}");
    let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
    let mut bytes = count.to_le_bytes().to_vec();
    for (number, producer) in list.iter().enumerate() {
        let Producer { account_id, public_key, stake, validator_stake_struct_version } = producer;
        match validator_stake_struct_version.as_deref() {
            None => {}
            Some("V1") => bytes.push(V1),
            Some(other) => {
                let field = at(number, "validator_stake_struct_version");
                let shown: String = other.chars().take(MAX_NAME).collect();
                return Err(Error::field(path, field, format!("{shown:?} is not known")));
            }
        }
        check_name(account_id).map_err(Error::at(path, at(number, "account_id")))?;
        bytes.extend((account_id.len() as u32).to_le_bytes());
        bytes.extend(account_id.as_bytes());
        let key = key_bytes(public_key).map_err(Error::at(path, at(number, "public_key")))?;
        bytes.extend(key);
        bytes.extend(stake.0.to_le_bytes());
    }
    Ok(sha256(&bytes))
}
