//! The commands.

use std::{
    io::{stdout, Write},
    process::ExitCode,
};

use clap::{
    error::ErrorKind, parser::ValueSource, ArgMatches, CommandFactory, FromArgMatches, Parser,
    Subcommand,
};
use muster_prover::{
    apart,
    keys::backend,
    terminal::{hush, print, printed, say},
    Error as ProverError, BAD_INPUT, REJECTED,
};
use muster_schemes::decimal;
use serde_json::{json, Value};

use crate::{
    advice::with_advice,
    aggregate, bls_threshold, bridge, check, demo, dkg, export_key, frost,
    help::{self, flowing},
    import, keygen, prove, pvss, root, sample, schema, schemes, shape, srs, sweep, translate,
    verify, verify_key, Error,
};

/// The option's name among the matches.
const THREADS: &str = "threads";

/// What the help ends with.
const AFTER_HELP: &str = "Examples:
  muster demo
  muster prove --help
  muster srs list

A file is `-` for standard input or output, wherever a command reads or writes one.

Exit status:
  0  accepted
  1  rejected: the statement is false, a proof is bad, or too few have signed
  2  bad input or usage, or a bug in Muster";

/// Proves in zero knowledge that enough members of a committed set signed a message.
#[derive(Debug, Parser)]
#[command(name = "muster", version, long_version = help::version(), after_help = AFTER_HELP)]
struct Cli {
    /// Print one JSON object on stdout.
    #[arg(long, global = true)]
    json: bool,
    /// Say nothing but the result, warnings and errors.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Number of compute threads (default: RAYON_NUM_THREADS, or else one per processor). Results
    /// do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::DemoArgs),
    Schemes(schemes::SchemesArgs),
    Schema(schema::SchemaArgs),
    Sample(sample::SampleArgs),
    Import(import::ImportCommand),
    Root(root::RootArgs),
    Aggregate(aggregate::AggregateArgs),
    Check(check::CheckArgs),
    Keygen(keygen::KeygenArgs),
    Prove(prove::ProveArgs),
    Verify(verify::VerifyArgs),
    VerifyKey(verify_key::VerifyKeyArgs),
    /// Measure proofs over degrees and sizes: a table, JSON, plots and a page with all of it.
    Sweep(sweep::SweepArgs),
    #[command(hide = true)]
    SweepRow(sweep::RowArgs),
    ExportKey(export_key::ExportKeyArgs),
    Frost(frost::FrostArgs),
    Srs(srs::SrsCommand),
    Message(bridge::messages::MessageArgs),
    Batch(bridge::messages::BatchArgs),
    Translate(translate::TranslateCommand),
    Handover(bridge::handover::HandoverArgs),
    Calldata(bridge::calldata::CalldataArgs),
    BlsThreshold(bls_threshold::BlsThresholdCommand),
    Pvss(pvss::PvssCommand),
    Dkg(dkg::DkgCommand),
    Completions(help::CompletionsArgs),
    Man(help::ManArgs),
}

/// The command line.
pub(crate) fn whole() -> clap::Command {
    flowing(Cli::command())
}

/// Runs the command of this process's arguments.
pub fn main() -> ExitCode {
    apart::begin();
    // Reports name files as text, in JSON too.
    if let Some(other) = std::env::args_os().find(|argument| argument.to_str().is_none()) {
        let text = format!("{} is not UTF-8", other.display());
        return misused(&whole().error(ErrorKind::InvalidUtf8, text));
    }
    let parsed = whole()
        .try_get_matches()
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(other) => return misused(&other),
    };
    if cli.quiet {
        hush();
    }
    match ready(&matches).and_then(|()| run(cli.command, cli.json)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.exit_code();
            let text = with_advice(&error);
            let prefix = if code == REJECTED { "" } else { "error: " };
            say(&format!("{prefix}{text}"));
            if cli.json
                && let Err(unsaid) = print(&to_json(&error, &text).to_string())
            {
                say(&format!("error: {unsaid}"));
            }
            ExitCode::from(code)
        }
    }
}

/// Says what arguments ask for in place of a command, or what is wrong with them: to programs, too, if they ask for that.
fn misused(other: &clap::Error) -> ExitCode {
    let code = say_instead(other);
    let asks_for_json = || {
        let arguments = std::env::args_os().skip(1);
        arguments.take_while(|argument| argument != "--").any(|argument| argument == "--json")
    };
    if other.use_stderr() && asks_for_json() {
        let json = json!({ "accepted": null, "error": in_words(other), "exit_status": code });
        if let Err(unsaid) = print(&json.to_string()) {
            say(&format!("error: {unsaid}"));
        }
    }
    ExitCode::from(code)
}

