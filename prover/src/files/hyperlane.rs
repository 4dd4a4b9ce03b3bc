//! Hyperlane: checkpoints as validators publish them, one file each. The digest is that of `CheckpointLib.sol`.

use std::path::{Path, PathBuf};

use muster_schemes::hash::keccak::keccak256;
use serde::Deserialize;

use super::imported::{addresses, eth_signed, quorum, Claimed, Imported, Importer, Said};
use crate::{
    encoding::{from_hex, hex_bytes, to_hex},
    input, Error, Number,
};

/// Greatest length of a file.
const LIMIT: u64 = 1 << 16;
/// What validators put behind the origin in the hash of their domain.
const DOMAIN: &[u8] = b"HYPERLANE";

/// Checkpoints, and whose count.
#[derive(Clone, Debug)]
pub struct Hyperlane {
    /// `checkpoint_INDEX_with_id.json` of each validator.
    pub checkpoints: Vec<PathBuf>,
    /// The addresses of the validators.
    pub validators: PathBuf,
    /// How many of them have to sign.
    pub threshold: u64,
}

#[derive(Deserialize)]
struct Signed {
    value: CheckpointWithId,
    serialized_signature: String,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
struct CheckpointWithId {
    checkpoint: Checkpoint,
    message_id: Word,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
struct Checkpoint {
    merkle_tree_hook_address: Word,
    mailbox_domain: Number<u32>,
    root: Word,
    index: Number<u32>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
struct Word(#[serde(deserialize_with = "hex_bytes::deserialize")] [u8; 32]);

impl Importer for Hyperlane {
    fn import(&self) -> Result<Imported, Error> {
        let threshold = quorum("--threshold", self.threshold)?;
        let (mut common, mut claims): (Option<(&Path, CheckpointWithId)>, _) = (None, vec![]);
        for path in &self.checkpoints {
            let signed: Signed = input::parse(path, &input::read(path, LIMIT)?)?;
            let (first, value) = *common.get_or_insert((path, signed.value));
            if value != signed.value {
                let reason = format!("another checkpoint than in {}", first.display());
                return Err(Error::field(path, "value", reason));
            }
            let signature = from_hex(&signed.serialized_signature)
                .map_err(Error::at(path, "serialized_signature"))?;
            claims.push(Claimed { who: path.display().to_string(), member: None, signature });
        }
        let (_, value) = common.ok_or_else(|| Error::Usage("no checkpoint given".into()))?;
        let CheckpointWithId { checkpoint, message_id } = value;
        let committee = addresses(&self.validators)?;
        let (origin, index) = (checkpoint.mailbox_domain.0, checkpoint.index.0);
        let mut said = Said {
            compared: vec![
                "the checkpoints of all files with one another".into(),
                "each signature with the addresses of the validators".into(),
            ],
            believed: vec![format!(
                "that these are the validators of origin {origin}, and that {threshold} of them are enough"
            )],
            threshold,
            ..Said::default()
        };
        said.say("origin", "origin", origin);
        said.say("index", "index", index);
        said.say("root", "root", to_hex(&checkpoint.root.0));
        said.say("message", "message_id", to_hex(&message_id.0));
        Imported::by_addresses(committee, value.digest(), claims, said)
    }
}

impl CheckpointWithId {
    /// What validators sign.
    fn digest(&self) -> [u8; 32] {
        let Checkpoint { merkle_tree_hook_address, mailbox_domain, root, index } = self.checkpoint;
        let origin = mailbox_domain.0.to_be_bytes();
        let domain = keccak256(&[&origin, &merkle_tree_hook_address.0[..], DOMAIN].concat());
        let index = index.0.to_be_bytes();
        let parts = [&domain, &root.0[..], &index, &self.message_id.0];
        eth_signed(&keccak256(&parts.concat()))
    }
}
