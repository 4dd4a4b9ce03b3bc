//! Measures peers of Muster's k-of-n circuits on this machine: `halo2-ecc`, `halo2-base` and
//! `midnight-zk-stdlib`, and Muster itself beside them. Each case runs in a process of its own, so that its peak memory is its own.
//!
//! The README says which rows compare with which, and which do not.

mod case;
mod error;
mod halo2_lib;
mod measure;
mod midnight;
mod muster;
mod muster_sweep;
mod pairing;
mod report;
mod sample;
mod size;
mod usage;

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::case::{ecdsa, Case, Piece};
use crate::error::PeerError;
use crate::measure::Measurement;
use crate::report::{Machine, Report, Row};
use crate::size::{pairs, positive, power_of_two, Quorum, Size};

/// Measures peers of Muster's k-of-n circuits.
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
        /// The case, as in `--case`.
        case: Case,
        /// Proofs to take the median of.
        #[arg(long, default_value_t = 3)]
        runs: usize,
    },
}

#[derive(Debug, Args)]
struct Options {
    /// Print one JSON object instead of the table.
    #[arg(long)]
    json: bool,
    /// Numbers of signatures on the embedded curve; muster runs with the same ones.
    #[arg(long, value_delimiter = ',', default_value = "1,8", value_parser = positive)]
    signatures: Vec<usize>,
    /// Numbers of signatures on secp256k1, whose field is foreign and expensive.
    #[arg(long, value_delimiter = ',', default_value = "1,4", value_parser = positive)]
    foreign_signatures: Vec<usize>,
    /// Quorums of the pieces with k of n ECDSA signatures on secp256k1.
    #[arg(long, value_delimiter = ',', default_value = "1/1,4/5")]
    quorums: Vec<Quorum>,
    /// Leaves of the Poseidon trees, powers of two.
    #[arg(long, value_delimiter = ',', default_value = "256", value_parser = power_of_two)]
    leaves: Vec<usize>,
    /// Pairings of a product.
    #[arg(long, value_delimiter = ',', default_value = "2", value_parser = pairs)]
    pairings: Vec<usize>,
    /// Only these pieces; all of them by default.
    #[arg(long, value_delimiter = ',')]
    pieces: Vec<Piece>,
    /// The comparison of ECDSA on secp256k1 up to 13 signatures, instead of the sizes above.
    #[arg(long, conflicts_with_all = ["signatures", "foreign_signatures", "quorums", "leaves", "pairings"])]
    ecdsa: bool,
    /// Just this case: PIECE=COUNT, or PIECE=COUNT/MEMBERS for a quorum; @DEGREE after it sets the
    /// log2 of the rows. Repeat it for more.
    #[arg(long = "case", value_name = "CASE", conflicts_with_all = ["ecdsa", "pieces"])]
    chosen: Vec<Case>,
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

impl Options {
    fn cases(&self) -> Vec<Case> {
        let wanted = |piece: Piece| self.pieces.is_empty() || self.pieces.contains(&piece);
        if !self.chosen.is_empty() {
            return self.chosen.clone();
        }
        if self.ecdsa {
            return ecdsa().into_iter().filter(|case| wanted(case.piece)).collect();
        }
        let pieces = Piece::value_variants().iter().copied().filter(|piece| wanted(*piece));
        pieces.flat_map(|piece| self.sizes(piece)).collect()
    }

    /// A piece at each of its sizes.
    fn sizes(&self, piece: Piece) -> Vec<Case> {
        let counted = |count: &usize| Case { piece, count: *count, members: None, degree: None };
        let quorum = |&Quorum { signatures, members }: &Quorum| Case {
            piece,
            count: signatures,
            members: Some(members),
            degree: None,
        };
        match piece.size() {
            Size::Signatures => self.signatures.iter().map(counted).collect(),
            Size::ForeignSignatures => self.foreign_signatures.iter().map(counted).collect(),
            Size::Leaves => self.leaves.iter().map(counted).collect(),
            Size::Quorum => self.quorums.iter().map(quorum).collect(),
            Size::Pairs => self.pairings.iter().map(counted).collect(),
        }
    }
}

fn main() -> ExitCode {
    let Cli { child, options } = Cli::parse();
    let result = match child {
        Some(Child::Case { case, runs }) => run_child(case, runs).map(|text| (text, true)),
        None => run_all(&options),
    };
    match result {
        Ok((text, complete)) => {
            println!("{}", text.trim_end());
            if complete {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(2)
            }
        }
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

fn run_child(case: Case, runs: usize) -> Result<String, PeerError> {
    Ok(serde_json::to_string(&case.run(runs)?)?)
}

/// All cases. One that fails costs only its own row; then the second value is false.
fn run_all(options: &Options) -> Result<(String, bool), PeerError> {
    let machine = Machine::this();
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    // First, so that a wrong path fails before minutes are spent.
    if let Some(path) = &options.muster {
        eprintln!("muster sweep ...");
        let (signatures, words) = (&options.signatures, &options.muster_arg);
        rows.extend(muster_sweep::sweep(path, signatures, options.runs, words)?);
    }
    for case in options.cases() {
        eprintln!("{case} ...");
        match spawn(case, options.runs) {
            Ok(measured) => {
                eprintln!("{case}: proven in {:.2} s", measured.prove_s());
                rows.push(Row::new(case, measured));
            }
            Err(error) => {
                eprintln!("peers: {error}");
                failures.push(error.to_string());
            }
        }
    }
    let complete = failures.is_empty();
    let report = Report { machine, runs: options.runs, rows, failures };
    let text =
        if options.json { serde_json::to_string_pretty(&report)? } else { report.to_string() };
    Ok((text, complete))
}

/// Measures a case in a child process: this very program, with the hidden subcommand.
fn spawn(case: Case, runs: usize) -> Result<Measurement, PeerError> {
    let failed = |reason: String| PeerError::Case { case: case.to_string(), reason };
    let output = Command::new(std::env::current_exe()?)
        .args(["case", &case.to_string(), "--runs", &runs.to_string()])
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
        assert_eq!(of(Piece::MusterEcdsaSecp256k1), [1, 4]);
    }

    #[test]
    fn cases_can_be_chosen() {
        let cases = |words: &[&str]| Cli::try_parse_from(words).map(|cli| cli.options.cases());
        let chosen = cases(&["peers", "--case", "muster-ecdsa-secp256k1=13/19"]);
        assert!(chosen.is_ok_and(|it| it.len() == 1 && it[0].members == Some(19)));
        let of_one = cases(&["peers", "--ecdsa", "--pieces", "halo2-ecc-ecdsa-secp256k1"]);
        assert!(of_one.is_ok_and(|it| it.len() == 4));
        assert!(cases(&["peers", "--ecdsa", "--quorums", "1/1"]).is_err());
        assert!(cases(&["peers", "--quorums", "6/5"]).is_err());
    }

    #[test]
    fn counts_are_checked() {
        assert!(Cli::try_parse_from(["peers", "--signatures", "0"]).is_err());
        assert!(Cli::try_parse_from(["peers", "--leaves", "100"]).is_err());
        assert!(Cli::try_parse_from(["peers", "--leaves", "1"]).is_err());
    }
}
