//! `muster dkg`: a committee with stakes makes a key that nobody ever held, by passing files.

mod demo;
mod steps;

use clap::Subcommand;

use crate::{
    pvss::{deal, DealArgs},
    report::Report,
    Error,
};

pub(crate) use demo::{Players, SharingArgs};

/// Make a BLS key for a weighted committee, without a dealer and without complaints.
#[derive(Debug, clap::Args)]
#[command(after_help = "With a session made by `muster pvss session`, each player runs:
  muster dkg deal --session session.json --keys keys-1 --out transcript-1.bin
  muster dkg collect --session session.json transcript-*.bin
Then one of them, then all, then anyone:
  muster dkg propose --session session.json --keys keys-1 transcript-*.bin --sum sum.bin \\
      --out proposal.json
  muster dkg attest --session session.json --keys keys-1 --proposal proposal.json \\
      transcript-*.bin --out attestation-1.json
  muster dkg certify --session session.json --proposal proposal.json attestation-*.json \\
      --out certificate.json
Each player, into a directory of its own:
  muster dkg shares --session session.json --keys keys-1 --certificate certificate.json \\
      --sum sum.bin --out key-1
  muster bls-threshold sign --shares key-1 --message 0x6869 --out signed-1.json
Anyone with as many shares as the threshold:
  muster bls-threshold aggregate --group key-1/group.json signed-*.json --out s.json")]
pub(crate) struct DkgCommand {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Weights(steps::WeightsArgs),
    Deal(DealArgs),
    Collect(steps::CollectArgs),
    Propose(steps::ProposeArgs),
    Attest(steps::AttestArgs),
    Certify(steps::CertifyArgs),
    Shares(steps::SharesArgs),
    Demo(demo::DemoArgs),
}

pub(crate) fn run(command: &DkgCommand) -> Result<Report, Error> {
    match &command.step {
        Step::Weights(args) => steps::run_weights(args),
        Step::Deal(args) => deal(args),
        Step::Collect(args) => steps::collect(args),
        Step::Propose(args) => steps::propose(args),
        Step::Attest(args) => steps::attest(args),
        Step::Certify(args) => steps::certify(args),
        Step::Shares(args) => steps::run_shares(args),
        Step::Demo(args) => demo::run(args),
    }
}
