//! The arguments of `muster sweep` and of the process of a row.

use std::path::PathBuf;

use clap::Args;
use muster_circuits::{Scheme, Shape};
use muster_gadgets::decimal;

use super::ask::{Ask, Case, Degree, Degrees};
use crate::{
    cli::{
        memory::{MemoryArg, MemoryArgs},
        options::{ChoiceArgs, KeysArgs},
        shape::{mode_name, ModeArg},
    },
    sweep::StoreArgs,
    Error, TranscriptKind,
};

/// The fewest proofs of which a median is taken.
const LEAST_REPEAT: u64 = 3;

/// The most rows at once.
const MOST_JOBS: u64 = 1024;

/// What the help ends with.
const EXAMPLES: &str = "Examples:
  muster sweep --scheme musig-babyjubjub --degree 12..14 --case 32/64 --out results
  muster sweep --scheme musig-babyjubjub --degree 12..14 --case 32/64 --jobs 2 --out results-2
  muster sweep --scheme musig-babyjubjub --degree 12..14 --case 32/64 --out results-3 \
      --threads 8 --slurm cluster

Rows that run at once share processor, caches and memory: a proof takes longer than on a machine
that it has to itself. --jobs is for finding out what fits, and where the fastest degree is. The
results say how many rows ran at once, and are not to be compared with those of one row after the
other.

With --slurm the same command does three things: it gathers the rows that are there, says which are
missing or failed, and writes the script for those, which asks for --threads processors and for
memory and time by estimates. Submit it with sbatch, and run the command again when tasks have
ended. DIR, muster and the SRS must be where the nodes find them. A row says which machine it is
from; unlike machines share no line of a plot.";

/// Measure key generation, proof and verification over schemes, degrees and cases. Each row runs in
/// its own process. After each row, DIR holds results.csv, results.json, results.svg and
/// results.phases.svg with all rows so far.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct SweepArgs {
    /// Signature scheme; may be given several times.
    #[arg(long = "scheme", value_name = "S", required = true, num_args = 1..)]
    pub(super) schemes: Vec<Scheme>,
    /// log₂ of the circuit's rows: 14, a range with both ends such as 14..19, or auto for the
    /// fastest.
    #[arg(long = "degree", value_name = "K", default_value = "auto", num_args = 1..)]
    pub(super) degrees: Vec<Degrees>,
    /// How many sign of how many members, for example 8/16; may be given several times.
    #[arg(long = "case", value_name = "SIGNING/SIGNERS", required = true, num_args = 1..)]
    pub(super) cases: Vec<Case>,
    #[command(flatten)]
    pub(super) store: StoreArgs,
    #[command(flatten)]
    pub(super) keys: KeysArgs,
    #[command(flatten)]
    pub(super) choices: ChoiceArgs,
    /// How a signer is shown to be a member (default: the cheaper way).
    #[arg(long)]
    pub(super) mode: Option<ModeArg>,
    /// Children of a node of the key-set tree (default: 16 for BLS, 5 for others).
    #[arg(long, value_name = "A", value_parser = decimal::read::<usize>)]
    pub(super) arity: Option<usize>,
    /// Statements say which members signed.
    #[arg(long)]
    pub(super) mask: bool,
    /// Proofs per row, whose median time is taken: 3 or more.
    #[arg(long, value_name = "N", default_value_t = LEAST_REPEAT,
          value_parser = decimal::within::<u64>(LEAST_REPEAT..=1000))]
    pub(super) repeat: u64,
    /// Hash of the proofs' transcript.
    #[arg(long, value_enum, default_value_t)]
    pub(super) transcript: TranscriptKind,
    #[command(flatten)]
    pub(super) memory: MemoryArgs,
    /// Rows at once, as far as their estimates of memory allow. Each has its share of the threads.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = decimal::within::<u64>(1..=MOST_JOBS))]
    pub(super) jobs: u64,
    /// For a cluster with Slurm: write DIR/sweep.sbatch, an array with a task for each row that is left, and gather into
    /// the results what its tasks have left in DIR/rows. Nothing is run, nor submitted; results that are there are
    /// continued, as with --resume.
    #[arg(long, value_name = "DIR", conflicts_with = "jobs")]
    pub(super) slurm: Option<PathBuf>,
    /// File with a ceremony's SRS in any format (default: from the cache, or an insecure one).
    #[arg(long, value_name = "FILE")]
    pub(super) srs: Option<PathBuf>,
    /// The second file of a .point pair: tau in G2.
    #[arg(long, value_name = "FILE", requires = "srs")]
    pub(super) srs_g2: Option<PathBuf>,
}

