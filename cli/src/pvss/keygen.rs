//! `muster pvss keygen`.

use std::{io::Write, path::PathBuf};

use muster_prover::{
    encoding::to_hex,
    output::{Output, Secret},
};
use muster_threshold::pvss::SecretKeys;
use rand::rngs::OsRng;
use serde_json::json;

use super::inputs::{PUBLIC_FILE, SECRET_FILE};
use crate::{
    files::pvss::{pretty, PublicFile, SecretFile},
    report::Report,
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

pub(super) fn run(args: &KeygenArgs) -> Result<Report, Error> {
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