/// What is wrong with arguments, without the usage that people are shown below it.
fn in_words(misuse: &clap::Error) -> String {
    let text = misuse.to_string();
    let text = text.split("\n\nUsage: ").next().unwrap_or(&text);
    let text = text.split("\n\nFor more information").next().unwrap_or(text);
    text.trim().trim_start_matches("error: ").to_owned()
}

/// Says what arguments ask for in place of a command, such as help, or what is wrong with them; and gives the exit status.
pub fn say_instead(other: &clap::Error) -> u8 {
    match printed(other.print().and_then(|()| stdout().flush())) {
        Ok(()) => other.exit_code().try_into().unwrap_or(BAD_INPUT),
        Err(error) => {
            say(&format!("error: {error}"));
            BAD_INPUT
        }
    }
}

/// An error for programs. Of several proofs it names those that were not made, and says of none that it was accepted.
fn to_json(error: &Error, text: &str) -> Value {
    let code = error.exit_code();
    let Error::Batch { failed, made, .. } = error else {
        let accepted = (code == REJECTED).then_some(false);
        let mut json = json!({ "accepted": accepted, "error": text, "exit_status": code });
        if let Error::Prover(ProverError::Dropped { dropped, .. }) = error {
            json["dropped"] = dropped.to_json();
        }
        if let Error::Uncompared(missing) = error {
            json["missing"] = missing.iter().map(|part| part.option).collect();
        }
        return json;
    };
    let failed = failed.iter().map(|(folder, error)| {
        let folder = folder.display().to_string();
        json!({ "folder": folder, "error": error.to_string(), "exit_status": error.exit_code() })
    });
    let failed: Vec<_> = failed.collect();
    json!({ "error": text, "exit_status": code, "failed": failed, "made": made })
}

/// Most threads that can be asked for.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    let number = decimal::read(text).ok().filter(|number| (1..=MOST_THREADS).contains(number));
    number.ok_or_else(|| format!("must be a number from 1 to {MOST_THREADS}"))
}

/// What holds for every command: what computes, and on how many threads.
fn ready(matches: &ArgMatches) -> Result<(), Error> {
    // Whoever asks for what is not there is told before any work.
    backend()?;
    limit_threads(matches)
}

/// Holds the threads of this process to the one number that `--threads` gives. Sweeps over numbers of threads have an
/// option of the same name, and pools of their own.
fn limit_threads(matches: &ArgMatches) -> Result<(), Error> {
    let is_given = matches.value_source(THREADS) == Some(ValueSource::CommandLine);
    let numbers = matches.get_many::<usize>(THREADS).unwrap_or_default();
    let numbers: Vec<usize> = numbers.copied().collect();
    let [number] = numbers[..] else { return Ok(()) };
    if !is_given {
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build_global();
    pool.map_err(|error| Error::usage(format!("--threads: {error}")))
}

fn run(command: Command, json: bool) -> Result<(), Error> {
    let report = match command {
        Command::Demo(args) => demo::run(&args),
        Command::Schemes(_) => Ok(schemes::run()),
        Command::Schema(args) => schema::run(&args),
        Command::Sample(args) => sample::run(&args),
        Command::Import(command) => import::run(command),
        Command::Root(args) => root::run(&args),
        Command::Aggregate(args) => aggregate::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Keygen(args) => keygen::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::VerifyKey(args) => verify_key::run(&args),
        Command::ExportKey(args) => export_key::run(&args, shape::describe),
        Command::Frost(args) => frost::run(&args),
        Command::Srs(command) => srs::run(&command),
        Command::Message(args) => bridge::messages::message(&args),
        Command::Batch(args) => bridge::messages::batch(&args),
        Command::Translate(command) => translate::run(&command),
        Command::Handover(args) => bridge::handover::run(&args),
        Command::Calldata(args) => bridge::calldata::run(&args),
        Command::BlsThreshold(command) => bls_threshold::run(&command),
        Command::Pvss(command) => pvss::run(&command),
        Command::Dkg(command) => dkg::run(&command),
        Command::Prove(args) => return prove::run(&args, json),
        Command::Man(args) => help::man(&args, whole()),
        Command::Completions(args) => return help::completions(&args, whole(), json),
        Command::Sweep(args) => return sweep::run(&args, json),
        Command::SweepRow(args) => return sweep::run_row(&args),
    }?;
    report.print(json)
}
