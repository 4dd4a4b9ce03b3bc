//! The command line.

mod child;
mod look;
mod options;
mod pin;
mod submit;
mod worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use muster_prover::{BAD_INPUT, REJECTED};

use crate::Error;

/// Proofs over many machines: nothing lost, nothing stored twice, no worker believed.
#[derive(Debug, Parser)]
#[command(name = "muster-farm", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Pin(pin::PinArgs),
    Submit(submit::SubmitArgs),
    Worker(worker::WorkerArgs),
    Status(look::StatusArgs),
    Result(look::ResultArgs),
    Retry(look::RetryArgs),
    Gc(look::GcArgs),
    #[command(name = crate::child::COMMAND, hide = true)]
    Child(child::ChildArgs),
}

/// Runs the command of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(status(&error))
        }
    }
}

fn status(error: &Error) -> u8 {
    match error {
        Error::Prover(muster_prover::Error::Rejected(_)) | Error::Failed(_) => REJECTED,
        _ => BAD_INPUT,
    }
}

fn run(command: Command) -> Result<(), Error> {
    if let Command::Child(args) = command {
        return child::run(&args);
    }
    let runtime = tokio::runtime::Runtime::new().map_err(Error::io("tokio"))?;
    runtime.block_on(async {
        match command {
            Command::Pin(args) => pin::run(&args).await,
            Command::Submit(args) => submit::run(&args).await,
            Command::Worker(args) => worker::run(&args).await,
            Command::Status(args) => look::status(&args).await,
            Command::Result(args) => look::result(&args).await,
            Command::Retry(args) => look::retry(&args).await,
            Command::Gc(args) => look::gc(&args).await,
            Command::Child(_) => unreachable!("it has no runtime"),
        }
    })
}
