//! What the commands about the light client have in common.

use std::path::PathBuf;

use clap::ArgGroup;
use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_evm::{
    bridge::{BridgeFault, ChainId, Client, Epoch, Form, Scope, ValidUntil},
    verifier::KeyName,
};
use muster_prover::{encoding::field_to_hex, files::weight::to_json};
use muster_schemes::decimal;
use serde_json::{json, Value};

use crate::{
    on_chain::ChainKey,
    options::SeatsArg,
    root::TreeOfArgs,
    values::{bytes, bytes_of, field_element, Bytes},
    Error,
};

/// Greatest length of a payload's file.
const PAYLOAD_LIMIT: u64 = 1 << 20;

/// Who signs, and for which light client.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("in-office").required(true).args(["root", "current"]))]
#[command(group = ArgGroup::new("verified-under").required(true).args(["key", "keys"]))]
pub(crate) struct ScopeArgs {
    /// Id of the chain that the messages come from.
    #[arg(long, value_name = "ID")]
    source_chain: ChainId,
    /// Id of the light client's chain.
    #[arg(long, value_name = "ID")]
    chain: ChainId,
    /// Address of the light client.
    #[arg(long, value_name = "ADDRESS")]
    client: Client,
    /// Epoch of the committee in office.
    #[arg(long, value_name = "E", value_parser = epoch)]
    epoch: Epoch,
    /// Name of the key that proofs of the committee in office are verified under, instead of --keys.
    #[arg(long, value_name = "HEX")]
    key: Option<KeyName>,
    /// Key-set root of the committee in office.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    root: Option<Fr>,
    /// File of the committee in office, instead of its root.
    #[arg(long, value_name = "FILE")]
    current: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seats: SeatsArg,
    #[command(flatten)]
    tree: TreeOfArgs,
    /// Last second of Unix time in which the light client takes what is signed; 0: for ever.
    #[arg(long, value_name = "SECONDS", value_parser = valid_until)]
    pub(crate) valid_until: ValidUntil,
}

impl ScopeArgs {
    /// The keys, if they are given.
    pub(crate) fn keys(&self) -> Result<Option<ChainKey>, Error> {
        self.tree.keys.as_deref().map(|keys| ChainKey::load("--keys", keys)).transpose()
    }

    /// The scope; `keys` are those of the arguments.
    pub(crate) fn scope(&self, keys: Option<&ChainKey>) -> Result<Scope, Error> {
        keys.map(|keys| form("--keys", keys)).transpose()?;
        let name = self.key.or(keys.map(ChainKey::name));
        let of_file = |path: &PathBuf| {
            let key = keys.map(ChainKey::key);
            let file = self.tree.committee(key, path, self.seats.seats().into())?;
            if key.is_none() {
                Form::of_suite(file.scheme.suite())
                    .map_err(|fault| Error::field(path, "scheme", fault))?;
            }
            Ok::<_, Error>(self.tree.tree(key, path, &file)?.root())
        };
        let in_office = self.current.as_ref().map(of_file).transpose()?.or(self.root);
        if in_office.is_some_and(|root| bool::from(root.is_zero())) {
            return Err(bad_argument("--root", &BridgeFault::ZeroRoot));
        }
        let missing = |option: &str| Error::usage(format!("{option}: missing"));
        Ok(Scope {
            source_chain: self.source_chain,
            destination_chain: self.chain,
            client: self.client,
            epoch: self.epoch,
            key: name.ok_or_else(|| missing("--key"))?,
            root: in_office.ok_or_else(|| missing("--root"))?,
        })
    }
}

/// How the keys of an option take a digest that a light client has signed.
pub(crate) fn form(option: &str, keys: &ChainKey) -> Result<Form, Error> {
    Form::of(keys.key().shape()).map_err(|fault| bad_argument(option, &fault))
}

/// The payload of a message.
#[derive(Debug, clap::Args)]
pub(crate) struct PayloadArgs {
    /// Payload of the message.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    payload: Option<Bytes>,
    /// File whose bytes are the payload.
    #[arg(long, value_name = "FILE", conflicts_with = "payload")]
    payload_file: Option<PathBuf>,
}

impl PayloadArgs {
    /// Whether one is given.
    pub(crate) fn is_given(&self) -> bool {
        self.payload.is_some() || self.payload_file.is_some()
    }

    /// The payload, if there is one.
    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, Error> {
        bytes_of(self.payload.as_ref(), self.payload_file.as_deref(), PAYLOAD_LIMIT)
    }
}

pub(crate) fn epoch(text: &str) -> Result<Epoch, String> {
    let number = decimal::read(text).map_err(|reason| reason.to_string())?;
    Epoch::new(number).map_err(|fault| fault.to_string())
}

pub(crate) fn valid_until(text: &str) -> Result<ValidUntil, String> {
    decimal::read(text).map(ValidUntil::from_seconds).map_err(|reason| reason.to_string())
}

/// The scope, for programs.
pub(crate) fn scope_json(scope: &Scope) -> Value {
    json!({
        "source_chain": scope.source_chain.to_string(),
        "chain": scope.destination_chain.to_string(),
        "client": scope.client.to_string(),
        "epoch": to_json(scope.epoch.number().into()),
        "key": scope.key.to_string(),
        "root": field_to_hex(&scope.root),
    })
}

/// An argument that breaks a rule of the light client.
pub(crate) fn bad_argument(flag: &str, fault: &BridgeFault) -> Error {
    Error::usage(format!("{flag}: {fault}"))
}
