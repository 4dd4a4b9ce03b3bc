//! What a CometBFT node answers on `/validators` and `/commit`, as a committee and its signatures; and precommits in
//! files of their own.

mod commit;
mod entry;
mod together;
mod validators;

pub use commit::Commit;
pub use entry::{Unheld, Voter};

use std::path::{Path, PathBuf};

use muster_circuits::{MessageForm, PointHash, Rule, Scheme};
use muster_schemes::{hash::sha256::sha256, signature::cometbft::Precommit};
use serde_json::{json, Value};

use super::{
    imported::{Imported, Importer, Said},
    weight,
};
use crate::{encoding::to_hex, input, Error};

/// Name of the file with the precommit.
pub const MESSAGE_FILE: &str = "message.json";
/// Greatest length of a precommit's file.
const PRECOMMIT_LIMIT: u64 = 1 << 16;

/// A commit, and the validators at its height.
#[derive(Clone, Debug)]
pub struct Cometbft {
    /// The answer of `/commit`.
    pub commit: PathBuf,
    /// The pages of `/validators`, in order.
    pub validators: Vec<PathBuf>,
    /// The expected chain, if that is known.
    pub chain_id: Option<String>,
}

impl Importer for Cometbft {
    const HAS_MESSAGE: bool = true;

    fn import(&self) -> Result<Imported, Error> {
        let commit = Commit::read(&self.commit, &self.validators, self.chain_id.as_deref())?;
        let Commit { committee, precommit, signatures, absent, nil, unheld } = commit;
        let (empty, left_out): (Vec<_>, Vec<_>) =
            unheld.into_iter().partition(|one| one.member.is_some());
        let members = committee.committee.members();
        let signing = signatures.signatures.members();
        let weight: u64 = signing.iter().map(|member| members[*member].weight).sum();
        let (validators, total) = (members.len() + left_out.len(), committee.weight_of_all());
        let (height, chain) = (precommit.height.get(), precommit.chain_id.to_string());
        // What each signs with a time of its own, or what all sign.
        let is_together = signatures.scheme != Scheme::Ed25519;
        let (digest, options) = if is_together {
            let signed = precommit.signed_bytes_together();
            let form = MessageForm::Sha256 { most: signed.len() };
            let choices =
                format!("--rule {} --hash {}", Rule::TrustedKeys.name(), PointHash::Basic);
            (sha256(&signed), format!(" {choices} --message-form {form}"))
        } else {
            (precommit.digest(), " --message-form cometbft-precommit".to_owned())
        };
        let json = json!({
            "signing": signing,
            "weight": weight::to_json(weight.into()),
            "total_weight": weight::to_json(total),
            "nil": nil,
            "absent": absent,
            "empty": empty.iter().map(unheld_json).collect::<Vec<_>>(),
            "left_out": left_out.iter().map(unheld_json).collect::<Vec<_>>(),
        });
        let mut compared = vec![
            "the hash of the header with what was signed".to_owned(),
            "the hash of the validators with the header".into(),
        ];
        let mut believed = vec!["that the chain has these validators".to_owned()];
        if is_together {
            compared.push("the sum of the signatures with the keys of the validators in it".into());
            believed.push(
                "that the chain lets nobody in who does not know the secret of their key".into(),
            );
        } else {
            compared.push("each signature with the key of its validator".into());
        }
        match &self.chain_id {
            Some(_) => compared.push("the chain of the header with the one expected".into()),
            None => believed.push(format!("that {chain} is the chain: --chain-id compares it")),
        }
        let message = serde_json::to_value(&precommit).map_err(|error| {
            Error::file(&self.commit, format!("its precommit is no JSON: {error}"))
        })?;
        let threshold = ">2/3".into();
        let mut said = Said { threshold, options, json, compared, believed, ..Said::default() };
        said.say("chain", "chain_id", chain);
        said.say("height", "height", height);
        said.say("digest", "digest", to_hex(&digest));
        said.say("validators", "validators", validators);
        said.rows.extend([
            ("voted for no block", list(&nil, voter)),
            ("absent", list(&absent, voter)),
            ("empty places", list(&empty, unheld_in_words)),
            ("left out", list(&left_out, unheld_in_words)),
        ]);
        let imported = Imported::new(committee, signatures, said);
        Ok(Imported { message: Some(message), ..imported })
    }
}

fn unheld_json(Unheld { validator, member, address, power, reason }: &Unheld) -> Value {
    let power = weight::to_json((*power).into());
    let mut json =
        json!({ "validator": validator, "address": address, "power": power, "reason": reason });
    if let Some(member) = member {
        json["member"] = json!(member);
    }
    json
}

/// All in words, or that there are none.
fn list<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    let all: Vec<_> = all.iter().map(one).collect();
    if all.is_empty() {
        "nobody".to_owned()
    } else {
        all.join(", ")
    }
}

fn voter(Voter { member, address }: &Voter) -> String {
    format!("member {member} ({address})")
}

fn unheld_in_words(Unheld { validator, address, power, reason, .. }: &Unheld) -> String {
    format!("validator {validator} ({address}, power {power}): {reason}")
}

/// Reads a precommit: `{"height": "…", "round": 0, "block_id": {"hash": "…", "parts": {"total": 1, "hash": "…"}},
/// "chain_id": "…"}`.
///
/// # Errors
///
/// [`Error::File`] or [`Error::Field`], or those of reading a file.
pub fn read_precommit(path: &Path) -> Result<Precommit, Error> {
    input::parse(path, &input::read(path, PRECOMMIT_LIMIT)?)
}