impl SweepArgs {
    /// Rows at once.
    pub(super) fn jobs(&self) -> usize {
        self.jobs as usize
    }

    /// Threads of a row: those of all rows together are no more than this process may have, as far as that goes.
    pub(super) fn threads(&self) -> usize {
        (rayon::current_num_threads() / self.jobs()).max(1)
    }

    /// The option, if there is one, that makes sense for rows on this machine alone.
    pub(super) fn here_alone(&self) -> Option<&'static str> {
        let options = [
            ("--jobs", self.jobs > 1),
            ("--slurm", self.slurm.is_some()),
            ("--srs", self.srs.is_some()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// The rows, each of them once: for each scheme and case all degrees.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a choice that a scheme does not have.
    pub(super) fn asks(&self) -> Result<Vec<Ask>, Error> {
        let mut asks = Vec::new();
        for scheme in &self.schemes {
            for case in &self.cases {
                for degree in self.degrees.iter().flat_map(Degrees::list) {
                    let ask = self.ask(*scheme, *case, degree)?;
                    if !asks.contains(&ask) {
                        asks.push(ask);
                    }
                }
            }
        }
        Ok(asks)
    }

    fn ask(&self, scheme: Scheme, case: Case, degree: Degree) -> Result<Ask, Error> {
        let suite = self.choices.suite(scheme, self.keys.of(scheme)?)?;
        Ok(Ask {
            scheme: scheme.name().to_owned(),
            degree,
            case,
            mode: self.mode.map_or("auto", |mode| mode_name(mode.into())).to_owned(),
            keys: suite.keys(),
            rule: suite.rule().map(|rule| rule.name().to_owned()),
            message_form: Some(suite.form()).filter(|form| !form.is_public()),
            hash: Some(suite.hash()).filter(|hash| !hash.is_default()),
            mask: self.mask,
            arity: self.arity.unwrap_or_else(|| scheme.default_arity()),
            transcript: self.transcript.name().to_owned(),
            memory: self.memory.memory.name().to_owned(),
        })
    }
}

/// One row of a sweep, in a process of its own so that the peak memory is the row's own. Prints one
/// JSON object. The SRS is taken from the cache.
#[derive(Args, Debug)]
pub struct RowArgs {
    /// The circuit's shape, as JSON.
    #[arg(long, value_name = "JSON")]
    pub(super) shape: String,
    /// How many sign of how many members.
    #[arg(long, value_name = "SIGNING/SIGNERS")]
    pub(super) case: Case,
    /// Number of proofs.
    #[arg(long, value_name = "N", value_parser = decimal::read::<usize>)]
    pub(super) repeat: usize,
    /// Hash of the proofs' transcript.
    #[arg(long, value_enum, default_value_t)]
    pub(super) transcript: TranscriptKind,
    /// What is kept between the proofs; `auto` is `low`.
    #[arg(long, value_enum)]
    pub(super) memory: MemoryArg,
    /// Run the row in another process, with an SRS that is made if it is missing, and write what came of it, and the
    /// machine, to FILE.
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// File with a ceremony's SRS.
    #[arg(long, value_name = "FILE", requires = "record")]
    pub(super) srs: Option<PathBuf>,
    /// The second file of a .point pair.
    #[arg(long, value_name = "FILE", requires = "srs")]
    pub(super) srs_g2: Option<PathBuf>,
}

impl RowArgs {
    /// The circuit.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for something that is not a shape; [`Error::Circuit`] for a shape of no circuit.
    pub(super) fn shape(&self) -> Result<Shape, Error> {
        let shape: Shape = serde_json::from_str(&self.shape)
            .map_err(|error| Error::Usage(format!("--shape: {error}")))?;
        shape.check()?;
        Ok(shape)
    }
}
