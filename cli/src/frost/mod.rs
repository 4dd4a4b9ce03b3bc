//! `muster frost`: ceremonies of FROST, a command a participant and step.

mod aggregate;
mod args;
mod dkg;
mod keygen;
mod refresh;
mod repair;
mod rounds;
mod sign;
mod sweep;

use clap::Subcommand;

use crate::{report::Report, Error};

pub use sweep::SweepArgs;

/// FROST threshold signatures (RFC 9591): any T members of a group sign as one. Every step reads
/// and writes JSON files, one per participant, so machines hold a ceremony by exchanging files.
/// Files with secrets are readable only by their owner.
#[derive(Debug, clap::Args)]
#[command(after_help = "A ceremony of 2 of 3, with a dealer:
  muster frost keygen --suite babyjubjub --threshold 2 --signers 3 --out keys
  muster frost commit --share keys/share-1.json --out .           (each signer)
  muster frost sign --share keys/share-1.json --nonces nonces-1.json \\
      --commitments commitment-1.json commitment-3.json --message 0x… --out signature-share-1.json
  muster frost aggregate --group keys/group.json --commitments commitment-*.json \\
      --shares signature-share-*.json --message 0x… --out signature.json
  muster frost verify signature.json --group keys/group.json --message 0x…

The coordinator, who may be any of them, collects the commitments and sends the same list to all
signers: a share made for another list is useless.

Suites: ed25519, ristretto255, ed448, p256, secp256k1, secp256k1-tr (BIP-340), and babyjubjub, whose
signatures are those of schnorr-babyjubjub.

Exit status: 0 done; 1 rejected: someone's share, proof or commitment is bad, or there are too few;
2 bad input or usage. A command that is killed may leave hidden files .muster-… behind: they may hold
secrets and must be removed. Nonces that a killed sign leaves behind must never be put back.")]
pub(crate) struct FrostArgs {
    #[command(subcommand)]
    command: FrostCommand,
}

#[derive(Debug, Subcommand)]
enum FrostCommand {
    Keygen(keygen::KeygenArgs),
    Dkg(dkg::DkgArgs),
    Check(keygen::CheckArgs),
    Commit(sign::CommitArgs),
    Sign(sign::SignArgs),
    Aggregate(aggregate::AggregateArgs),
    Verify(aggregate::VerifyArgs),
    Refresh(refresh::RefreshArgs),
    Repair(repair::RepairArgs),
    Sweep(sweep::SweepArgs),
}

pub(crate) fn run(args: &FrostArgs) -> Result<Report, Error> {
    match &args.command {
        FrostCommand::Keygen(args) => keygen::keygen(args),
        FrostCommand::Dkg(args) => dkg::run(args),
        FrostCommand::Check(args) => keygen::check(args),
        FrostCommand::Commit(args) => sign::commit(args),
        FrostCommand::Sign(args) => sign::sign(args),
        FrostCommand::Aggregate(args) => aggregate::aggregate(args),
        FrostCommand::Verify(args) => aggregate::verify(args),
        FrostCommand::Refresh(args) => refresh::run(args),
        FrostCommand::Repair(args) => repair::run(args),
        FrostCommand::Sweep(args) => sweep::run(args),
    }
}
