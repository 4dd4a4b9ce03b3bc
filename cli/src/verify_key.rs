//! `muster verify-key`.

use std::path::PathBuf;

use muster_circuits::CircuitShape;
use muster_params::Srs;
use muster_prover::{encoding::to_hex, Error as ProverError, VerifierKey};
use serde_json::json;

use super::{report::Report, shape::describe, table::table};
use crate::{
    progress::Progress,
    srs_args::{srs_of_keys, SrsArgs},
    Error,
};

/// Check that a verifying key is the one of its circuit, made from its SRS.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster verify-key --keys keys
  muster verify-key --keys keys --srs hermez-raw-12

For those who were given keys: whoever makes a key of another circuit can prove what nobody signed. The
key of the circuit in shape.json is computed from the SRS and compared; the proving key need not be there.
It takes the time and memory of muster keygen, or less. The circuit is the one of this version of Muster.
Compare the shape with the circuit that you expect, and the digest with the one that others check.

Needs the SRS that the keys were made from: from the cache, or given again with --srs FILE.")]
pub(super) struct VerifyKeyArgs {
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// File with the SRS in any format (default: from the cache).
    #[arg(long, value_name = "FILE")]
    srs: Option<PathBuf>,
    /// The second file of a .point pair: tau in G2.
    #[arg(long, value_name = "FILE", requires = "srs")]
    srs_g2: Option<PathBuf>,
}

pub(super) fn run(args: &VerifyKeyArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let key = VerifierKey::load(&args.keys)?;
    let shape = describe(key.shape());
    let srs = find_srs(args, &key, &progress)?;
    let what = format!("computing the key of its circuit: {shape}");
    let (checked, taken) = progress.timed(&what, || check(&key, &srs));
    checked?.map_err(|reason| rejected(args, reason))?;
    let digest = to_hex(&key.digest());
    let name = key.key().as_compact().map(|compact| to_hex(&compact.evm_key().name()));
    let mut rows = vec![("shape", shape), ("verifying key", digest.clone())];
    rows.extend(name.clone().map(|name| ("name in contracts", name)));
    rows.extend([
        ("SRS", to_hex(&srs.digest()) + if srs.is_insecure() { " (INSECURE)" } else { "" }),
        ("time", super::table::time(taken)),
    ]);
    let path = args.keys.display();
    let text =
        format!("accepted: the verifying key in {path} is that of its circuit\n{}", table(&rows));
    let json = json!({
        "accepted": true,
        "keys": args.keys,
        "shape": key.shape(),
        "vk_digest": digest,
        "name": name,
        "srs": { "insecure": srs.is_insecure(), "digest": to_hex(&srs.digest()) },
        "verify_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json })
}

/// The SRS that the key names. False claims about it are the key's fault; that there is another SRS is not.
fn find_srs(args: &VerifyKeyArgs, key: &VerifierKey, progress: &Progress) -> Result<Srs, Error> {
    let (srs, srs_g2) = (args.srs.clone(), args.srs_g2.clone());
    let from = SrsArgs { srs, srs_g2, insecure_srs: false };
    match srs_of_keys(&from, key, progress) {
        Err(Error::Prover(error @ ProverError::FalseClaim { .. })) => {
            Err(rejected(args, error.to_string()))
        }
        found => found,
    }
}

fn rejected(args: &VerifyKeyArgs, reason: String) -> Error {
    Error::BadKey { path: args.keys.clone(), reason }
}

/// What is wrong with a shape whose layout has too few rows or columns.
const NO_ROOM: &str = "shape.json: the layout has no room for the circuit, so no key is its";

/// Whether it is the circuit's key, or why not.
fn check(key: &VerifierKey, srs: &Srs) -> Result<Result<(), String>, Error> {
    match key.has_points_of(srs) {
        Ok(true) => Ok(Ok(())),
        Ok(false) if !key.shape().keygen_circuit().fits() => Ok(Err(NO_ROOM.into())),
        Ok(false) => Ok(Err("the verifying key is that of another circuit than shape.json \
            describes: get it again from those who made it, or make it with muster keygen"
            .into())),
        Err(error) => Err(error.into()),
    }
}
