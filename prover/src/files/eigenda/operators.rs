//! Operators of EigenLayer's registries, as a node of Ethereum answers about them: the stakes that `getOperatorState` of
//! `OperatorStateRetriever` returns, and the keys in the events `NewPubkeyRegistration` of `BLSApkRegistry`.

use std::{
    collections::{hash_map::Entry, HashMap, HashSet},
    path::{Path, PathBuf},
};

use muster_schemes::{
    hash::{keccak::keccak256, sha256::sha256},
    signature::bls::{member::MinPkBn254, Ciphersuite, PublicKey, Sign, Signature, SignedPoint},
};
use serde::Deserialize;

use crate::{
    encoding::{from_hex, from_hex_exact, to_hex},
    files::reader::answer,
    input, Error,
};

/// Greatest length of a file.
pub(super) const LIMIT: u64 = 1 << 22;
/// Most operators of a quorum: EigenDA's have 200.
const MAX_OPERATORS: usize = 1 << 10;
/// Most quorums of a batch.
pub(super) const MAX_QUORUMS: usize = 1 << 4;
/// What is hashed to the first topic of a registration.
pub(super) const EVENT: &[u8] =
    b"NewPubkeyRegistration(address,(uint256,uint256),(uint256[2],uint256[2]))";
/// Bytes of a word of Solidity's ABI, of an operator in a list, and of keys in both groups.
pub(super) const WORD: usize = 32;
const ENTRY: usize = 3 * WORD;
pub(super) const FIRST: usize = 64;
pub(super) const BOTH: usize = FIRST + 128;

/// The hash of a key in G1, which names an operator.
pub(super) type Id = [u8; 32];

/// An operator's address.
type Address = [u8; 20];

/// What was registered, by who did and the hash of the key in G1: a key in G1, and one in G2.
type Registry = HashMap<(Address, Id), [u8; BOTH]>;

/// The key in G1, whose sums a batch has.
pub(super) type FirstKey = PublicKey<MinPkBn254>;

/// An operator in a quorum.
pub(super) struct Operator {
    address: Address,
    pub(super) id: Id,
    pub(super) stake: u128,
}

/// The keys of an operator.
pub(super) struct Keys {
    pub(super) first: FirstKey,
    /// The encoding of the key in G2, in the order of EIP-197, and the point.
    pub(super) second: Vec<u8>,
    signed: Signature<MinPkBn254>,
}

/// Operators of several quorums.
pub(super) struct Operators {
    /// By quorum.
    pub(super) lists: Vec<Vec<Operator>>,
    /// Of all who are in one of the quorums.
    pub(super) keys: HashMap<Id, Keys>,
}

/// A log, as `eth_getLogs` answers it.
#[derive(Deserialize)]
struct Log {
    topics: Vec<String>,
    data: String,
}

/// What a contract returned, in words.
struct Returned(Vec<u8>);

impl Operators {
    /// Reads the operators of so many quorums, and their keys.
    pub(super) fn read(path: &Path, keys: &[PathBuf], quorums: usize) -> Result<Self, Error> {
        let lists = Returned::read(path)?.lists(path, quorums)?;
        let registered = registered(keys)?;
        let mut known = HashMap::new();
        for (quorum, list) in lists.iter().enumerate() {
            let mut seen = HashSet::new();
            for (number, operator) in list.iter().enumerate() {
                let bad = |reason: String| {
                    let reason = format!("operator {}: {reason}", to_hex(&operator.id));
                    Error::field(path, format!("[{quorum}][{number}]"), reason)
                };
                if !seen.insert(operator.id) {
                    return Err(bad("it is in the quorum twice".into()));
                }
                let found = registered.get(&(operator.address, operator.id)).ok_or_else(|| {
                    let [id, address] = [&operator.id[..], &operator.address].map(to_hex);
                    let reason = format!("no registration of a key with the hash {id} by {address}, here or in the files before");
                    Error::file(keys.last().map_or(path, PathBuf::as_path), reason)
                })?;
                if let Entry::Vacant(place) = known.entry(operator.id) {
                    place.insert(Keys::of(found).map_err(bad)?);
                }
            }
        }
        let operators = Self { lists, keys: known };
        operators.check_pairs(path)?;
        Ok(operators)
    }

    /// The sum of the keys in G1 of a quorum.
    pub(super) fn sum(&self, quorum: usize) -> Option<FirstKey> {
        let keys = self.lists[quorum].iter().map(|operator| self.keys[&operator.id].first);
        PublicKey::sum(&keys.collect::<Vec<_>>())
    }

    /// Checks that the keys of each operator in G1 and in G2 have one secret: the key in G2 is a signature on the generator of G2
    /// by the key in G1. All at once, with coefficients that nobody could choose keys for.
    pub(super) fn check_pairs(&self, path: &Path) -> Result<(), Error> {
        let mut all: Vec<_> = self.keys.iter().collect();
        all.sort_unstable_by_key(|(id, _)| **id);
        let seed = all.iter().flat_map(|(id, keys)| [&id[..], &keys.second].concat());
        let seed = sha256(&seed.collect::<Vec<_>>());
        let coefficient = |number: usize| {
            let hash = sha256(&[&seed[..], &number.to_le_bytes()].concat());
            hash.first_chunk().map_or(1, |half| u128::from_le_bytes(*half))
        };
        let coefficients: Vec<_> = (0..all.len()).map(coefficient).collect();
        let signed: Vec<_> = all.iter().map(|(_, keys)| (keys.signed, keys.first)).collect();
        let generator = SignedPoint::default();
        let found = (!signed.is_empty())
            .then(|| Signature::discrepancy(&generator, &signed, &coefficients, Sign::Plus));
        if found.is_none_or(|found| found == MinPkBn254::one()) {
            return Ok(());
        }
        let bad = all.iter().find(|(_, keys)| !generator.is_signed(&keys.first, &keys.signed));
        let id = bad.map(|(id, _)| to_hex(&id[..])).unwrap_or_default();
        let reason = format!("operator {id}: its registered keys in G1 and G2 have not one secret");
        Err(Error::file(path, reason))
    }
}

