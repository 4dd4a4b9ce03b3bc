//! Measures peers of Muster's k-of-n Schnorr circuit on this machine: `halo2-ecc`, `halo2-base` and
//! `midnight-zk-stdlib`. Each case runs in a process of its own, so that its peak memory is its own.
//!
//! The README says which rows compare with which, and which do not.

mod case;
mod error;
mod halo2_lib;
mod measure;
mod midnight;
mod muster;
mod report;

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::case::{Case, Piece, Size};
use crate::error::PeerError;
use crate::measure::Measurement;
use crate::report::{Machine, Report, Row};

/// Measures peers of Muster's k-of-n Schnorr circuit.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    child: Option<Child>,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Subcommand)]
enum Child {
    /// Measures one case in this process and prints it as one line of JSON.
    #[command(hide = true)]
    Case {
        /// The piece.
        piece: Piece,
        /// Signatures or leaves.
        #[arg(value_parser = positive)]
        count: usize,
        /// Proofs to take the median of.
        #[arg(long, default_value_t = 3)]
        runs: usize,
        /// log2 of the rows, in place of the piece's own choice.
        #[arg(long)]
        degree: Option<u32>,
    },
}

#[derive(Debug, Args)]
struct Options {
    /// Print one JSON object in place of the table.
    #[arg(long)]
    json: bool,
    /// Numbers of signatures on the embedded curve; muster runs with the same ones.
    #[arg(long, value_delimiter = ',', default_value = "1,8", value_parser = positive)]
    signatures: Vec<usize>,
    /// Numbers of signatures on secp256k1, whose field is foreign and dear.
    #[arg(long, value_delimiter = ',', default_value = "1,4", value_parser = positive)]
    foreign_signatures: Vec<usize>,
    /// Leaves of the Poseidon trees, powers of two.
    #[arg(long, value_delimiter = ',', default_value = "256", value_parser = power_of_two)]
    leaves: Vec<usize>,
    /// Only these pieces; all of them by default.
    #[arg(long, value_delimiter = ',')]
    pieces: Vec<Piece>,
    /// Proofs to take the median of.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Also run this muster binary's sweep, k of 2k for each number of signatures.
    #[arg(long, value_name = "PATH")]
    muster: Option<PathBuf>,
    /// Passed on to `muster sweep`; repeat it for each word, as in `--muster-arg=--degree=14`.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    muster_arg: Vec<String>,
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(error) => Err(format!("{error}")),
    }
}

fn power_of_two(text: &str) -> Result<usize, String> {
    let count = positive(text)?;
    match count {
        2.. if count.is_power_of_two() => Ok(count),
        _ => Err("must be a power of two, at least 2".to_owned()),
    }
}

impl Options {
    fn cases(&self) -> Vec<Case> {
        let wanted = |piece: &Piece| self.pieces.is_empty() || self.pieces.contains(piece);
        let counts = |piece: Piece| match piece.size() {
            Size::Signatures => &self.signatures,
            Size::ForeignSignatures => &self.foreign_signatures,
            Size::Leaves => &self.leaves,
        };
        (Piece::value_variants().iter().copied().filter(wanted))
            .flat_map(|piece| counts(piece).iter().map(move |count| Case { piece, count: *count }))
            .collect()
    }
}

fn main() -> ExitCode {
    let Cli { child, options } = Cli::parse();
    let result = match child {
        Some(Child::Case { piece, count, runs, degree }) => run_child(piece, count, degree, runs),
        None => run_all(&options),
    };
    match result {
        Ok(text) => {
            println!("{}", text.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

fn run_child(
    piece: Piece,
    count: usize,
    degree: Option<u32>,
    runs: usize,
) -> Result<String, PeerError> {
    let measured = Case { piece, count }.run(degree, runs)?;
    Ok(serde_json::to_string(&measured)?)
}

fn run_all(options: &Options) -> Result<String, PeerError> {
    let machine = Machine::this();
    let mut rows = Vec::new();
    // First, so that a wrong path fails before minutes are spent.
    if let Some(path) = &options.muster {
        eprintln!("muster sweep ...");
        rows.extend(muster::sweep(path, &options.signatures, options.runs, &options.muster_arg)?);
    }
    for case in options.cases() {
        eprintln!("{case} ...");
        rows.push(Row::new(case, spawn(case, options.runs)?));
    }
    let report = Report { machine, runs: options.runs, rows };
    Ok(if options.json { serde_json::to_string_pretty(&report)? } else { report.to_string() })
}

/// Measures a case in a child process: this very program, with the hidden subcommand.
fn spawn(case: Case, runs: usize) -> Result<Measurement, PeerError> {
    let failed = |reason: String| PeerError::Case { case: case.to_string(), reason };
    let output = Command::new(std::env::current_exe()?)
        .args(["case", &case.piece.name(), &case.count.to_string(), "--runs", &runs.to_string()])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(failed(format!("the measuring process ended with {}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|error| failed(format!("{error} in {line:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_follow_the_curve() {
        let cli = Cli::parse_from(["peers", "--signatures", "2,3", "--foreign-signatures", "5"]);
        let cases = cli.options.cases();
        let of = |piece| {
            cases.iter().filter(|it| it.piece == piece).map(|it| it.count).collect::<Vec<_>>()
        };
        assert_eq!(of(Piece::MidnightQuorumJubjub), [2, 3]);
        assert_eq!(of(Piece::Halo2EccEcdsaSecp256k1), [5]);
        assert_eq!(of(Piece::Halo2BasePoseidonTree), [256]);
    }

    #[test]
    fn counts_are_checked() {
        assert!(Cli::try_parse_from(["peers", "--signatures", "0"]).is_err());
        assert!(Cli::try_parse_from(["peers", "--leaves", "100"]).is_err());
        assert!(Cli::try_parse_from(["peers", "--leaves", "1"]).is_err());
    }
}
