//! What a relayer is told before it begins.

use std::{
    fs,
    path::{Path, PathBuf},
};

use alloy_primitives::Address;
use serde::{de::Error, Deserialize, Deserializer};

use crate::fault::Fault;

/// The file with the configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// A node of the chain with the client.
    pub(crate) chain: String,
    /// The client.
    #[serde(deserialize_with = "address")]
    pub(crate) client: Address,
    /// The application that acts on what the client believes, if there is one.
    #[serde(default, deserialize_with = "some_address")]
    pub(crate) receiver: Option<Address>,
    /// Who pays.
    #[serde(deserialize_with = "address")]
    pub(crate) from: Address,
    /// The options by which `cast send` signs for it, such as `--account NAME --password-file FILE`.
    pub(crate) account: Vec<String>,
    /// The most that is paid for each gas, in wei; without it, whatever it takes.
    pub(crate) max_fee_per_gas: Option<u64>,
    /// A node of the network that is followed, or the folder with its messages.
    pub(crate) source: String,
    /// Other nodes of that network, for the watcher alone.
    #[serde(default)]
    pub(crate) witnesses: Vec<String>,
    /// The block in which the client was deployed, or one before it; for the watcher alone.
    #[serde(default)]
    pub(crate) since: u64,
    /// Keys for signatures.
    pub(crate) signature_keys: PathBuf,
    /// Keys for translations.
    pub(crate) translation_keys: Option<PathBuf>,
    /// A folder of the relayer's own. What it holds can be lost without harm, while no relayer runs.
    pub(crate) work: PathBuf,
    /// The program `muster`.
    #[serde(default = "muster")]
    pub(crate) muster: PathBuf,
    /// The program `cast`.
    #[serde(default = "cast")]
    pub(crate) cast: PathBuf,
    /// The guardians to begin with; for Wormhole alone.
    pub(crate) first: Option<FirstGuardians>,
}

/// The guardian set with which a client began.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstGuardians {
    pub(crate) index: u32,
    #[serde(deserialize_with = "addresses")]
    pub(crate) addresses: Vec<Address>,
}

fn address<'de, D: Deserializer<'de>>(from: D) -> Result<Address, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

fn some_address<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Address>, D::Error> {
    address(from).map(Some)
}

fn addresses<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Address>, D::Error> {
    let list = Vec::<String>::deserialize(from)?;
    list.iter().map(|one| one.parse().map_err(D::Error::custom)).collect()
}

fn muster() -> PathBuf {
    "muster".into()
}

fn cast() -> PathBuf {
    "cast".into()
}

impl Config {
    /// Reads the file, looks for the keys, and makes the folder.
    pub(crate) fn read(path: &Path) -> Result<Self, Fault> {
        let bad =
            |reason: &dyn std::fmt::Display| Fault::Config(format!("{}: {reason}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| bad(&error))?;
        let config: Self = serde_json::from_str(&text).map_err(|error| bad(&error))?;
        for (field, keys) in [
            ("signature_keys", Some(&config.signature_keys)),
            ("translation_keys", config.translation_keys.as_ref()),
        ] {
            if let Some(keys) = keys.filter(|keys| !keys.join("proving.key").exists()) {
                return Err(bad(&format!("{field}: no keys in {}", keys.display())));
            }
        }
        fs::create_dir_all(&config.work)
            .map_err(|error| bad(&format!("work: {}: {error}", config.work.display())))?;
        Ok(config)
    }
}
