//! `muster frost keygen`.

use std::path::PathBuf;

use muster_threshold::frost::{keys, Suite, SuiteName};
use rand::rngs::OsRng;
use serde_json::json;

use super::{run_in, Report, Step};
use crate::{
    encoding::to_hex,
    files::frost::{number, write, write_secret, GroupFile, ShareFile},
    output::{Output, Secret},
    Error,
};

/// Name of the group's file.
pub(super) const GROUP_FILE: &str = "group.json";

/// Make a key and split it among members: for a dealer whom all trust.
#[derive(Debug, clap::Args)]
#[command(after_help = "Writes group.json, for everybody, and share-1.json and so on, one for each
member alone. Without a dealer whom all trust: muster frost dkg.")]
pub(super) struct KeygenArgs {
    /// The suite.
    #[arg(long)]
    suite: SuiteName,
    /// How many members sign.
    #[arg(long, value_name = "T")]
    threshold: u16,
    /// Members of the group.
    #[arg(long, value_name = "N")]
    signers: u16,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

/// Name of a member's file.
pub(super) fn share_file(member: u16) -> String {
    format!("share-{member}.json")
}

pub(super) fn run(args: &KeygenArgs) -> Result<Report, Error> {
    run_in(args.suite, args)
}

impl Step for KeygenArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let (dealt, group) = keys::deal::<C>(self.threshold, self.signers, &mut OsRng)?;
        let names: Vec<_> = (1..=self.signers).map(share_file).collect();
        let mut output = Output::new(&self.out, &[GROUP_FILE], self.force)?
            .secrets(Secret::FrostShare, &names)?;
        write(&mut output, GROUP_FILE, &GroupFile::new(&group)?)?;
        for (id, share) in dealt {
            let share = ShareFile::new(&keys::accept(share)?)?;
            write_secret(&mut output, &share_file(number::<C>(&id)?), &share)?;
        }
        output.commit()?;
        let key = group.verifying_key().serialize().unwrap_or_default();
        let (out, key) = (self.out.display(), to_hex(&key));
        let text = format!(
            "{out}/{GROUP_FILE}: any {} of {} members sign, public key {key}\n{out}/share-1.json \
             to share-{}.json: a member's secret each",
            self.threshold, self.signers, self.signers
        );
        let json = json!({
            "suite": C::NAME,
            "threshold": self.threshold,
            "signers": self.signers,
            "public_key": key,
            "group": self.out.join(GROUP_FILE),
        });
        Ok(Report { text, json })
    }
}
