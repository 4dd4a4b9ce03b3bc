//! `muster pvss deal`, `verify`, `inspect` and `aggregate`.

use std::path::PathBuf;

use muster_prover::encoding::to_hex;
use muster_threshold::pvss::{deal_random, Dealt, Subtranscript};
use rand::rngs::OsRng;
use serde_json::json;

use super::args::{open_keys, open_session, read_dealing, verified, OutArgs};
use crate::{files::pvss::fault, progress::Progress, report::Report, Error};

/// Deal a random secret, which is then forgotten, to all players of a session.
///
/// Do this once in a session: a second dealing would be taken as proof that its dealer cheats.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster pvss deal --session session.json --keys keys-1 --out transcript-1.bin
  muster dkg deal --session session.json --keys keys-1 --out transcript-1.bin")]
pub(crate) struct DealArgs {
    /// The session.
    #[arg(long, value_name = "FILE")]
    session: PathBuf,
    /// The dealer's directory of keys.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    #[command(flatten)]
    out: OutArgs,
}

/// Verify dealings from their bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss verify --session session.json transcript-1.bin")]
pub(super) struct VerifyArgs {
    /// The session.
    #[arg(long, value_name = "FILE")]
    session: PathBuf,
    /// The dealings.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    transcripts: Vec<PathBuf>,
}

/// Describe what a dealing holds. Only its points and its signature are checked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss inspect transcript-1.bin --session session.json")]
pub(super) struct InspectArgs {
    /// The dealing.
    transcript: PathBuf,
    /// The session.
    #[arg(long, value_name = "FILE")]
    session: PathBuf,
}

/// Add up dealings by different dealers. All are verified.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss aggregate --session session.json transcript-1.bin transcript-2.bin --out sum.bin")]
pub(super) struct AggregateArgs {
    /// The session.
    #[arg(long, value_name = "FILE")]
    session: PathBuf,
    /// The dealings.
    #[arg(required = true, value_name = "TRANSCRIPT")]
    transcripts: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

pub(crate) fn deal(args: &DealArgs) -> Result<Report, Error> {
    let session = open_session(&args.session)?;
    let (player, keys) = open_keys(&session, &args.keys)?;
    let deal = || deal_random(&session, player, &keys, &mut OsRng);
    let dealt = Progress::new().run("dealing", deal).map_err(fault(&args.keys))?;
    args.out.write(dealt.as_bytes())?;
    let out = args.out.out.display();
    let text = format!("{out}: {} bytes, dealt by player {player}", dealt.as_bytes().len());
    let json = json!({
        "dealer": player,
        "bytes": dealt.as_bytes().len(),
        "digest": to_hex(&dealt.digest()),
        "public_key": to_hex(&dealt.public_key()),
        "out": args.out.out,
    });
    Ok(Report { text, json })
}

pub(super) fn verify(args: &VerifyArgs) -> Result<Report, Error> {
    let session = open_session(&args.session)?;
    let verified = verified(&session, &args.transcripts)?;
    let dealers: Vec<usize> = verified.iter().map(|good| good.dealt().dealer()).collect();
    let text = format!("accepted: dealings of players {dealers:?}");
    let insecure = session.parameters().is_insecure();
    let json = json!({ "accepted": true, "dealers": dealers, "insecure_srs": insecure });
    Ok(Report { text, json })
}

pub(super) fn inspect(args: &InspectArgs) -> Result<Report, Error> {
    let session = open_session(&args.session)?;
    let path = &args.transcript;
    let (dealer, bytes) = read_dealing(&session, path)?;
    let dealt = Dealt::from_bytes(&session, dealer, &bytes).map_err(fault(path))?;
    let shape = session.shape();
    let text = format!(
        "{}: player {dealer} deals {} shares to {} players, {}, chunks of {} bits, {} bytes\n\
         public key {}\nnot verified",
        path.display(),
        shape.shares(),
        shape.players(),
        shape.variant(),
        shape.chunk_bits(),
        bytes.len(),
        to_hex(&dealt.public_key()),
    );
    let json = json!({
        "dealer": dealer,
        "variant": shape.variant().name(),
        "chunk_bits": shape.chunk_bits(),
        "threshold": shape.threshold(),
        "shares": shape.shares(),
        "bytes": bytes.len(),
        "digest": to_hex(&dealt.digest()),
        "public_key": to_hex(&dealt.public_key()),
        "verified": null,
    });
    Ok(Report { text, json })
}

pub(super) fn aggregate(args: &AggregateArgs) -> Result<Report, Error> {
    let session = open_session(&args.session)?;
    let verified = verified(&session, &args.transcripts)?;
    let sum = Subtranscript::sum(&verified).map_err(|found| Error::usage(found.to_string()))?;
    args.out.write(&sum.to_bytes(&session))?;
    let out = args.out.out.display();
    let text = format!("{out}: the sum of the dealings of players {:?}", sum.dealers());
    let json = json!({
        "dealers": sum.dealers(),
        "digest": to_hex(&sum.digest(&session)),
        "public_key": to_hex(&sum.public_key()),
        "out": args.out.out,
    });
    Ok(Report { text, json })
}
