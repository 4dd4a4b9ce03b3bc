//! `muster bls-threshold`: any t of n signers make one BLS signature, by passing files.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Report;
use crate::{encoding::from_hex, input, Error};

mod aggregate;
mod keygen;
mod sign;
mod sweep;
mod verify;

/// Greatest length of a message's file.
const MESSAGE_LIMIT: u64 = 1 << 26;

/// Sign with a threshold of BLS signers: one key, of which every signer holds a share.
#[derive(Debug, Args)]
#[command(after_help = "Example, 2 of 3:
  muster bls-threshold keygen --threshold 2 --signers 3 --out group
  muster bls-threshold sign --secret group/secret-1.json --message 0x6869 --out share-1.json
  muster bls-threshold sign --secret group/secret-3.json --message 0x6869 --out share-3.json
  muster bls-threshold aggregate --group group/group.json share-1.json share-3.json \\
      --out signature.json
  muster bls-threshold verify signature.json --group group/group.json

A player of a weighted committee signs with all its shares (muster dkg shares):
  muster bls-threshold sign --shares key-1 --message 0x6869 --out signed-1.json")]
pub(super) struct BlsThresholdCommand {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Keygen(keygen::KeygenArgs),
    Sign(sign::SignArgs),
    Aggregate(aggregate::AggregateArgs),
    Verify(verify::VerifyArgs),
    Sweep(sweep::SweepArgs),
}

pub(super) fn run(command: BlsThresholdCommand, json: bool) -> Result<(), Error> {
    let report: Report = match command.step {
        Step::Keygen(args) => keygen::run(&args),
        Step::Sign(args) => sign::run(&args),
        Step::Aggregate(args) => aggregate::run(&args),
        Step::Verify(args) => verify::run(&args),
        Step::Sweep(args) => sweep::run(&args),
    }?;
    report.print(json);
    Ok(())
}

/// The message that is signed.
#[derive(Debug, Args)]
struct MessageArgs {
    /// The message: bytes of any number in 0x hex.
    #[arg(long, value_name = "HEX", value_parser = message)]
    message: Option<Message>,
    /// File whose bytes are the message.
    #[arg(long, value_name = "FILE", conflicts_with = "message")]
    message_file: Option<PathBuf>,
}

impl MessageArgs {
    /// The message, if there is one.
    fn read(&self) -> Result<Option<Vec<u8>>, Error> {
        match (&self.message, &self.message_file) {
            (Some(Message(bytes)), _) => Ok(Some(bytes.clone())),
            (None, Some(path)) => input::read(path, MESSAGE_LIMIT).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// Numbers of signers as people read them.
fn list(indices: &[u32]) -> String {
    indices.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// A bare vector would be taken for an option that comes several times.
#[derive(Clone, Debug)]
struct Message(Vec<u8>);

fn message(text: &str) -> Result<Message, String> {
    from_hex(text).map(Message).map_err(String::from)
}
