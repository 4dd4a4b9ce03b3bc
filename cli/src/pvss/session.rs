//! `muster pvss keygen` and `session`: the players' keys, and who takes part.

use std::{io::Write, path::PathBuf};

use muster_prover::{
    encoding::to_hex,
    output::{Output, Secret},
};
use muster_schemes::decimal;
use muster_threshold::{
    dkg::{self, Fraction},
    pvss::{Error as Fault, Parameters, SecretKeys, Session, Shape, Variant, SIGNATURE_BYTES},
};
use rand::rngs::OsRng;
use serde_json::json;

use super::args::{OutArgs, PUBLIC_FILE, SECRET_FILE};
use crate::{
    files::pvss::{
        fault, kept_parameters, pretty, read, read_srs, read_stakes, PublicFile, SecretFile,
        SessionFile,
    },
    report::Report,
    spool::needs_file,
    values::variants,
    Error,
};

/// Make a player's keys: one under which shares are encrypted, and one that signs dealings.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss keygen --out keys-1")]
pub(super) struct KeygenArgs {
    /// Directory for public.json and secret.json.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

/// Fix who takes part, with which weights and threshold. Every proof is bound to this.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss session --keys keys-1/public.json keys-2/public.json keys-3/public.json \\
      --weights 2,1,3 --threshold 4 --epoch 7 --srs s.srs --out session.json")]
pub(super) struct SessionArgs {
    /// The players' public keys, in order.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    keys: Vec<PathBuf>,
    /// Weights: the number of shares of each player.
    #[arg(long, value_name = "W", value_delimiter = ',', required_unless_present = "stakes", value_parser = decimal::read::<u32>)]
    weights: Vec<u32>,
    /// How many shares it takes to reconstruct.
    #[arg(long, value_name = "T", required_unless_present = "stakes", value_parser = decimal::read::<usize>)]
    threshold: Option<usize>,
    /// Stakes, from which the weights and the threshold follow, as `muster dkg weights` prints
    /// them.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["weights", "threshold"])]
    stakes: Option<PathBuf>,
    #[command(flatten)]
    bounds: BoundsArgs,
    /// How ciphertexts are proved.
    #[arg(long, value_parser = variants(), default_value_t)]
    variant: Variant,
    /// Bits per chunk: 8, 16 or 32.
    #[arg(long, value_name = "BITS", default_value_t = 32, value_parser = decimal::read::<u32>)]
    chunk_bits: u32,
    /// The epoch: a dealing for one epoch does not count in another.
    #[arg(long, value_parser = decimal::read::<u64>)]
    epoch: u64,
    /// What the session is for.
    #[arg(long, default_value = "")]
    label: String,
    /// The reference string.
    #[arg(long, value_name = "FILE")]
    srs: PathBuf,
    /// File that keeps the reference string's Lagrange points for every command of the session;
    /// read if it exists. Without it, each command recomputes them, which takes a second at 256
    /// shares.
    #[arg(long, value_name = "FILE")]
    lagrange: Option<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// Bounds of secrecy and reconstruction.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BoundsArgs {
    /// Players with up to this fraction of the stake cannot reconstruct.
    #[arg(long, value_name = "A/B", default_value = "1/2")]
    pub(crate) secrecy: Fraction,
    /// Players with more than this fraction of the stake can reconstruct.
    #[arg(long, value_name = "A/B", default_value = "2/3")]
    pub(crate) reconstruction: Fraction,
}

pub(super) fn keygen(args: &KeygenArgs) -> Result<Report, Error> {
    let keys = SecretKeys::generate(&mut OsRng);
    let public = keys.publish(&mut OsRng);
    let output = Output::new(&args.out, &[PUBLIC_FILE], args.force)?;
    let mut output = output.secrets(Secret::PlayerKeys, &[SECRET_FILE])?;
    let secret = pretty(&SecretFile::new(&keys));
    output.write_secret(SECRET_FILE, |file| file.write_all(&secret))?;
    let content = pretty(&PublicFile::new(&public));
    output.write(PUBLIC_FILE, |file| file.write_all(&content))?;
    output.commit()?;
    let dir = args.out.display();
    let text = format!("{dir}/{PUBLIC_FILE} is for everybody, {dir}/{SECRET_FILE} for nobody else");
    let json = json!({
        "encryption_key": to_hex(&public.encryption_key),
        "signing_key": to_hex(&public.signing_key),
        "out": args.out,
    });
    Ok(Report { text, json })
}

pub(super) fn session(args: &SessionArgs) -> Result<Report, Error> {
    let (weights, threshold, stakes) = match &args.stakes {
        Some(path) => {
            let stakes = read_stakes(path)?;
            let BoundsArgs { secrecy, reconstruction } = args.bounds;
            let made = dkg::weights(&stakes, secrecy, reconstruction)
                .map_err(|found| Error::file(path, found.to_string()))?;
            (made.weights, made.threshold, Some(stakes))
        }
        None => (args.weights.clone(), args.threshold.unwrap_or_default(), None),
    };
    let usage = |found: Fault| Error::usage(found.to_string());
    let shape = Shape::new(args.variant, args.chunk_bits, threshold, &weights).map_err(usage)?;
    let decode = |path: &PathBuf| read::<PublicFile>(path)?.decode(path);
    let players = args.keys.iter().map(decode).collect::<Result<Vec<_>, _>>()?;
    for kept in [Some(&args.srs), args.lagrange.as_ref()].into_iter().flatten() {
        needs_file(kept, "every command of the session reads it")?;
    }
    let srs = read_srs(&args.srs)?;
    let parameters = match &args.lagrange {
        Some(kept) => kept_parameters(&srs, shape.domain(), (&args.srs, kept))?,
        None => Parameters::new(&srs, shape.domain()).map_err(fault(&args.srs))?,
    };
    let session = Session::new(shape, &players, parameters, args.epoch, args.label.as_bytes())
        .map_err(fault(&args.out.out))?;
    let file = SessionFile::new(&session, &args.srs, args.lagrange.clone(), &players, stakes);
    args.out.write(&pretty(&file))?;
    let shape = session.shape();
    let insecure = session.parameters().is_insecure();
    let text = format!(
        "{}: {} players, {} of {} shares, {}, chunks of {} bits, dealings of {} bytes{}",
        args.out.out.display(),
        shape.players(),
        shape.threshold(),
        shape.shares(),
        shape.variant(),
        shape.chunk_bits(),
        shape.transcript_bytes() + SIGNATURE_BYTES,
        if insecure { "; the reference string is INSECURE" } else { "" },
    );
    let json = json!({
        "players": shape.players(),
        "shares": shape.shares(),
        "threshold": shape.threshold(),
        "weights": shape.weights(),
        "variant": shape.variant().name(),
        "digest": to_hex(session.digest()),
        "insecure_srs": insecure,
        "out": args.out.out,
    });
    Ok(Report { text, json })
}
