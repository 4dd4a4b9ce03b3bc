//! Updates as a beacon node answers.

use alloy_primitives::{keccak256, B256};
use serde_json::Value;

use super::abi::Header;
use crate::fault::Fault;

/// An update, signed by whomever.
#[derive(Clone, Debug)]
pub(super) struct Update {
    /// The answer.
    pub(super) text: String,
    pub(super) attested: Header,
    pub(super) finalized: Header,
    pub(super) finality_branch: Vec<B256>,
    pub(super) signature_slot: u64,
    /// The next committee, if the update names it.
    pub(super) next: Option<Next>,
}

/// The next committee, and its way to the attested state.
#[derive(Clone, Debug)]
pub(super) struct Next {
    pub(super) keys: Vec<String>,
    pub(super) branch: Vec<B256>,
}

impl Update {
    /// One object, or a list of one.
    pub(super) fn read(text: &str) -> Result<Self, Fault> {
        let mut answer: Value = serde_json::from_str(text)
            .map_err(|error| Fault::Source(format!("update: {error}")))?;
        if let Some(first) = answer.get_mut(0) {
            answer = first.take();
        }
        let data = &answer["data"];
        let read = || {
            let keys = data["next_sync_committee"]["pubkeys"].as_array();
            let next = keys.map(|keys| {
                let keys = keys.iter().map(|key| Some(key.as_str()?.to_owned()));
                let branch = words(&data["next_sync_committee_branch"])?;
                Some(Next { keys: keys.collect::<Option<_>>()?, branch })
            });
            Some(Self {
                text: text.to_owned(),
                attested: header(&data["attested_header"]["beacon"])?,
                finalized: header(&data["finalized_header"]["beacon"])?,
                finality_branch: words(&data["finality_branch"])?,
                signature_slot: number(&data["signature_slot"])?,
                next: match next {
                    None => None,
                    Some(next) => Some(next?),
                },
            })
        };
        read().ok_or_else(|| Fault::Source("update: not one with a final block".into()))
    }

    /// Tells answers apart.
    pub(super) fn name(&self) -> String {
        hex::encode(&keccak256(&self.text)[..8])
    }
}

fn number(value: &Value) -> Option<u64> {
    value.as_str()?.parse().ok()
}

fn word(value: &Value) -> Option<B256> {
    value.as_str()?.parse().ok()
}

fn words(value: &Value) -> Option<Vec<B256>> {
    value.as_array()?.iter().map(word).collect()
}

fn header(value: &Value) -> Option<Header> {
    Some(Header {
        slot: number(&value["slot"])?,
        proposerIndex: number(&value["proposer_index"])?,
        parentRoot: word(&value["parent_root"])?,
        stateRoot: word(&value["state_root"])?,
        bodyRoot: word(&value["body_root"])?,
    })
}
