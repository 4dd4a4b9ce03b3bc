//! `muster sweep`: what keys, proofs and verifications cost over schemes, degrees and cases; and the process of a row.

#[cfg(test)]
mod tests;

use std::{fmt::Display, path::PathBuf, time::Duration};

use clap::Args;
use muster_circuits::{Mode, Request, Scheme, Shape};
use muster_params::SrsCache;
use muster_prover::{input, ProofKind};
use muster_schemes::decimal;
use muster_sweep::{
    proofs::{
        self,
        elsewhere::{Asked, Elsewhere},
        mode_name, slurm, Ask, Case, Degree, Degrees, Measurement, Sweep,
    },
    Existing,
};

use crate::{
    memory::{MemoryArg, MemoryArgs},
    options::{ChoiceArgs, KeysArgs},
    spool::{needs_file, Spooled},
    store_args::StoreArgs,
    values::{kinds, modes, schemes},
    Error,
};

/// The fewest proofs of which a median is taken.
const LEAST_REPEAT: u64 = 3;

/// The most rows at once.
const MOST_JOBS: u64 = 1024;

/// What the help ends with.
const EXAMPLES: &str = "Examples:
  muster sweep --scheme musig-babyjubjub --degree 12..14 --case 32/64 --out results
  muster sweep --scheme musig-babyjubjub --degree 12..14 --case 32/64 --jobs 2 --out results-2
  muster sweep --scheme eddsa-babyjubjub schnorr-babyjubjub --case 8/16 32/64 128/256 \
      --budget 2m --out results-4
  muster sweep --scheme musig-babyjubjub --degree 12..14 --case 32/64 --out results-3 \
      --threads 8 --slurm cluster

Rows that run at once share processor, caches and memory: a proof takes longer than on a machine
that it has to itself. Use --jobs to find out what fits, and which degree is fastest. The results
say how many rows ran at once; do not compare them with results of rows that ran one by one.

With --slurm the same command does three things: it gathers the finished rows, says which are
missing or failed, and writes a script for those, which asks for --threads processors and for the
estimated memory and time. Submit it with sbatch, and run the command again when tasks have ended.
DIR, muster and the SRS must be where the nodes can find them. Each row says which machine it is
from; different machines share no line of a plot.";

/// Measure key generation, proof and verification over schemes, degrees and cases. Each row runs in
/// its own process. After each row, DIR holds results.csv, results.json, results.svg,
/// results.phases.svg and results.html, a page of all that, with all rows so far.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct SweepArgs {
    /// Signature scheme; may be given several times.
    #[arg(long = "scheme", value_name = "S", value_parser = schemes(), required = true, num_args = 1..)]
    schemes: Vec<Scheme>,
    /// log₂ of the circuit's rows: 14, a range with both ends such as 14..19, or auto for the
    /// fastest.
    #[arg(long = "degree", value_name = "K", default_value = "auto", num_args = 1..)]
    degrees: Vec<Degrees>,
    /// Signers out of members, for example 8/16; may be given several times.
    #[arg(long = "case", value_name = "SIGNING/SIGNERS", required = true, num_args = 1..)]
    cases: Vec<Case>,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    keys: KeysArgs,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// How membership is proven (default: the cheapest mode).
    #[arg(long, value_parser = modes())]
    mode: Option<Mode>,
    /// Children per node of the key-set tree (default: 16 for BLS, 5 for others).
    #[arg(long, value_name = "A", value_parser = decimal::read::<usize>)]
    arity: Option<usize>,
    /// Make statements say which members signed.
    #[arg(long)]
    mask: bool,
    /// Proofs per row, 3 or more; the median time is reported.
    #[arg(long, value_name = "N", default_value_t = LEAST_REPEAT,
          value_parser = decimal::within::<u64>(LEAST_REPEAT..=1000))]
    repeat: u64,
    /// Format of the proofs.
    #[arg(long, value_parser = kinds(), default_value = "fast")]
    kind: ProofKind,
    #[command(flatten)]
    memory: MemoryArgs,
    /// Rows to run at once, as far as their memory estimates allow. Each gets its share of the
    /// threads.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = decimal::within::<u64>(1..=MOST_JOBS))]
    jobs: u64,
    /// For a Slurm cluster: write DIR/sweep.sbatch, an array job with a task for each remaining
    /// row, and gather into the results what its tasks have left in DIR/rows. Nothing is run or
    /// submitted; existing results are continued, as with --resume.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["jobs", "budget"])]
    slurm: Option<PathBuf>,
    /// How long the sweep may take, for example 90s or 10m: runs the shortest rows, as many as are
    /// estimated to fit, and begins none after that time. --resume runs the others later.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    budget: Option<Duration>,
    /// File with a ceremony's SRS in any format (default: from the cache, or an insecure one).
    #[arg(long, value_name = "FILE")]
    srs: Option<PathBuf>,
    /// The second file of a .point pair: tau in G2.
    #[arg(long, value_name = "FILE", requires = "srs")]
    srs_g2: Option<PathBuf>,
}

