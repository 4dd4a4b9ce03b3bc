//! `muster srs`.

mod fetch;
mod list;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use muster_params::{check, import, KnownSrs, Overwrite, Srs, SrsCache, INSECURE_WARNING, KNOWN};
use muster_prover::encoding::to_hex;
use muster_schemes::decimal;
use serde_json::json;

use self::fetch::From;
use crate::{progress::Progress, report::Report, spool::Spooled, srs_args::warn_of_origin, Error};

/// Get, import, check or make an SRS.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster srs list
  muster srs fetch ppot-12
  muster srs import hermez-raw-12
  muster srs import powersOfTau28_hez_final_16.ptau --degree 14
  muster srs import g1.point --g2 g2.point
  muster srs check hermez-raw-12
  muster srs make --degree 12 --insecure-srs

SRS files are kept in the directory that MUSTER_PARAMS names, or else in the user's folder for caches, as
`muster srs list` prints it.")]
pub(super) struct SrsCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Say which files of ceremonies are known, which circuits they are large enough for, and what is
    /// in the cache.
    #[command(after_help = "Examples:
  muster srs list
  muster srs list --degree 14

A hash is known only if those who publish the file have published it, too, or if several independent sources agree on it.")]
    List {
        /// Only those that are enough for fast proofs over 2^K rows.
        #[arg(long, value_name = "K", value_parser = decimal::read::<u32>)]
        degree: Option<u32>,
    },
    /// Get a ceremony's SRS: its hash must be the one that is known, and everything else is checked
    /// as by `srs import`.
    #[command(after_help = "Examples:
  muster srs fetch ppot-12
  muster srs fetch ppot-16 --degree 14
  muster srs fetch ppot-12 --from http://mirror.example/ppot_0080_12.ptau

An interrupted download goes on where it stopped. The file is removed as soon as what was made
of it is in the cache.")]
    Fetch {
        /// Its name, as `muster srs list` prints it.
        #[arg(value_parser = PossibleValuesParser::new(KNOWN.map(|known| known.name)))]
        name: String,
        #[command(flatten)]
        from: From,
        /// log₂ of the number of powers to keep (default: all).
        #[arg(long, value_parser = decimal::read::<u32>)]
        degree: Option<u32>,
        /// Replace an existing one.
        #[arg(long)]
        force: bool,
    },
    /// Make an insecure SRS, for tests and measurements.
    #[command(after_help = "Example:
  muster srs make --degree 12 --insecure-srs")]
    Make {
        /// log₂ of the number of powers.
        #[arg(long, value_parser = decimal::read::<u32>)]
        degree: u32,
        /// Confirm that you know that whoever makes an SRS alone can forge proofs.
        #[arg(long)]
        insecure_srs: bool,
        /// Replace an existing one.
        #[arg(long)]
        force: bool,
    },
    /// Import a ceremony's SRS in any format into the cache, with all checks.
    #[command(after_help = "Examples:
  muster srs import hermez-raw-12
  muster srs import powersOfTau28_hez_final_16.ptau --degree 14
  muster srs import g1.point --g2 g2.point --degree 12")]
    Import {
        /// The file.
        file: PathBuf,
        /// The second file of a .point pair: tau in G2.
        #[arg(long, value_name = "FILE")]
        g2: Option<PathBuf>,
        /// log₂ of the number of powers to keep (default: all).
        #[arg(long, value_parser = decimal::read::<u32>)]
        degree: Option<u32>,
        /// Replace an existing one.
        #[arg(long)]
        force: bool,
    },
    /// Check a file in any format, and say what it is.
    #[command(after_help = "Example:
  muster srs check hermez-raw-12")]
    Check {
        /// The file.
        file: PathBuf,
        /// The second file of a .point pair: tau in G2.
        #[arg(long, value_name = "FILE")]
        g2: Option<PathBuf>,
        /// log₂ of the number of powers to check (default: all).
        #[arg(long, value_parser = decimal::read::<u32>)]
        degree: Option<u32>,
    },
}

pub(super) fn run(command: &SrsCommand) -> Result<Report, Error> {
    let progress = Progress::new();
    match &command.action {
        Action::List { degree } => Ok(list::list(*degree)),
        Action::Fetch { name, from, degree, force } => {
            let unknown = || Error::usage(format!("{name}: no such ceremony is known"));
            let known = KnownSrs::named(name).ok_or_else(unknown)?;
            let srs = fetch::fetch((known, from), (*degree, *force), &progress)?;
            store(&srs, *force)
        }
        Action::Make { degree, insecure_srs, force } => {
            if !insecure_srs {
                return Err(Error::InsecureSrs(*degree));
            }
            let what = format!("making an insecure SRS of 2^{degree} powers");
            let srs = progress.run(&what, || Srs::insecure(*degree))?;
            progress.warn(INSECURE_WARNING);
            store(&srs, *force)
        }
        Action::Import { file, g2, degree, force } => {
            let files = Spooled::srs(file, g2.as_deref())?;
            let read = || import::auto(&files.file, files.g2.as_deref(), *degree);
            let srs = progress.run(&reading(file), read)?;
            warn_of_origin(&srs, &progress);
            store(&srs, *force)
        }
        Action::Check { file, g2, degree } => {
            let files = Spooled::srs(file, g2.as_deref())?;
            let read = || check(&files.file, files.g2.as_deref(), *degree);
            let report = progress.run(&reading(file), read)?;
            Ok(Report { text: report.to_string(), json: json!(report) })
        }
    }
}

fn reading(file: &Path) -> String {
    format!("reading and checking {}", file.display())
}

fn store(srs: &Srs, force: bool) -> Result<Report, Error> {
    let overwrite = if force { Overwrite::Yes } else { Overwrite::No };
    let path = SrsCache::from_env().store(srs, overwrite)?;
    let digest = to_hex(&srs.digest());
    let text = format!("{}: 2^{} powers, digest {digest}", path.display(), srs.k());
    let json = json!({
        "file": path,
        "degree": srs.k(),
        "digest": digest,
        "insecure": srs.is_insecure(),
        "origin": srs.origin(),
    });
    Ok(Report { text, json })
}
