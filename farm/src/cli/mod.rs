//! The command line.

mod keygen;
mod look;
mod measure;
mod options;
mod requests;
mod size;
mod submit;
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
    Init(look::InitArgs),
    Pin(look::PinArgs),
    Unpin(look::UnpinArgs),
    Submit(submit::SubmitArgs),
    Sweep(measure::RowsArgs),
    Keygen(keygen::KeygenArgs),
    Simulate(measure::SimulateArgs),
    Plan(requests::PlanArgs),
    Worker(worker::WorkerArgs),
    Status(look::StatusArgs),
    Result(look::ResultArgs),
    Cancel(look::CancelArgs),
    Retry(look::RetryArgs),
    Gc(look::GcArgs),
    Size(size::SizeArgs),
    #[command(name = crate::child::COMMAND, hide = true)]
    Child(worker::ChildArgs),
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
    match command {
        Command::Init(args) => begin_and_wait(look::init(&args)),
        Command::Pin(args) => begin_and_wait(look::pin(&args)),
        Command::Unpin(args) => begin_and_wait(look::unpin(&args)),
        Command::Submit(args) => begin_and_wait(submit::run(&args)),
        Command::Sweep(args) => begin_and_wait(measure::sweep(&args)),
        Command::Keygen(args) => begin_and_wait(keygen::run(&args)),
        Command::Simulate(args) => begin_and_wait(measure::simulate(&args)),
        Command::Plan(args) => begin_and_wait(requests::plan(&args)),
        // It has no inputs of its own, and goes on for months.
        Command::Worker(args) => wait(worker::run(&args)),
        Command::Status(args) => begin_and_wait(look::status(&args)),
        Command::Result(args) => begin_and_wait(look::result(&args)),
        Command::Cancel(args) => begin_and_wait(look::cancel(&args)),
        Command::Retry(args) => begin_and_wait(look::retry(&args)),
        Command::Gc(args) => begin_and_wait(look::gc(&args)),
        Command::Size(args) => size::run(&args),
        Command::Child(args) => worker::prove(&args),
        Command::Row(args) => serve_row(&args),
        Command::Once => serve_once(),
    }
}

/// Runs a command whose inputs and results are noted, so that none replaces another.
fn begin_and_wait(command: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    begin();
    wait(command)
}

fn wait(command: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    tokio::runtime::Runtime::new().map_err(Error::io("tokio"))?.block_on(command)
}
