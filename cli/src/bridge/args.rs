//! What the commands about the light client have in common.

use std::path::PathBuf;

use clap::ArgGroup;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{MessageForm, PublicMessage, Shape};
use muster_evm::bridge::{BridgeFault, ChainId, Client, Epoch, Scope};
use muster_prover::{encoding::field_to_hex, input, VerifierKey};
use muster_schemes::decimal;
use serde_json::{json, Value};

use crate::{
    options::SeatsArg,
    root::TreeOfArgs,
    values::{bytes, field_element, Bytes},
    Error,
};

/// Greatest length of a payload's file.
const PAYLOAD_LIMIT: u64 = 1 << 20;

/// What is wrong with keys that were made with a mask: a light client gives its verifier root, threshold and digest.
const NO_MASKS: &str = "light clients do not accept statements that say who signed";

/// Who signs, and for which light client.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("in-office").required(true).args(["root", "current"]))]
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
    /// Key-set root of the committee in office.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    root: Option<Fr>,
    /// File of the committee in office, instead of its root.
    #[arg(long, value_name = "FILE")]
    current: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) seats: SeatsArg,
    #[command(flatten)]
    pub(crate) tree: TreeOfArgs,
}

impl ScopeArgs {
    /// The scope; `key` is that of the arguments about the tree.
    pub(crate) fn scope(&self, key: Option<&VerifierKey>) -> Result<Scope, Error> {
        if let Some(reason) = key.and_then(|key| unfit(key.shape())) {
            return Err(Error::usage(format!("--keys: {reason}")));
        }
        let of_file = |path: &PathBuf| {
            let file = self.tree.committee(key, path, self.seats)?;
            let suite = file.scheme.suite();
            if let Some(reason) = no_digest_of_clients(suite.form(), suite.public_message()) {
                return Err(Error::field(path, "scheme", reason));
            }
            Ok::<_, Error>(self.tree.tree(key, path, &file)?.root())
        };
        let in_office = self.current.as_ref().map(of_file).transpose()?.or(self.root);
        Ok(Scope {
            source_chain: self.source_chain,
            destination_chain: self.chain,
            client: self.client,
            epoch: self.epoch,
            key_set_root: in_office.ok_or_else(|| Error::usage("--root: missing".into()))?,
        })
    }
}

/// Why a light client takes no proofs of a shape, if it takes none.
pub(crate) fn unfit(shape: &Shape) -> Option<String> {
    let message = no_digest_of_clients(shape.message, shape.public_message());
    message.or_else(|| shape.mask.then(|| NO_MASKS.into()))
}

/// What is wrong with statements whose message is no digest that a light client has signed. One of Keccak-256 is no hash of
/// anything that somebody knows under another hash function, and no point.
fn no_digest_of_clients(form: MessageForm, message: PublicMessage) -> Option<String> {
    let what = match message {
        _ if !form.is_public() => format!("the public part is {form}"),
        PublicMessage::Point(_) => "the message is a point".into(),
        PublicMessage::Element | PublicMessage::Digest | PublicMessage::Plain => return None,
    };
    Some(format!("a light client needs the signed digest itself to be public, but here {what}"))
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
        match (&self.payload, &self.payload_file) {
            (Some(Bytes(bytes)), _) => Ok(Some(bytes.clone())),
            (None, Some(path)) => Ok(Some(input::read(path, PAYLOAD_LIMIT)?)),
            (None, None) => Ok(None),
        }
    }
}

pub(crate) fn epoch(text: &str) -> Result<Epoch, String> {
    let number = decimal::read(text).map_err(|reason| reason.to_string())?;
    Epoch::new(number).map_err(|fault| fault.to_string())
}

/// The scope, for programs.
pub(crate) fn scope_json(scope: &Scope) -> Value {
    json!({
        "source_chain": scope.source_chain.to_string(),
        "chain": scope.destination_chain.to_string(),
        "client": scope.client.to_string(),
        "epoch": scope.epoch.number(),
        "key_set_root": field_to_hex(&scope.key_set_root),
    })
}

/// An argument that breaks a rule of the light client.
pub(crate) fn bad_argument(flag: &str, fault: &BridgeFault) -> Error {
    Error::usage(format!("{flag}: {fault}"))
}
