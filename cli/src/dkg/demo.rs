//! `muster dkg demo`: all of a key generation in one process.

use std::path::PathBuf;

use serde_json::json;

use super::trial::{Players, SharingArgs, Trial};
use crate::{
    files::pvss::{read_stakes, refused},
    progress::Progress,
    report::Report,
    table, Error,
};

/// Make a key among players with given stakes, sign with it and verify; nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster dkg demo --stakes stakes.json")]
pub(super) struct DemoArgs {
    /// A JSON array of stakes.
    #[arg(long, value_name = "FILE")]
    stakes: PathBuf,
    #[command(flatten)]
    sharing: SharingArgs,
}

pub(super) fn run(args: &DemoArgs) -> Result<Report, Error> {
    let stakes = read_stakes(&args.stakes)?;
    let players = args.sharing.players(&stakes);
    let trial = players.run(&Progress::new()).map_err(refused(&args.stakes))?;
    Ok(report(players, &trial))
}

fn report(players: Players<'_>, trial: &Trial) -> Report {
    let (count, made) = (players.stakes.len(), &trial.weights);
    let rows = [
        ("players", count.to_string()),
        ("shares", format!("{} of {}", made.threshold, made.shares())),
        ("variant", players.variant.to_string()),
        ("bytes of a dealing", trial.bytes.to_string()),
        ("setup", table::time(trial.setup)),
        ("dealing, all players", table::time(trial.dealing)),
        ("verifying, all players", table::time(trial.verifying)),
        ("decrypting, all players", table::time(trial.decrypting)),
        ("public key", trial.public_key.clone()),
        ("signature", trial.signature.clone()),
        ("verified", trial.verified.to_string()),
    ];
    let json = json!({
        "players": count,
        "threshold": made.threshold,
        "shares": made.shares(),
        "weights": made.weights,
        "variant": players.variant.name(),
        "bytes": trial.bytes,
        "dealing_s": trial.dealing.as_secs_f64(),
        "verifying_s": trial.verifying.as_secs_f64(),
        "decrypting_s": trial.decrypting.as_secs_f64(),
        "public_key": trial.public_key,
        "signature": trial.signature,
        "verified": trial.verified,
    });
    Report { text: table::table(&rows), json }
}
