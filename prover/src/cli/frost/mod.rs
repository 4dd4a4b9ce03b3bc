//! `muster frost`: ceremonies of FROST, a command a participant and step.

use std::path::PathBuf;

use clap::Subcommand;
use muster_circuits::Scheme;
use muster_threshold::frost::{unique, Commitment, Package, Suite, SuiteName, SuiteVisitor};

use super::Report;
use crate::{
    encoding::{from_hex, message_from_bytes},
    files::frost::CommitmentFile,
    Error,
};

mod aggregate;
mod commit;
mod dkg;
mod keygen;
mod refresh;
mod repair;
mod sign;
mod sweep;

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

Suites: ed25519, ristretto255, ed448, p256, secp256k1, secp256k1-tr (BIP-340), and babyjubjub, whose
signatures are those of schnorr-babyjubjub.")]
pub(super) struct FrostArgs {
    #[command(subcommand)]
    command: FrostCommand,
}

#[derive(Debug, Subcommand)]
enum FrostCommand {
    Keygen(keygen::KeygenArgs),
    Dkg(dkg::DkgArgs),
    Commit(commit::CommitArgs),
    Sign(sign::SignArgs),
    Aggregate(aggregate::AggregateArgs),
    Refresh(refresh::RefreshArgs),
    Repair(repair::RepairArgs),
    Sweep(sweep::SweepArgs),
}

pub(super) fn run(args: &FrostArgs) -> Result<Report, Error> {
    match &args.command {
        FrostCommand::Keygen(args) => keygen::run(args),
        FrostCommand::Dkg(args) => dkg::run(args),
        FrostCommand::Commit(args) => commit::run(args),
        FrostCommand::Sign(args) => sign::run(args),
        FrostCommand::Aggregate(args) => aggregate::run(args),
        FrostCommand::Refresh(args) => refresh::run(args),
        FrostCommand::Repair(args) => repair::run(args),
        FrostCommand::Sweep(args) => sweep::run(args),
    }
}

/// A command whose work is the same in every suite.
trait Step {
    fn run<C: Suite>(&self) -> Result<Report, Error>;
}

struct In<'a, S>(&'a S);

impl<S: Step> SuiteVisitor for In<'_, S> {
    type Output = Result<Report, Error>;

    fn visit<C: Suite>(self) -> Self::Output {
        self.0.run::<C>()
    }
}

/// Runs a command in the suite of its files.
fn run_in(suite: SuiteName, step: &impl Step) -> Result<Report, Error> {
    suite.visit(In(step))
}

/// A message on the command line. A bare vector would be taken for an option that comes several
/// times.
#[derive(Clone, Debug)]
struct Bytes(Vec<u8>);

fn bytes(text: &str) -> Result<Bytes, String> {
    from_hex(text).map(Bytes).map_err(String::from)
}

/// What signers and coordinator both read: the message and everybody's commitments.
#[derive(Debug, clap::Args)]
struct PackageArgs {
    /// Commitments of all who sign, this member's among them.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    commitments: Vec<PathBuf>,
    /// What is signed, in 0x hex: any bytes; in the suite babyjubjub an integer of 32 bytes,
    /// big-endian, below the modulus.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Bytes,
}

impl PackageArgs {
    fn read<C: Suite>(&self) -> Result<Package<C>, Error> {
        let Bytes(message) = &self.message;
        if C::NAME == SuiteName::BabyJubjub {
            // Other bytes would be hashed: no message of the scheme.
            let usage = |reason| Error::Usage(format!("--message: {reason}"));
            let length = format!("expected 32 bytes, found {}", message.len());
            let word = message.as_slice().try_into().map_err(|_| usage(length.into()))?;
            message_from_bytes(Scheme::Schnorr, word).map_err(usage)?;
        }
        let commitments = self.commitments.iter().map(|path| CommitmentFile::read::<C>(path));
        let commitments = commitments.collect::<Result<Vec<(_, Commitment<C>)>, Error>>()?;
        Ok(Package::new(unique(commitments)?, message))
    }
}