impl Keys {
    /// Reads what was registered: a key in G1, and one in G2.
    pub(super) fn of(registered: &[u8; BOTH]) -> Result<Self, String> {
        let (first, second) = registered.split_at(FIRST);
        let bad =
            |group: &'static str| move |rule| format!("its registered key in {group}: {rule}");
        let read = FirstKey::from_bytes(first).map_err(bad("G1"))?;
        let signed = Signature::from_bytes(second).map_err(bad("G2"))?;
        Ok(Self { first: read, second: second.to_vec(), signed })
    }
}

/// All registrations, by the operator's address and the hash of the key in G1. Other events are none of them.
fn registered(paths: &[PathBuf]) -> Result<Registry, Error> {
    let event = to_hex(&keccak256(EVENT));
    let mut all = Registry::new();
    for path in paths {
        let logs: Vec<Log> = answer(path, &input::read(path, LIMIT)?)?;
        for (number, Log { topics, data }) in logs.iter().enumerate() {
            if topics.first().is_none_or(|topic| !topic.eq_ignore_ascii_case(&event)) {
                continue;
            }
            let bad = |field: &str, reason: &str| {
                Error::field(path, format!("[{number}].{field}"), reason.to_owned())
            };
            let [_, operator] = &topics[..] else {
                return Err(bad("topics", "not the event and an operator"));
            };
            let operator: [u8; WORD] =
                from_hex_exact(operator).map_err(|reason| bad("topics[1]", &reason))?;
            let address = address(&operator).ok_or_else(|| bad("topics[1]", "not an address"))?;
            let keys: [u8; BOTH] = from_hex_exact(data).map_err(|reason| bad("data", &reason))?;
            all.insert((address, keccak256(&keys[..FIRST])), keys);
        }
    }
    Ok(all)
}

fn address(word: &[u8; WORD]) -> Option<Address> {
    word.strip_prefix(&[0; 12])?.try_into().ok()
}

impl Returned {
    /// An answer of `eth_call`, or the bytes in hex alone.
    fn read(path: &Path) -> Result<Self, Error> {
        let bytes = input::read(path, LIMIT)?;
        let text = input::text(path, &bytes)?.trim();
        let is_hex = text.starts_with("0x");
        let result: String = if is_hex { text.to_owned() } else { answer(path, &bytes)? };
        from_hex(&result).map(Self).map_err(|reason| Error::file(path, reason))
    }

    /// The lists of operators, one for each quorum.
    fn lists(&self, path: &Path, quorums: usize) -> Result<Vec<Vec<Operator>>, Error> {
        let bad = |reason: String| Error::file(path, reason);
        let no_lists = || bad("not lists of operators, as getOperatorState returns them".into());
        let start = self.place(0).ok_or_else(no_lists)?;
        let count = self.place(start).ok_or_else(no_lists)?;
        if count != quorums {
            let reason = format!("the operators of {count} quorums, but the batch has {quorums}");
            return Err(bad(reason));
        }
        let start = start + WORD;
        let list = |quorum: usize| {
            let list = start + self.place(start + WORD * quorum)?;
            let (count, first) = (self.place(list)?, list + WORD);
            // More are not read.
            let most = count.min(MAX_OPERATORS + 1);
            (0..most).map(|number| self.operator(first + ENTRY * number)).collect()
        };
        let lists: Option<Vec<Vec<_>>> = (0..quorums).map(list).collect();
        let lists = lists.ok_or_else(no_lists)?;
        match lists.iter().position(|list| list.len() > MAX_OPERATORS) {
            Some(quorum) => Err(bad(format!("[{quorum}]: more than {MAX_OPERATORS} operators"))),
            None => Ok(lists),
        }
    }

    fn operator(&self, at: usize) -> Option<Operator> {
        let (address, stake) = (address(self.word(at)?)?, self.number(at + 2 * WORD)?);
        let stake = Some(stake).filter(|stake| stake >> 96 == 0)?;
        Some(Operator { address, id: *self.word(at + WORD)?, stake })
    }

    fn word(&self, at: usize) -> Option<&[u8; WORD]> {
        self.0.get(at..)?.first_chunk()
    }

    fn number(&self, at: usize) -> Option<u128> {
        let half = self.word(at)?.strip_prefix(&[0; 16])?;
        half.try_into().ok().map(u128::from_be_bytes)
    }

    /// A length or a place, which is within what was returned.
    fn place(&self, at: usize) -> Option<usize> {
        let place = usize::try_from(self.number(at)?).ok()?;
        (place <= self.0.len()).then_some(place)
    }
}
