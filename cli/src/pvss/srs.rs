//! `muster pvss srs`.

use std::path::PathBuf;

use clap::Subcommand;
use muster_prover::{encoding::to_hex, input};
use muster_schemes::decimal;
use muster_threshold::pvss::Srs;
use rand::rngs::OsRng;
use serde_json::json;

use super::args::OutArgs;
use crate::{
    files::pvss::{fault, read_srs, BINARY_LIMIT},
    progress::Progress,
    report::Report,
    Error,
};

/// Make, import, contribute to or check a reference string for the range proof.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster pvss srs make --insecure --powers 64 --out s.srs
  muster pvss srs check s.srs")]
pub(super) struct SrsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make an insecure string, for tests and measurements: whoever makes it can forge dealings.
    #[command(after_help = "Example:
  muster pvss srs make --insecure --powers 64 --out s.srs")]
    Make {
        /// Confirm that you know this.
        #[arg(long, required = true)]
        insecure: bool,
        /// Number of powers of τ: more than all shares together have chunks.
        #[arg(long, value_name = "N", default_value_t = 4096, value_parser = decimal::read::<usize>)]
        powers: usize,
        #[command(flatten)]
        out: OutArgs,
    },
    /// Import the powers from the text of Ethereum's ceremony. Contribute afterwards: they come
    /// without a blinder.
    #[command(after_help = "Example:
  muster pvss srs import trusted_setup.txt --out s.srs")]
    Import {
        /// The ceremony's text.
        file: PathBuf,
        #[command(flatten)]
        out: OutArgs,
    },
    /// Multiply the blinder by a fresh secret, which is forgotten.
    #[command(after_help = "Example:
  muster pvss srs contribute s.srs --out t.srs")]
    Contribute {
        /// The string so far.
        file: PathBuf,
        /// Also multiply the powers of τ.
        #[arg(long)]
        tau: bool,
        #[command(flatten)]
        out: OutArgs,
    },
    /// Check the points, the contributions, and that they all belong together.
    #[command(after_help = "Example:
  muster pvss srs check t.srs")]
    Check {
        /// The string.
        file: PathBuf,
    },
}

pub(super) fn run(args: &SrsArgs) -> Result<Report, Error> {
    match &args.action {
        Action::Make { insecure: _, powers, out } => {
            let made = Srs::insecure(*powers, &mut OsRng);
            let made = made.map_err(|found| Error::usage(format!("--powers: {found}")))?;
            finish(&made, out)
        }
        Action::Import { file, out } => {
            let text = String::from_utf8(input::read(file, BINARY_LIMIT)?);
            let text = text.map_err(|_| Error::file(file, "not text"))?;
            let made = Srs::import(&text).map_err(fault(file))?;
            made.check().map_err(fault(file))?;
            finish(&made, out)
        }
        Action::Contribute { file, tau, out } => {
            let mut made = read_srs(file)?;
            made.check().map_err(fault(file))?;
            Progress::new().run("contributing", || made.contribute(*tau, &mut OsRng));
            finish(&made, out)
        }
        Action::Check { file } => {
            let made = read_srs(file)?;
            made.check().map_err(fault(file))?;
            Ok(report(&made, &file.display().to_string()))
        }
    }
}

fn finish(made: &Srs, out: &OutArgs) -> Result<Report, Error> {
    out.write(&made.to_bytes())?;
    Ok(report(made, &out.out.display().to_string()))
}

fn report(made: &Srs, name: &str) -> Report {
    let insecure = made.is_insecure();
    let (powers, contributions) = (made.powers().len(), made.contributions().len());
    let kind = if insecure {
        "INSECURE"
    } else if made.claims_tau() {
        "which claims that its powers are a ceremony's: import the ceremony's text to be sure, or contribute with --tau"
    } else {
        "secure if someone honest contributed to each of its secrets"
    };
    let text = format!("{name}: {powers} powers, {contributions} contributions, {kind}");
    let json = json!({
        "file": name,
        "powers": powers,
        "contributions": contributions,
        "insecure": insecure,
        "claims_tau": made.claims_tau(),
        "digest": to_hex(&made.digest()),
    });
    Report { text, json }
}
