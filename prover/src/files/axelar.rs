//! Axelar: a transaction to a gateway, whose signers say what it does. The format is that of `AxelarAmplifierGateway.sol` and
//! `BaseWeightedMultisig.sol` in axelar-gmp-sdk-solidity.

use std::path::{Path, PathBuf};

use muster_circuits::{KeyKind, Scheme};
use muster_schemes::{curve::weierstrass::Address, hash::keccak::keccak256};
use serde_json::{json, Value};

use super::{
    imported::{of_addresses, word, Claimed, Imported, Importer, Said, NO_QUORUM},
    reader::Reader,
    weight::to_json,
    CommitteeFile,
};
use crate::{
    encoding::{from_hex, to_hex},
    input, Error,
};

/// Greatest length of a file.
const LIMIT: u64 = 1 << 20;
/// What signers put before three words (EIP-191).
const ETH_SIGN: &[u8] = b"\x19Ethereum Signed Message:\n96";
/// What a file is.
const WHAT: &str = "the transaction";
/// The functions of a gateway that signers say something for, in the order of their commands.
const FUNCTIONS: [&str; 2] = [
    "approveMessages((string,string,string,address,bytes32)[],(((address,uint128)[],uint128,bytes32),bytes[]))",
    "rotateSigners(((address,uint128)[],uint128,bytes32),(((address,uint128)[],uint128,bytes32),bytes[]))",
];
/// Bytes of a word.
const WORD: usize = 32;
/// Bytes of the shortest message: its offset, five words, and the lengths of three strings.
const MESSAGE: usize = 9 * WORD;

/// A transaction to a gateway, and which gateway it is.
#[derive(Clone, Debug)]
pub struct Axelar {
    /// The input of the transaction, in hex.
    pub transaction: PathBuf,
    /// `domainSeparator` of the gateway.
    pub domain_separator: [u8; 32],
    /// The hash that the gateway has of its signers, if it is known.
    pub signers_hash: Option<[u8; 32]>,
}

/// What a transaction asks for.
enum Command {
    /// To approve so many messages.
    Approve(usize),
    /// To put these signers in office.
    Rotate(WeightedSigners),
}

/// Signers, as a gateway has them.
struct WeightedSigners {
    /// Accounts and weights.
    signers: Vec<([u8; 20], u128)>,
    threshold: u128,
    /// The Keccak-256 of their encoding.
    hash: [u8; 32],
}

/// A transaction in its parts.
struct Call {
    command: Command,
    /// The command in the ABI, which is signed.
    data: Vec<u8>,
    signers: WeightedSigners,
    signatures: Vec<Vec<u8>>,
}

impl Importer for Axelar {
    fn import(&self) -> Result<Imported, Error> {
        let path = &self.transaction;
        let Call { command, data, signers, signatures } = Call::read(path)?;
        let hash = signers.hash;
        if let Some(expected) = self.signers_hash.filter(|expected| *expected != hash) {
            let reason = format!("their hash is {}, not {}", to_hex(&hash), to_hex(&expected));
            return Err(Error::field(path, "proof.signers", reason));
        }
        let committee = signers.committee(path)?;
        let words = [self.domain_separator, hash, keccak256(&data)].concat();
        let digest = keccak256(&[ETH_SIGN, &words].concat());
        let claims = signatures.into_iter().enumerate().map(|(number, signature)| Claimed {
            who: format!("signature {number}"),
            member: None,
            signature,
        });
        let separator = to_hex(&self.domain_separator);
        let mut believed = vec![format!("that the gateway has the domain separator {separator}")];
        let mut compared = vec!["each signature with the addresses of the signers".to_owned()];
        match self.signers_hash {
            Some(_) => compared.push("the hash of the signers with that of the gateway".into()),
            None => believed.push("that these signers are in office".into()),
        }
        let threshold = signers.threshold.to_string();
        let mut said =
            Said { threshold, believed, compared, json: command.to_json(), ..Said::default() };
        said.rows.push(("command", command.to_string()));
        said.say("signers", "signers_hash", to_hex(&hash));
        Imported::by_addresses(committee, digest, claims.collect(), said)
    }
}

