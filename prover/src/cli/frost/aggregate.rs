//! `muster frost aggregate`.

use std::path::{Path, PathBuf};

use muster_threshold::frost::{aggregate, unique, FrostError, SignatureShare, Suite};
use serde_json::json;

use super::{run_in, Bytes, PackageArgs, Report, Step};
use crate::{
    encoding::to_hex,
    files::frost::{suite_of, write, GroupFile, SignatureShareFile},
    output::Output,
    Error,
};

/// Add up the shares to the group's signature, and verify it; or name whose shares are bad.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status 1 if shares do not verify: their members are named.")]
pub(super) struct AggregateArgs {
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    #[command(flatten)]
    package: PackageArgs,
    /// Everybody's share of the signature.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    shares: Vec<PathBuf>,
    /// File for the signature, in place of the screen.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there already.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &AggregateArgs) -> Result<Report, Error> {
    run_in(suite_of(&args.group)?, args)
}

impl Step for AggregateArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let output =
            self.out.as_deref().map(|path| Output::single(path, self.force)).transpose()?;
        let group = GroupFile::read::<C>(&self.group)?;
        let package = self.package.read::<C>()?;
        let read = |path: &PathBuf| SignatureShareFile::read::<C>(path as &Path);
        let shares = self.shares.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        let shares = unique::<C, SignatureShare<C>>(shares)?;
        let signature = aggregate(&package, &shares, &group)?;
        let signature = to_hex(&signature.serialize().map_err(FrostError::from)?);
        let key = to_hex(&group.verifying_key().serialize().map_err(FrostError::from)?);
        let Bytes(message) = &self.package.message;
        let mut json = json!({
            "suite": C::NAME,
            "public_key": key,
            "message": to_hex(message),
            "signature": signature,
        });
        let mut text = format!("accepted: {} members signed as {key}\n{signature}", shares.len());
        if let Some(((mut output, name), path)) = output.zip(self.out.as_ref()) {
            write(&mut output, &name, &json)?;
            output.commit()?;
            text =
                format!("{}: accepted: {} members signed as {key}", path.display(), shares.len());
            json["out"] = json!(path);
        }
        json["accepted"] = true.into();
        Ok(Report { text, json })
    }
}
