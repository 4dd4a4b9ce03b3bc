//! `muster message` and `muster batch`: what the committee in office signs for one message, or for many at once.

use std::path::PathBuf;

use clap::ArgGroup;
use muster_evm::bridge::{submit_from_batch, Batch, BatchRoot, BridgeFault, Message, MessageId};
use muster_prover::{encoding::to_hex, files::weight, output::Output};
use muster_schemes::decimal;
use serde_json::{json, Value};

use super::args::{scope_json, PayloadArgs, ScopeArgs};
use crate::{
    files::{write_pretty, MessagesFile},
    report::Report,
    table::table,
    Error,
};

/// Print what the committee in office signs for one message.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("content").required(true).args(["payload", "payload_file"]))]
#[command(after_help = "Examples:
  muster message --nonce 7 --payload 0x6d7573746572 --valid-until 0 --epoch 1 --root 0x… --key 0x… \\
      --source-chain 1 --chain 10 --client 0x…
  muster message --nonce 7 --payload-file payload.bin --valid-until 1800000000 --epoch 1 \\
      --current committee.json --keys keys --source-chain 1 --chain 10 --client 0x… --json

The committee signs the digest. The proof goes to the light client's submit: see muster
calldata --for submit.")]
pub(crate) struct MessageArgs {
    /// Number that the source chain gives the message.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u64>)]
    nonce: u64,
    #[command(flatten)]
    payload: PayloadArgs,
    #[command(flatten)]
    scope: ScopeArgs,
}

/// Print what the committee in office signs for many messages at once, and each message's path.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster batch messages.json --valid-until 0 --epoch 1 --root 0x… --key 0x… \\
      --source-chain 1 --chain 10 --client 0x…
  muster batch messages.json --valid-until 1800000000 --epoch 1 --current committee.json --keys keys \\
      --source-chain 1 --chain 10 --client 0x… --out batch.json

messages.json: {\"messages\": [{\"nonce\": 7, \"payload\": \"0x…\"}, …]}

The committee signs the digest. The proof goes to the light client's submitBatch: see muster
calldata --for submit-batch. Each message's calldata is for submitFromBatch, and needs no proof.")]
pub(crate) struct BatchArgs {
    /// The messages' file.
    messages: PathBuf,
    #[command(flatten)]
    scope: ScopeArgs,
    /// File for the paths (default: standard output).
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

pub(crate) fn message(args: &MessageArgs) -> Result<Report, Error> {
    let payload = args.payload.read()?.ok_or_else(|| Error::usage("--payload: missing".into()))?;
    let message = Message { nonce: args.nonce, payload };
    let (scope, valid_until) =
        (args.scope.scope(args.scope.keys()?.as_ref())?, args.scope.valid_until);
    let id = to_hex(&scope.message_id(&message).0);
    let digest = scope.message_digest(&message, valid_until).to_hex();
    let text = table(&[("message id", id.clone()), ("digest", digest.clone())]);
    let json = json!({
        "message_id": id,
        "digest": digest,
        "nonce": weight::to_json(args.nonce.into()),
        "payload": to_hex(&message.payload),
        "valid_until": weight::to_json(valid_until.seconds().into()),
        "scope": scope_json(&scope),
    });
    Ok(Report { text, json })
}

/// A message in a batch and its path to the root.
struct Leaf<'a> {
    message: &'a Message,
    id: MessageId,
    path: Vec<[u8; 32]>,
}

pub(crate) fn batch(args: &BatchArgs) -> Result<Report, Error> {
    let output = args.out.as_ref().map(|path| Output::single(path, args.force)).transpose()?;
    let MessagesFile { messages } = MessagesFile::read(&args.messages)?;
    let (scope, valid_until) =
        (args.scope.scope(args.scope.keys()?.as_ref())?, args.scope.valid_until);
    let ids: Vec<_> = messages.iter().map(|message| scope.message_id(message)).collect();
    let batch = Batch::new(&ids).map_err(|fault| match fault {
        BridgeFault::DuplicateMessage { second, .. } => {
            Error::field(&args.messages, format!("messages[{second}]"), fault)
        }
        _ => Error::field(&args.messages, "messages", fault),
    })?;
    let leaf = |(i, (message, &id))| Some(Leaf { message, id, path: batch.path(i)? });
    let leaves: Vec<_> = messages.iter().zip(&ids).enumerate().filter_map(leaf).collect();
    let root = batch.root();
    let digest = scope.batch_digest(&root, valid_until).to_hex();
    let rows = [
        ("batch root", to_hex(&root.0)),
        ("digest", digest.clone()),
        ("messages", leaves.len().to_string()),
    ];
    let mut text = table(&rows);
    let mut json = json!({
        "batch_root": to_hex(&root.0),
        "digest": digest,
        "valid_until": weight::to_json(valid_until.seconds().into()),
        "scope": scope_json(&scope),
        "messages": leaves.iter().map(|leaf| to_json(leaf, &root)).collect::<Vec<_>>(),
    });
    match output.zip(args.out.as_ref()) {
        Some(((mut output, name), path)) => {
            output.write(&name, |file| write_pretty(file, &json))?;
            output.commit()?;
            text = format!("paths in {}\n{text}", path.display());
            json["out"] = json!(path);
        }
        None => text.extend(leaves.iter().map(to_text)),
    }
    Ok(Report { text, json })
}

fn to_json(leaf: &Leaf, root: &BatchRoot) -> Value {
    json!({
        "nonce": weight::to_json(leaf.message.nonce.into()),
        "payload": to_hex(&leaf.message.payload),
        "message_id": to_hex(&leaf.id.0),
        "path": leaf.path.iter().map(|sibling| to_hex(sibling)).collect::<Vec<_>>(),
        "calldata": to_hex(&submit_from_batch(leaf.message, root, &leaf.path)),
    })
}

fn to_text(leaf: &Leaf) -> String {
    let mut rows = vec![("message id", to_hex(&leaf.id.0))];
    rows.extend(leaf.path.iter().map(|sibling| ("path", to_hex(sibling))));
    format!("\nnonce {}\n{}", leaf.message.nonce, table(&rows))
}