impl Call {
    /// Reads the ABI in the one encoding in which each part follows the one before, so that what was signed is a part of the transaction. A
    /// gateway takes others, too; what is behind the transaction nobody looks at.
    fn read(path: &Path) -> Result<Self, Error> {
        let bytes = input::read(path, LIMIT)?;
        let bytes = from_hex(input::text(path, &bytes)?.trim())
            .map_err(|reason| Error::file(path, reason))?;
        let mut all = Reader::new(path, WHAT, &bytes);
        let selector: [u8; 4] = all.take("function")?;
        let known = |function: &&str| keccak256(function.as_bytes()).starts_with(&selector);
        let number = FUNCTIONS.iter().position(known);
        let number = number.ok_or_else(|| {
            all.bad("function", "neither approveMessages nor rotateSigners of a gateway")
        })?;
        offset(&mut all, "first argument", 2 * WORD)?;
        let length = number_of(&mut all, "proof")?.checked_sub(2 * WORD as u128);
        let length = length.and_then(|length| usize::try_from(length).ok());
        let length = length.ok_or_else(|| all.bad("proof", "it does not follow the command"))?;
        let argument = all.bytes(length, "first argument")?;
        let mut first = Reader::new(path, WHAT, argument);
        let command = match number {
            0 => Command::Approve(count(&mut first, "messages", MESSAGE)?),
            _ => {
                let next = WeightedSigners::read(&mut first, "newSigners")?;
                if !first.rest().is_empty() {
                    return Err(first.bad("newSigners", "there is something behind them"));
                }
                Command::Rotate(next)
            }
        };
        offset(&mut all, "proof.signers", 2 * WORD)?;
        let signatures = number_of(&mut all, "proof.signatures")?;
        let before = all.rest().len();
        let signers = WeightedSigners::read(&mut all, "proof.signers")?;
        follows(&all, "proof.signatures", signatures, 2 * WORD + before - all.rest().len())?;
        let signatures = read_signatures(&mut all)?;
        let data =
            [&word(&number.to_be_bytes())[..], &word(&(2 * WORD).to_be_bytes()), argument].concat();
        Ok(Self { command, data, signers, signatures })
    }
}

/// A word with a number.
fn number_of(all: &mut Reader<'_>, field: &str) -> Result<u128, Error> {
    let word: [u8; WORD] = all.take(field)?;
    let (high, low) = word.split_at(WORD / 2);
    if high.iter().any(|byte| *byte != 0) {
        return Err(all.bad(field, "a number of more than 128 bits"));
    }
    Ok(low.iter().fold(0, |number, byte| number << 8 | u128::from(*byte)))
}

/// How many items follow, of at least so many bytes each.
fn count(all: &mut Reader<'_>, field: &str, bytes: usize) -> Result<usize, Error> {
    let (count, most) = (number_of(all, field)?, all.rest().len() / bytes);
    let fits = usize::try_from(count).ok().filter(|count| *count <= most);
    fits.ok_or_else(|| all.bad(field, format!("{count}, but there is room for {most}")))
}

/// Where something stands, which has to be here.
fn offset(all: &mut Reader<'_>, field: &str, here: usize) -> Result<(), Error> {
    let found = number_of(all, field)?;
    follows(all, field, found, here)
}

fn follows(all: &Reader<'_>, field: &str, found: u128, here: usize) -> Result<(), Error> {
    let reason = || format!("it is said to stand at {found}, and what is before it ends at {here}");
    (found == here as u128).then_some(()).ok_or_else(|| all.bad(field, reason()))
}

