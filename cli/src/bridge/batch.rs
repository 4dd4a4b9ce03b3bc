//! `muster batch`.

use std::{io::Write, path::PathBuf};

use muster_evm::bridge::{submit_from_batch, Batch, BatchRoot, BridgeFault, Message, MessageId};
use muster_prover::{encoding::to_hex, files::weight, output::Output};
use serde_json::{json, Value};

use super::args::{scope_json, ScopeArgs};
use crate::{files::MessagesFile, report::Report, table::table, Error};

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

/// A message in a batch and its path to the root.
struct Leaf<'a> {
    message: &'a Message,
    id: MessageId,
    path: Vec<[u8; 32]>,
}

pub(crate) fn run(args: &BatchArgs) -> Result<Report, Error> {
    let output = args.out.as_ref().map(|path| Output::single(path, args.force)).transpose()?;
    let MessagesFile { messages } = MessagesFile::read(&args.messages)?;
    let (scope, valid_until) =
        (args.scope.scope(args.scope.keys()?.as_ref())?, args.scope.valid_until());
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
            output.write(&name, |file| {
                serde_json::to_writer_pretty(&mut *file, &json)?;
                file.write_all(b"\n")
            })?;
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
