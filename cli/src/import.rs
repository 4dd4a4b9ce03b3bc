//! `muster import`.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::Subcommand;
use muster_prover::{
    encoding::to_hex,
    files::{
        cometbft::{Commit, Unheld, Voter, MESSAGE_FILE},
        weight, COMMITTEE_FILE, SIGNATURES_FILE,
    },
    output::Output,
};
use serde::Serialize;
use serde_json::json;

use super::{report::Report, table::table};
use crate::Error;

/// Turn a chain's own data into a committee and signatures.
#[derive(Debug, clap::Args)]
pub(super) struct ImportCommand {
    #[command(subcommand)]
    from: From,
}

#[derive(Debug, Subcommand)]
enum From {
    Cometbft(CometbftArgs),
}

/// From a CometBFT node: its validators, and which of them signed a block.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  curl 'http://localhost:26657/commit?height=20082941' > commit.json
  curl 'http://localhost:26657/validators?height=20082941&per_page=100' > validators.json
  muster import cometbft --commit commit.json --validators validators.json --chain-id my-chain --out block
  muster check --committee block/committee.json --signatures block/signatures.json \\
      --threshold '>2/3' --message-form cometbft-precommit

Writes committee.json, signatures.json and message.json. The last is the precommit that everyone signed,
except for their times; `muster verify --precommit` takes it. The header must have the hash that was
signed, and the validators must have the hash in the header. Every signature is verified, for the block and
for nil: if one is bad, its validator is named, and the exit status is 1. Validators who sent nothing or
voted for nil are named.

A set cannot hold some keys that a chain accepts: those of a type other than Ed25519, of small order, off
the curve, or whose secret is public knowledge. Their validators are left out and named, whatever they
signed; their power still counts towards the total that '>2/3' refers to. Whether these are the validators
that the chain should have is not checked: anyone can make up validators who sign a header of their own.")]
struct CometbftArgs {
    /// Response of /commit.
    #[arg(long, value_name = "FILE")]
    commit: PathBuf,
    /// Response of /validators at the same height; if it has several pages, all of them in order.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    validators: Vec<PathBuf>,
    /// Chain id that the commit must have.
    #[arg(long, value_name = "ID")]
    chain_id: Option<String>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(command: &ImportCommand) -> Result<Report, Error> {
    match &command.from {
        From::Cometbft(args) => cometbft(args),
    }
}

fn cometbft(args: &CometbftArgs) -> Result<Report, Error> {
    let names = [COMMITTEE_FILE, SIGNATURES_FILE, MESSAGE_FILE];
    let mut output = Output::new(&args.out, &names, args.force)?;
    let commit = Commit::read(&args.commit, &args.validators, args.chain_id.as_deref())?;
    let Commit { committee, precommit, signatures, .. } = &commit;
    output.write(COMMITTEE_FILE, |file| committee.write(file))?;
    output.write(SIGNATURES_FILE, |file| write(file, &signatures.to_json()))?;
    output.write(MESSAGE_FILE, |file| write(file, precommit))?;
    output.commit()?;
    Ok(report(&commit, &args.out))
}

fn report(commit: &Commit, out: &Path) -> Report {
    let Commit { committee, precommit, signatures, absent, nil, left_out } = commit;
    let members = committee.committee.members();
    let signing = signatures.signatures.members();
    let weight: u64 = signing.iter().map(|member| members[*member].weight).sum();
    let (total, digest) = (committee.weight_of_all(), to_hex(&precommit.digest()));
    let (height, chain) = (precommit.height.get(), &precommit.chain_id);
    let rows = [
        ("chain", chain.to_string()),
        ("height", height.to_string()),
        ("digest", digest.clone()),
        ("validators", (members.len() + left_out.len()).to_string()),
        ("signed", format!("{}, with power {weight} of {total}", signing.len())),
        ("voted for no block", list(nil, voter)),
        ("absent", list(absent, voter)),
        ("left out", list(left_out, unheld)),
    ];
    let text = format!("{}\n{}", out.display(), table(&rows));
    let voters = |voters: &[Voter]| {
        let one =
            |Voter { member, address }: &Voter| json!({ "member": member, "address": address });
        voters.iter().map(one).collect::<Vec<_>>()
    };
    let unheld = left_out.iter().map(|Unheld { validator, address, power, reason }| {
        let power = weight::to_json((*power).into());
        json!({ "validator": validator, "address": address, "power": power, "reason": reason })
    });
    let json = json!({
        "chain_id": chain.as_str(),
        "height": height,
        "digest": digest,
        "validators": members.len() + left_out.len(),
        "signing": signing,
        "weight": weight::to_json(weight.into()),
        "total_weight": weight::to_json(total),
        "nil": voters(nil),
        "absent": voters(absent),
        "left_out": unheld.collect::<Vec<_>>(),
        "committee": out.join(COMMITTEE_FILE),
        "signatures": out.join(SIGNATURES_FILE),
        "message": out.join(MESSAGE_FILE),
    });
    Report { text, json }
}

fn write(file: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *file, value)?;
    file.write_all(b"\n")
}

/// All in words, or that there are none.
fn list<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    if all.is_empty() {
        "nobody".to_owned()
    } else {
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

fn voter(Voter { member, address }: &Voter) -> String {
    format!("member {member} ({address})")
}

fn unheld(Unheld { validator, address, power, reason }: &Unheld) -> String {
    format!("validator {validator} ({address}, power {power}): {reason}")
}