fn read_signatures(all: &mut Reader<'_>) -> Result<Vec<Vec<u8>>, Error> {
    let count = count(all, "proof.signatures", 2 * WORD)?;
    let at = |number: usize| format!("proof.signatures[{number}]");
    let offsets: Vec<_> =
        (0..count).map(|number| number_of(all, &at(number))).collect::<Result<_, _>>()?;
    let end = all.rest().len();
    let mut signatures = vec![];
    for (number, offset) in offsets.into_iter().enumerate() {
        let field = at(number);
        follows(all, &field, offset, WORD * count + end - all.rest().len())?;
        let length = self::count(all, &field, 1)?;
        signatures.push(all.bytes(length, &field)?.to_vec());
        let zeros = all.bytes(length.next_multiple_of(WORD) - length, &field)?;
        if zeros.iter().any(|byte| *byte != 0) {
            return Err(all.bad(&field, "there is something behind it"));
        }
    }
    Ok(signatures)
}

impl WeightedSigners {
    fn read(all: &mut Reader<'_>, at: &str) -> Result<Self, Error> {
        let field = |name: &str| format!("{at}.{name}");
        let encoded = all.rest();
        offset(all, &field("signers"), 3 * WORD)?;
        let threshold = number_of(all, &field("threshold"))?;
        let _nonce: [u8; WORD] = all.take(&field("nonce"))?;
        let count = count(all, &field("signers"), 2 * WORD)?;
        let mut signers = vec![];
        for number in 0..count {
            let field = |name: &str| format!("{at}.signers[{number}].{name}");
            let zeros: [u8; 12] = all.take(&field("signer"))?;
            if zeros != [0; 12] {
                return Err(all.bad(&field("signer"), "no address: there is something before it"));
            }
            signers.push((all.take(&field("signer"))?, number_of(all, &field("weight"))?));
        }
        let encoded = &encoded[..encoded.len() - all.rest().len()];
        let hash = keccak256(&[&word(&WORD.to_be_bytes())[..], encoded].concat());
        Ok(Self { signers, threshold, hash })
    }

    /// The signers with their weights, in the order of the list, with a threshold that they can reach.
    fn committee(&self, path: &Path) -> Result<CommitteeFile, Error> {
        let member = |(number, (account, weight)): (usize, &([u8; 20], u128))| {
            let at = |field: &str| format!("proof.signers.signers[{number}].{field}");
            let address = Address::from_bytes(*account).map_err(Error::at(path, at("signer")))?;
            Ok((address, u64::try_from(*weight).map_err(Error::at(path, at("weight")))?))
        };
        let members = self.signers.iter().enumerate().map(member);
        let members = members.collect::<Result<Vec<_>, Error>>()?;
        let committee = of_addresses(&members).map_err(Error::at(path, "proof.signers"))?;
        let total = committee.total_weight();
        let reason = match self.threshold {
            0 => NO_QUORUM.to_owned(),
            threshold if threshold > total.into() => {
                format!("{threshold}, but all signers weigh {total}")
            }
            _ => return Ok(committee),
        };
        Err(Error::field(path, "proof.signers.threshold", reason))
    }
}

impl Command {
    /// For programs: the next signers as a committee's file has them.
    fn to_json(&self) -> Value {
        let next = match self {
            Self::Approve(messages) => {
                return json!({ "command": "approve-messages", "messages": messages });
            }
            Self::Rotate(next) => next,
        };
        let member = |(account, weight): &([u8; 20], u128)| json!({ "address": to_hex(account), "weight": to_json(*weight) });
        json!({
            "command": "rotate-signers",
            "next_signers_hash": to_hex(&next.hash),
            "next_threshold": to_json(next.threshold),
            "next_committee": {
                "scheme": Scheme::EcdsaSecp256k1,
                "keys": KeyKind::Address,
                "members": next.signers.iter().map(member).collect::<Vec<_>>(),
            },
        })
    }
}

impl std::fmt::Display for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Approve(messages) => write!(f, "approve {messages} messages"),
            Self::Rotate(WeightedSigners { signers, threshold, .. }) => {
                write!(f, "rotate to {} signers, of whom {threshold} are enough", signers.len())
            }
        }
    }
}
