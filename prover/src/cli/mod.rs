//! The command line.

use std::{io::Write, process::ExitCode};

use clap::{builder::RangedU64ValueParser, Parser, Subcommand, ValueEnum};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    Goal, Message, Mode, Request, Scheme, Selection, Shape, Suite, DEFAULT_ARITY, MAX_SLOTS,
};
use muster_gadgets::membership::{min_depth, MAX_DEPTH};
use serde_json::{json, Value};

use crate::{
    encoding::{field_from_hex, from_hex_exact, message_from_bytes},
    stderr, sweep, Error,
};

mod advice;
mod bls_threshold;
mod bridge;
mod check;
mod demo;
mod dkg;
mod export;
mod frost;
mod keygen;
mod options;
mod prove;
mod pvss;
mod root;
mod sample;
mod schemes;
mod srs;
mod table;
mod verify;

pub(crate) use options::{KeysArgs, RuleArgs};

/// What every help text ends with.
const EXIT_STATUS: &str = "Exit status:
  0  accepted
  1  rejected: the statement is false, a proof is bad, or too few have signed
  2  bad input or usage, or a fault of Muster's own";

/// Most members that a set may have room for: no index goes beyond 32 bits.
const MAX_CAPACITY: usize = 1 << 32;
/// Most leaves that a circuit is asked to hash: more do not fit any degree.
const MAX_WHOLE_SET: usize = 1 << 24;

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

/// What a command has to say: for people, and for programs.
struct Report {
    text: String,
    json: Value,
}

/// Runs the command of this process's arguments.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command, cli.json) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.exit_code();
            let text = advice::with_advice(&error);
            let prefix = if code == crate::REJECTED { "" } else { "error: " };
            stderr::say(&format!("{prefix}{text}"));
            if cli.json {
                let accepted = (code == crate::REJECTED).then_some(false);
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
        Command::Sweep(args) => return sweep::run(args, json),
        Command::SweepRow(args) => return sweep::run_row(args),
    }?;
    report.print(json);
    Ok(())
}

impl Report {
    fn print(&self, json: bool) {
        match json {
            true => print(&self.json.to_string()),
            false => print(self.text.trim_end()),
        }
    }
}

/// A line on stdout. A reader that has gone away is no reason to fail.
fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// The tree over a committee.
#[derive(Clone, Debug, clap::Args)]
struct TreeArgs {
    /// Children of a node: 2, 4, 5, 8 or 16.
    #[arg(long, default_value_t = DEFAULT_ARITY)]
    arity: usize,
    /// Levels of the tree. Without it as few as hold the members; the root depends on it.
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_DEPTH as u64))]
    depth: Option<usize>,
}

/// The choices that a shape leaves open.
#[derive(Clone, Debug, clap::Args)]
struct ShapeArgs {
    /// How a signer is shown to be a member. Without it the cheaper way is taken.
    #[arg(long, value_enum)]
    mode: Option<ModeArg>,
    #[command(flatten)]
    tree: TreeArgs,
    /// log₂ of the circuit's rows. Without it the fastest is taken.
    #[arg(long)]
    degree: Option<u32>,
    /// Choose columns for the least gas in a contract: fewer of them, at the price of more rows.
    #[arg(long)]
    on_chain: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeArg {
    /// The circuit hashes all leaves: for a good part of the set.
    WholeSet,
    /// Each signer brings a Merkle path: for few signers of a large set.
    Path,
}

impl ShapeArgs {
    fn fit(&self, suite: Suite, capacity: usize, slots: usize) -> Result<Shape, Error> {
        Ok(Shape::fit(&self.request(suite, capacity, slots)?)?)
    }

    /// What is asked of a circuit.
    fn request(&self, suite: Suite, capacity: usize, slots: usize) -> Result<Request, Error> {
        for (what, number, most) in
            [("members", capacity, MAX_CAPACITY), ("signature slots", slots, MAX_SLOTS)]
        {
            if !(1..=most).contains(&number) {
                let reason = format!("{number} {what}: there can be from 1 to {most}");
                return Err(Error::Usage(reason));
            }
        }
        let whole_set_fits = capacity <= MAX_WHOLE_SET;
        let mode = match self.mode {
            Some(ModeArg::WholeSet) if !whole_set_fits => {
                let reason = format!("{capacity} members, whole-set takes at most {MAX_WHOLE_SET}");
                return Err(Error::Usage(reason));
            }
            Some(ModeArg::WholeSet) => Some(Mode::WholeSet),
            Some(ModeArg::Path) => Some(Mode::Path),
            None => (!whole_set_fits).then_some(Mode::Path),
        };
        let request = Request {
            keys: suite.keys(),
            rule: suite.rule(),
            mode,
            arity: self.tree.arity,
            depth: self.tree.depth,
            degree: self.degree,
            goal: if self.on_chain { Goal::Gas } else { Goal::Speed },
            ..Request::new(suite.scheme(), capacity, slots)
        };
        match request.terms() {
            Err(muster_circuits::Error::Mode(scheme)) => {
                Err(Error::Usage(format!("--mode: {scheme} has the mode path alone")))
            }
            Ok(_) | Err(_) => Ok(request),
        }
    }
}

impl TreeArgs {
    /// Arity, and the depth for `members`.
    fn dimensions(&self, members: usize) -> Result<(usize, usize), Error> {
        let least = min_depth(self.arity, members).map_err(muster_circuits::Error::from)?;
        // As a shape takes it: too small a depth is raised.
        Ok((self.arity, self.depth.map_or(least, |depth| depth.max(least))))
    }
}

/// The mode in words.
fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::WholeSet => "whole-set",
        Mode::Path => "path",
    }
}

/// A field element on the command line.
fn field_element(text: &str) -> Result<Fr, String> {
    field_from_hex(text).map_err(String::from)
}

/// 32 bytes on the command line.
fn word(text: &str) -> Result<[u8; 32], String> {
    from_hex_exact(text).map_err(String::from)
}

/// The message that the 32 bytes of `--message` are to a scheme.
fn message(scheme: Scheme, bytes: [u8; 32]) -> Result<Message, Error> {
    message_from_bytes(scheme, bytes).map_err(|reason| Error::Usage(format!("--message: {reason}")))
}

/// Whose signatures are taken, in a line, if there are more than slots.
fn selected(selection: &Selection, shape: &Shape) -> String {
    if selection.left_out().is_empty() {
        return String::new();
    }
    let list =
        |members: &[usize]| members.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    format!(
        "more signatures than the {} slots: those of members {} are taken, the heaviest; left out: {}\n",
        shape.slots,
        list(selection.taken()),
        list(selection.left_out())
    )
}

/// The shape in a line.
fn describe(shape: &Shape) -> String {
    format!(
        "{}: {} slots, capacity {}, {} (arity {}, depth {}), 2^{} rows",
        shape.scheme_name(),
        shape.slots,
        shape.capacity,
        mode_name(shape.mode),
        shape.arity,
        shape.depth,
        shape.degree()
    )
}
