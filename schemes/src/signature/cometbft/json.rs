//! Precommits in JSON, with the names of CometBFT's own JSON; and its numbers, times and bytes.

use serde::{de::Error, Deserialize, Deserializer, Serialize, Serializer};

use super::{
    error::PrecommitError,
    precommit::{BlockId, ChainId, Height, PartSet, Precommit, Round},
    time::Timestamp,
};

/// The fields of a precommit in a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    height: Number,
    round: Number,
    block_id: Block,
    chain_id: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    hash: String,
    parts: Parts,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    total: Number,
    hash: String,
}

/// A number, which CometBFT writes as a text if it has 64 bits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or its decimal digits as a text")]
enum Number {
    Plain(u64),
    Text(#[serde(with = "as_text")] u64),
}

mod as_text {
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    use crate::decimal;

    pub(super) fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        decimal::read(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl Number {
    fn get(&self) -> u64 {
        let (Self::Plain(number) | Self::Text(number)) = self;
        *number
    }
}

/// Reads a number.
pub(super) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    Number::deserialize(from).map(|number| number.get())
}

/// Reads a height.
pub(super) fn height<'de, D: Deserializer<'de>>(from: D) -> Result<Height, D::Error> {
    Height::new(number(from)?).map_err(D::Error::custom)
}

/// Reads a time.
pub(super) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// Reads bytes of any number, in hex.
pub(super) fn hex_bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    hex::decode(String::deserialize(from)?).map_err(|_| D::Error::custom("not bytes in hex"))
}

/// 32 bytes in hex, with or without `0x`.
fn hash(field: &'static str, text: &str) -> Result<[u8; 32], PrecommitError> {
    let mut bytes = [0; 32];
    let digits = text.strip_prefix("0x").unwrap_or(text);
    hex::decode_to_slice(digits, &mut bytes).map_err(|_| PrecommitError::Hash(field))?;
    Ok(bytes)
}

impl Fields {
    fn checked(self) -> Result<Precommit, PrecommitError> {
        let Block { hash: block, parts } = &self.block_id;
        let parts_hash = hash("block_id.parts.hash", &parts.hash)?;
        let parts = PartSet::new(parts.total.get(), parts_hash)?;
        Ok(Precommit {
            height: Height::new(self.height.get())?,
            round: Round::new(self.round.get())?,
            block_id: BlockId { hash: hash("block_id.hash", block)?, parts },
            chain_id: ChainId::new(self.chain_id)?,
        })
    }
}

impl Serialize for Precommit {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let hex = |hash: &[u8; 32]| format!("0x{}", hex::encode(hash));
        let BlockId { hash, parts } = &self.block_id;
        let total = Number::Plain(parts.total.get().into());
        let parts = Parts { total, hash: hex(&parts.hash) };
        let fields = Fields {
            height: Number::Text(self.height.get()),
            round: Number::Plain(self.round.get().into()),
            block_id: Block { hash: hex(hash), parts },
            chain_id: self.chain_id.as_str().to_owned(),
        };
        fields.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Precommit {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Fields::deserialize(from)?.checked().map_err(D::Error::custom)
    }
}
