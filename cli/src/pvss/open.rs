//! `muster pvss decrypt` and `reconstruct`.

use std::path::{Path, PathBuf};

use muster_prover::{encoding::to_hex, input, output::Secret};
use muster_threshold::pvss::{decrypt, reconstruct, Session, Share, Subtranscript};
use serde::Serialize;
use serde_json::json;
use zeroize::Zeroizing;

use super::args::{open_keys, open_session, OutArgs, TableArgs};
use crate::{
    files::pvss::{fault, pretty, read, SharesFile, BINARY_LIMIT},
    progress::Progress,
    report::Report,
    Error,
};

/// Decrypt a player's shares of a sum of dealings.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss decrypt --session session.json --keys keys-1 --sum sum.bin --out shares-1.json")]
pub(super) struct DecryptArgs {
    /// The session.
    #[arg(long, value_name = "FILE")]
    session: PathBuf,
    /// The player's directory of keys.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The sum of dealings.
    #[arg(long, value_name = "FILE")]
    sum: PathBuf,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    out: OutArgs,
}

/// Reconstruct the secret of a sum of dealings. All shares are checked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss reconstruct --session session.json --sum sum.bin shares-1.json shares-3.json \\
      --out secret.json")]
pub(super) struct ReconstructArgs {
    /// The session.
    #[arg(long, value_name = "FILE")]
    session: PathBuf,
    /// The sum of dealings.
    #[arg(long, value_name = "FILE")]
    sum: PathBuf,
    /// Players' shares.
    #[arg(required = true, value_name = "SHARES")]
    shares: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// What was shared, little-endian.
#[derive(Serialize)]
struct SecretFile<'a> {
    secret: &'a str,
}

/// Reads a sum of a session.
pub(crate) fn read_sum(session: &Session, path: &Path) -> Result<Subtranscript, Error> {
    let bytes = input::read(path, BINARY_LIMIT)?;
    Subtranscript::from_bytes(session, &bytes).map_err(fault(path))
}

pub(super) fn decrypt_shares(args: &DecryptArgs) -> Result<Report, Error> {
    let session = open_session(&args.session)?;
    let (player, keys) = open_keys(&session, &args.keys)?;
    let sum = read_sum(&session, &args.sum)?;
    let search = args.table.open()?;
    let open = || decrypt(&session, &sum, player, &keys, &search);
    let shares = Progress::new().run("decrypting", open).map_err(fault(&args.sum))?;
    let file = SharesFile::new(&shares);
    args.out.write_secret(Secret::PlayerShares, &pretty(&file))?;
    let numbers: Vec<usize> = shares.iter().map(Share::number).collect();
    let text = format!("{}: shares {numbers:?} of player {player}", args.out.out.display());
    let json = json!({ "player": player, "shares": numbers, "out": args.out.out });
    Ok(Report { text, json })
}

pub(super) fn reconstruct_secret(args: &ReconstructArgs) -> Result<Report, Error> {
    let session = open_session(&args.session)?;
    let sum = read_sum(&session, &args.sum)?;
    let mut shares = vec![];
    for path in &args.shares {
        shares.extend(read::<SharesFile>(path)?.decode(path)?);
    }
    let found = reconstruct(&session, &sum, &shares).map_err(fault(&args.sum))?;
    let secret = Zeroizing::new(muster_threshold::pairing_curve::scalar_bytes(&found));
    let hex = Zeroizing::new(to_hex(secret.as_slice()));
    let file = pretty(&SecretFile { secret: &hex });
    args.out.write_secret(Secret::Reconstructed, &file)?;
    let text = format!("{}: the secret of the sum", args.out.out.display());
    let json = json!({ "shares": shares.len(), "out": args.out.out });
    Ok(Report { text, json })
}
