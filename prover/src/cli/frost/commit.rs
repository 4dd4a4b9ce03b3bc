//! `muster frost commit`.

use std::path::PathBuf;

use muster_threshold::frost::{sign, Suite};
use rand::rngs::OsRng;
use serde_json::json;

use super::{run_in, Report, Step};
use crate::{
    files::frost::{number, suite_of, write, write_secret, CommitmentFile, NoncesFile, ShareFile},
    output::{Output, Secret},
    Error,
};

/// The first round of a signature: make two nonces, and commit to them.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes commitment-I.json, for the coordinator and all signers, and the secret
nonces-I.json, for one signature and never another."
)]
pub(super) struct CommitArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &CommitArgs) -> Result<Report, Error> {
    run_in(suite_of(&args.share)?, args)
}

impl Step for CommitArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let share = ShareFile::read::<C>(&self.share)?;
        let member = number::<C>(share.identifier())?;
        let names = [format!("commitment-{member}.json"), format!("nonces-{member}.json")];
        let [public, secret] = &names;
        let mut output = Output::new(&self.out, &[public], self.force)?
            .secrets(Secret::FrostNonces, &[secret])?;
        let (nonces, commitment) = sign::commit(&share, &mut OsRng)?;
        write_secret(&mut output, secret, &NoncesFile::new(share.identifier(), &nonces)?)?;
        write(&mut output, public, &CommitmentFile::new(share.identifier(), &commitment)?)?;
        output.commit()?;
        let out = self.out.display();
        let text = format!(
            "{out}/{public}: member {member}'s commitment, for everybody\n{out}/{secret}: its \
             nonces, a secret"
        );
        let json = json!({
            "suite": C::NAME,
            "member": member,
            "commitment": self.out.join(public),
            "nonces": self.out.join(secret),
        });
        Ok(Report { text, json })
    }
}