impl SweepArgs {
    /// The option, if there is one, that makes sense for rows on this machine alone.
    fn here_alone(&self) -> Option<&'static str> {
        let options = [
            ("--jobs", self.jobs > 1),
            ("--slurm", self.slurm.is_some()),
            ("--budget", self.budget.is_some()),
            ("--srs", self.srs.is_some()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// The sweep, whose rows run elsewhere.
    ///
    /// # Errors
    ///
    /// Those of [`Elsewhere::open`]; [`muster_prover::Error::Usage`] for a choice that a scheme does not have, and for
    /// what only rows on this machine have.
    pub fn elsewhere(&self) -> Result<Elsewhere, Error> {
        if let Some(option) = self.here_alone() {
            return Err(Error::usage(format!("{option}: not for rows that run elsewhere")));
        }
        Ok(Elsewhere::open(&self.asked()?)?)
    }

    /// The sweep.
    fn asked(&self) -> Result<Sweep, Error> {
        Ok(Sweep {
            rows: self.rows()?,
            repeat: self.repeat as usize,
            kind: self.kind,
            memory: self.memory.allowance(),
            jobs: self.jobs as usize,
            budget: self.budget,
            out: self.store.out.clone(),
            existing: self.store.existing(),
            srs: self.srs.clone(),
            srs_g2: self.srs_g2.clone(),
        })
    }

    /// The rows, each of them once: for each scheme and case all degrees.
    fn rows(&self) -> Result<Vec<(Ask, Request)>, Error> {
        let mut rows: Vec<(Ask, Request)> = Vec::new();
        for scheme in &self.schemes {
            for case in &self.cases {
                for degree in self.degrees.iter().flat_map(|degrees| &degrees.0) {
                    let row = self.row(*scheme, *case, *degree)?;
                    if rows.iter().all(|(ask, _)| *ask != row.0) {
                        rows.push(row);
                    }
                }
            }
        }
        Ok(rows)
    }

    fn row(&self, scheme: Scheme, case: Case, degree: Degree) -> Result<(Ask, Request), Error> {
        let suite = self.choices.suite(scheme, self.keys.of(scheme)?)?;
        let (mode, mask) = (self.mode, self.mask);
        let arity = self.arity.unwrap_or_else(|| scheme.default_arity());
        let ask = Ask {
            scheme: scheme.name().to_owned(),
            degree,
            case,
            mode: mode.map_or("auto", mode_name).to_owned(),
            keys: suite.keys(),
            rule: suite.rule().map(|rule| rule.name().to_owned()),
            message_form: Some(suite.form()).filter(|form| !form.is_public()),
            hash: Some(suite.hash()).filter(|hash| !hash.is_default()),
            mask,
            arity,
            kind: self.kind.name().to_owned(),
            memory: self.memory.memory.name().to_owned(),
        };
        let request = Request {
            absent: Some(case.signers - case.signing),
            mode,
            keys: suite.keys(),
            rule: suite.rule(),
            message: Some(suite.form()),
            hash: suite.hash(),
            arity,
            mask,
            degree: degree.fixed(),
            ..Request::new(scheme, case.signers, case.signing)
        };
        Ok((ask, request))
    }
}

/// One row of a sweep, in a process of its own so that the peak memory is the row's own. Prints one
/// JSON object. The SRS is taken from the cache.
#[derive(Args, Debug)]
pub struct RowArgs {
    /// The circuit's shape, as JSON.
    #[arg(long, value_name = "JSON")]
    shape: String,
    /// Signers out of members.
    #[arg(long, value_name = "SIGNING/SIGNERS")]
    case: Case,
    /// Number of proofs.
    #[arg(long, value_name = "N", value_parser = decimal::read::<usize>)]
    repeat: usize,
    /// Format of the proofs.
    #[arg(long, value_parser = kinds(), default_value = "fast")]
    kind: ProofKind,
    /// What is kept between the proofs; `auto` is `low`.
    #[arg(long, value_enum)]
    memory: MemoryArg,
    /// Run the row in another process, with an SRS that is made if it is missing, and write the
    /// outcome and the machine to FILE.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// File with a ceremony's SRS.
    #[arg(long, value_name = "FILE", requires = "record")]
    srs: Option<PathBuf>,
    /// The second file of a .point pair.
    #[arg(long, value_name = "FILE", requires = "srs")]
    srs_g2: Option<PathBuf>,
}

impl RowArgs {
    /// What is to be measured.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] for something that is not a shape; [`muster_prover::Error::Circuit`] for a shape
    /// of no circuit.
    pub fn measurement(&self) -> Result<Measurement, Error> {
        let shape = serde_json::from_str(&self.shape).map_err(not_json)?;
        let shape: Shape = input::from_value(shape).map_err(not_json)?;
        shape.check()?;
        let (case, repeat, kind) = (self.case, self.repeat, self.kind);
        let memory = self.memory.kept().unwrap_or_default();
        Ok(Measurement { shape, case, repeat, kind, memory })
    }

    /// The same in the words of a record.
    fn asked(&self) -> Result<Asked, Error> {
        Ok(Asked {
            shape: serde_json::from_str(&self.shape).map_err(not_json)?,
            case: self.case.to_string(),
            repeat: self.repeat,
            kind: self.kind.name().to_owned(),
            memory: self.memory.name().to_owned(),
        })
    }
}

fn not_json(error: impl Display) -> Error {
    Error::usage(format!("--shape: {error}"))
}

/// Runs a sweep, here or on a cluster.
pub(super) fn run(args: &SweepArgs, json: bool) -> Result<(), Error> {
    let sweep = args.asked()?;
    let Some(dir) = &args.slurm else {
        let spooled = |file| Spooled::srs(file, args.srs_g2.as_deref());
        let files = args.srs.as_deref().map(spooled).transpose()?;
        let (srs, srs_g2) = files.as_ref().map(|it| (it.file.clone(), it.g2.clone())).unzip();
        let srs_g2 = srs_g2.flatten();
        return Ok(proofs::run(&Sweep { srs, srs_g2, ..sweep }, json)?);
    };
    let files = args.srs.iter().chain(&args.srs_g2);
    for file in files {
        needs_file(file, "each task of the array reads it")?;
    }
    let existing = if args.store.force { Existing::Replace } else { Existing::Resume };
    Ok(slurm::run(&Sweep { existing, ..sweep }, dir, json)?)
}

/// Runs a row: in this process, or for a file in another.
pub(super) fn run_row(args: &RowArgs) -> Result<(), Error> {
    let row = args.measurement()?;
    let Some(path) = &args.record else {
        return Ok(proofs::run_row(&row, &SrsCache::from_env())?);
    };
    let srs = args.srs.as_deref().map(|file| (file, args.srs_g2.as_deref()));
    Ok(slurm::run_recorded(args.asked()?, row.srs_degree()?, srs, path)?)
}
