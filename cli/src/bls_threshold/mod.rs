//! `muster bls-threshold`: any t of n signers make one BLS signature, by passing files.

mod aggregate;
mod keygen;
mod sign;
mod sweep;
mod verify;

use clap::{Args, Subcommand};

use crate::{report::Report, Error};

/// Sign with a threshold of BLS signers, each of whom holds a share of one key.
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
pub(crate) struct BlsThresholdCommand {
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

pub(crate) fn run(command: &BlsThresholdCommand) -> Result<Report, Error> {
    match &command.step {
        Step::Keygen(args) => keygen::run(args),
        Step::Sign(args) => sign::run(args),
        Step::Aggregate(args) => aggregate::run(args),
        Step::Verify(args) => verify::run(args),
        Step::Sweep(args) => sweep::run(args),
    }
}
