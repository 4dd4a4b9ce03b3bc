//! `muster frost`: ceremonies of FROST, a command a participant and step.

use std::path::PathBuf;

use clap::Subcommand;
use muster_circuits::Scheme;
use muster_threshold::frost::{ceremony::StepError, SuiteName};

use super::Report;
use crate::{
    encoding::{from_hex, message_from_bytes},
    files::frost::{read_all, CommitmentFile},
    Error,
};

mod aggregate;
mod check;
mod commit;
mod dkg;
mod keygen;
mod refresh;
mod repair;
mod rounds;
mod sign;
mod sweep;
mod verify;

/// Threshold signatures by FROST (RFC 9591): any T members of a group sign as one.
///
/// Every step reads and writes JSON files, one for each participant, so that a ceremony is run between
/// machines by passing files. Files with secrets are readable by their owner only.
#[derive(Debug, clap::Args)]
#[command(after_help = "A ceremony of 2 of 3, the dealer's way:
  muster frost keygen --suite babyjubjub --threshold 2 --signers 3 --out keys
  muster frost commit --share keys/share-1.json --out .           (each signer)
  muster frost sign --share keys/share-1.json --nonces nonces-1.json \\
      --commitments commitment-1.json commitment-3.json --message 0x… --out signature-share-1.json
  muster frost aggregate --group keys/group.json --commitments commitment-*.json \\
      --shares signature-share-*.json --message 0x… --out signature.json
  muster frost verify signature.json --group keys/group.json --message 0x…

The coordinator, who may be any of them, collects the commitments and sends the same list to all
signers: a share for another list is worth nothing.

Suites: ed25519, ristretto255, ed448, p256, secp256k1, secp256k1-tr (BIP-340), and babyjubjub, whose
signatures are those of schnorr-babyjubjub.

Exit status: 0 done; 1 rejected: somebody's share, proof or commitment is bad, or they are too few;
2 bad input or usage. A command that is killed may leave hidden files .muster-… behind: they may hold
secrets, and are to be removed. Nonces that a killed sign leaves are never to be put back.")]
pub(super) struct FrostArgs {
    #[command(subcommand)]
    command: FrostCommand,
}

#[derive(Debug, Subcommand)]
enum FrostCommand {
    Keygen(keygen::KeygenArgs),
    Dkg(dkg::DkgArgs),
    Check(check::CheckArgs),
    Commit(commit::CommitArgs),
    Sign(sign::SignArgs),
    Aggregate(aggregate::AggregateArgs),
    Verify(verify::VerifyArgs),
    Refresh(refresh::RefreshArgs),
    Repair(repair::RepairArgs),
    Sweep(sweep::SweepArgs),
}

pub(super) fn run(args: &FrostArgs) -> Result<Report, Error> {
    match &args.command {
        FrostCommand::Keygen(args) => keygen::run(args),
        FrostCommand::Dkg(args) => dkg::run(args),
        FrostCommand::Check(args) => check::run(args),
        FrostCommand::Commit(args) => commit::run(args),
        FrostCommand::Sign(args) => sign::run(args),
        FrostCommand::Aggregate(args) => aggregate::run(args),
        FrostCommand::Verify(args) => verify::run(args),
        FrostCommand::Refresh(args) => refresh::run(args),
        FrostCommand::Repair(args) => repair::run(args),
        FrostCommand::Sweep(args) => sweep::run(args),
    }
}

/// The error about the file that a step's document was read from.
fn located<'a>(
    sources: impl AsRef<[(&'static str, &'a [PathBuf])]>,
) -> impl FnOnce(StepError) -> Error {
    move |error| match error {
        StepError::Frost(error) => Error::Frost(error),
        StepError::Field { input, field } => {
            let source = sources.as_ref().iter().find(|(name, _)| *name == input.name);
            match source.and_then(|(_, paths)| paths.get(input.place)) {
                Some(path) => Error::field(path, field.at, field.reason),
                None => Error::Usage(format!("--{}: {field}", input.name)),
            }
        }
    }
}

/// A message on the command line. A bare vector would be taken for an option that comes several
/// times.
#[derive(Clone, Debug)]
struct Bytes(Vec<u8>);

fn bytes(text: &str) -> Result<Bytes, String> {
    from_hex(text).map(Bytes).map_err(String::from)
}

/// What is signed.
#[derive(Debug, clap::Args)]
struct MessageArgs {
    /// What is signed, in 0x hex: any bytes; in the suite babyjubjub an integer of 32 bytes,
    /// big-endian, below the modulus.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Bytes,
}

impl MessageArgs {
    fn read(&self, suite: SuiteName) -> Result<&[u8], Error> {
        let Bytes(message) = &self.message;
        if suite == SuiteName::BabyJubjub {
            // Other bytes would be hashed: no message of the scheme.
            let usage = |reason| Error::Usage(format!("--message: {reason}"));
            let length = format!("expected 32 bytes, found {}", message.len());
            let word = message.as_slice().try_into().map_err(|_| usage(length.into()))?;
            message_from_bytes(Scheme::Schnorr, word).map_err(usage)?;
        }
        Ok(message)
    }
}

/// What signers and coordinator both read: the message and everybody's commitments.
#[derive(Debug, clap::Args)]
struct PackageArgs {
    /// Commitments of all who sign, this member's among them: the coordinator's list, the same for
    /// everybody.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    commitments: Vec<PathBuf>,
    #[command(flatten)]
    message: MessageArgs,
}

impl PackageArgs {
    fn read(&self, suite: SuiteName) -> Result<(Vec<CommitmentFile>, &[u8]), Error> {
        let message = self.message.read(suite)?;
        Ok((read_all(&self.commitments)?, message))
    }
}

/// The directory that several files go into.
#[derive(Debug, clap::Args)]
struct OutArgs {
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already. A secret is replaced by its like only.
    #[arg(long)]
    force: bool,
}
