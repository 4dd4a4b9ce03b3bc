//! `muster pvss`: a secret shared so that anyone can check it, by passing files.

mod args;
mod deal;
mod open;
mod session;
mod srs;
mod sweep;

use clap::Subcommand;

use crate::{report::Report, Error};

pub(super) use args::{open_keys, read_dealing, warn_if_insecure, OutArgs, TableArgs};
pub(super) use deal::{deal, DealArgs};
pub(super) use open::read_sum;
pub(super) use session::BoundsArgs;

/// Share a secret by weight, so that anyone can check the dealing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example, 4 of 6 shares among three players:
  muster pvss srs make --insecure --powers 64 --out s.srs
  muster pvss keygen --out keys-1                (each player)
  muster pvss session --keys keys-1/public.json keys-2/public.json keys-3/public.json \\
      --weights 2,1,3 --threshold 4 --epoch 7 --srs s.srs --out session.json
  muster pvss deal --session session.json --keys keys-1 --out transcript-1.bin
  muster pvss verify --session session.json transcript-1.bin
  muster pvss aggregate --session session.json transcript-1.bin transcript-2.bin --out sum.bin
  muster pvss decrypt --session session.json --keys keys-1 --sum sum.bin --out shares-1.json
  muster pvss reconstruct --session session.json --sum sum.bin shares-1.json shares-3.json \\
      --out secret.json

To make a key that nobody holds, see muster dkg.")]
pub(crate) struct PvssCommand {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Srs(srs::SrsArgs),
    Keygen(session::KeygenArgs),
    Session(session::SessionArgs),
    Deal(DealArgs),
    Verify(deal::VerifyArgs),
    Inspect(deal::InspectArgs),
    Aggregate(deal::AggregateArgs),
    Decrypt(open::DecryptArgs),
    Reconstruct(open::ReconstructArgs),
    Sweep(sweep::SweepArgs),
}

pub(crate) fn run(command: &PvssCommand) -> Result<Report, Error> {
    match &command.step {
        Step::Srs(args) => srs::run(args),
        Step::Keygen(args) => session::keygen(args),
        Step::Session(args) => session::session(args),
        Step::Deal(args) => deal(args),
        Step::Verify(args) => deal::verify(args),
        Step::Inspect(args) => deal::inspect(args),
        Step::Aggregate(args) => deal::aggregate(args),
        Step::Decrypt(args) => open::decrypt_shares(args),
        Step::Reconstruct(args) => open::reconstruct_secret(args),
        Step::Sweep(args) => sweep::run(args),
    }
}
