//! The commands.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use serde_json::json;

use super::{
    advice::with_advice, bls_threshold, bridge, check, demo, dkg, export, frost, import, keygen,
    prove, pvss, report::print, root, sample, schemes, srs, sweep, verify,
};
use crate::{stderr::say, Error, REJECTED};

/// What every help text ends with.
const EXIT_STATUS: &str = "Exit status:
  0  accepted
  1  rejected: the statement is false, a proof is bad, or too few have signed
  2  bad input or usage, or a bug in Muster";

/// Proves in zero knowledge that enough members of a committed set signed a message.
#[derive(Debug, Parser)]
#[command(name = "muster", version, after_help = EXIT_STATUS)]
struct Cli {
    /// Print one JSON object on stdout.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::DemoArgs),
    Schemes(schemes::SchemesArgs),
    Sample(sample::SampleArgs),
    Import(import::ImportCommand),
    Root(root::RootArgs),
    Check(check::CheckArgs),
    Keygen(keygen::KeygenArgs),
    Prove(prove::ProveArgs),
    Verify(verify::VerifyArgs),
    /// Measure proofs over degrees and sizes: a table, JSON and a plot.
    Sweep(sweep::SweepArgs),
    #[command(hide = true)]
    SweepRow(sweep::RowArgs),
    ExportVerifier(export::ExportArgs),
    Frost(frost::FrostArgs),
    Srs(srs::SrsCommand),
    Message(bridge::message::MessageArgs),
    Batch(bridge::batch::BatchArgs),
    Handover(bridge::handover::HandoverArgs),
    Calldata(bridge::calldata::CalldataArgs),
    BlsThreshold(bls_threshold::BlsThresholdCommand),
    Pvss(pvss::PvssCommand),
    Dkg(dkg::DkgCommand),
}

/// Runs the command of this process's arguments.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command, cli.json) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.exit_code();
            let text = with_advice(&error);
            let prefix = if code == REJECTED { "" } else { "error: " };
            say(&format!("{prefix}{text}"));
            if cli.json {
                let accepted = (code == REJECTED).then_some(false);
                print(
                    &json!({ "accepted": accepted, "error": text, "exit_status": code })
                        .to_string(),
                );
            }
            ExitCode::from(code)
        }
    }
}

fn run(command: Command, json: bool) -> Result<(), Error> {
    let report = match command {
        Command::Demo(args) => demo::run(&args),
        Command::Schemes(_) => Ok(schemes::run()),
        Command::Sample(args) => sample::run(&args),
        Command::Import(command) => import::run(&command),
        Command::Root(args) => root::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Keygen(args) => keygen::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::ExportVerifier(args) => export::run(&args),
        Command::Frost(args) => frost::run(&args),
        Command::Srs(command) => srs::run(&command),
        Command::Message(args) => bridge::message::run(&args),
        Command::Batch(args) => bridge::batch::run(&args),
        Command::Handover(args) => bridge::handover::run(&args),
        Command::Calldata(args) => bridge::calldata::run(&args),
        Command::BlsThreshold(command) => return bls_threshold::run(command, json),
        Command::Pvss(command) => pvss::run(&command),
        Command::Dkg(command) => dkg::run(&command),
        Command::Sweep(args) => return sweep::run(&args, json),
        Command::SweepRow(args) => return sweep::run_row(&args),
    }?;
    report.print(json);
    Ok(())
}
