//! The command line.

mod child;
mod init;
mod keygen;
mod look;
mod options;
mod pin;
mod plan;
mod requests;
mod simulate;
mod size;
mod submit;
mod sweep;
#[cfg(test)]
mod tests;
mod worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use muster_cli::{say_instead, RowArgs};
use muster_prover::{apart::begin, terminal::say, BAD_INPUT, REJECTED};

use crate::{
    child::{serve_once, serve_row},
    Error,
};

/// What the help ends with.
const STATUS: &str = "Exit status:
  0  done
  1  rejected: a statement is false, or a job failed
  2  bad input or usage, or a worker that is unfit
  3  the server or the store does not answer";

/// Proofs over many machines: nothing lost, nothing stored twice, no worker trusted.
#[derive(Debug, Parser)]
#[command(name = "muster-farm", version, arg_required_else_help = true, after_help = STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::InitArgs),
    Pin(pin::PinArgs),
    Unpin(look::UnpinArgs),
    Submit(submit::SubmitArgs),
    Sweep(sweep::RowsArgs),
    Keygen(keygen::KeygenArgs),
    Simulate(simulate::SimulateArgs),
    Plan(plan::PlanArgs),
    Worker(worker::WorkerArgs),
    Status(look::StatusArgs),
    Result(look::ResultArgs),
    Cancel(look::CancelArgs),
    Retry(look::RetryArgs),
    Gc(look::GcArgs),
    Size(size::SizeArgs),
    #[command(name = crate::child::COMMAND, hide = true)]
    Child(child::ChildArgs),
    #[command(name = crate::child::ROW_COMMAND, hide = true)]
    Row(RowArgs),
    #[command(name = crate::child::ONCE_COMMAND, hide = true)]
    Once,
}

/// Exit status where server or store do not answer: the same command may succeed later.
const UNANSWERED: u8 = 3;

/// Runs the command of this process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(other) => return ExitCode::from(say_instead(&other)),
    };
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::from(status(&error))
        }
    }
}

fn status(error: &Error) -> u8 {
    match error {
        Error::Prover(muster_prover::Error::Rejected(_)) | Error::Failed(_) => REJECTED,
        Error::Prover(error @ muster_prover::Error::Dropped { .. }) => error.exit_code(),
        Error::Engine(_) | Error::Store(_) => UNANSWERED,
        _ => BAD_INPUT,
    }
}

fn run(command: Command) -> Result<(), Error> {
    let command = match command {
        Command::Child(args) => return child::run(&args),
        Command::Row(args) => return serve_row(&args),
        Command::Once => return serve_once(),
        Command::Size(args) => return size::run(&args),
        command => command,
    };
    // A worker has no inputs of its own, and goes on for months.
    if !matches!(command, Command::Worker(_)) {
        begin();
    }
    let runtime = tokio::runtime::Runtime::new().map_err(Error::io("tokio"))?;
    runtime.block_on(async {
        match command {
            Command::Init(args) => init::run(&args).await,
            Command::Pin(args) => pin::run(&args).await,
            Command::Unpin(args) => look::unpin(&args).await,
            Command::Submit(args) => submit::run(&args).await,
            Command::Sweep(args) => sweep::run(&args).await,
            Command::Keygen(args) => keygen::run(&args).await,
            Command::Simulate(args) => simulate::run(&args).await,
            Command::Plan(args) => plan::run(&args).await,
            Command::Worker(args) => worker::run(&args).await,
            Command::Status(args) => look::status(&args).await,
            Command::Result(args) => look::result(&args).await,
            Command::Cancel(args) => look::cancel(&args).await,
            Command::Retry(args) => look::retry(&args).await,
            Command::Gc(args) => look::gc(&args).await,
            Command::Child(_) | Command::Row(_) | Command::Once | Command::Size(_) => {
                unreachable!("they have no runtime")
            }
        }
    })
}
