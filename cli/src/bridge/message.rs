//! `muster message`.

use clap::ArgGroup;
use muster_evm::bridge::Message;
use muster_prover::{encoding::to_hex, files::weight::to_json};
use muster_schemes::decimal;
use serde_json::json;

use super::args::{scope_json, PayloadArgs, ScopeArgs};
use crate::{report::Report, table::table, Error};

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

pub(crate) fn run(args: &MessageArgs) -> Result<Report, Error> {
    let payload = args.payload.read()?.ok_or_else(|| Error::usage("--payload: missing".into()))?;
    let message = Message { nonce: args.nonce, payload };
    let (scope, valid_until) =
        (args.scope.scope(args.scope.keys()?.as_ref())?, args.scope.valid_until());
    let id = to_hex(&scope.message_id(&message).0);
    let digest = scope.message_digest(&message, valid_until).to_hex();
    let text = table(&[("message id", id.clone()), ("digest", digest.clone())]);
    let json = json!({
        "message_id": id,
        "digest": digest,
        "nonce": to_json(args.nonce.into()),
        "payload": to_hex(&message.payload),
        "valid_until": to_json(valid_until.seconds().into()),
        "scope": scope_json(&scope),
    });
    Ok(Report { text, json })
}
