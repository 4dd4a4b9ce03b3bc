//! `muster bls-threshold keygen`.

use muster_prover::{
    encoding::to_hex,
    output::{Output, Secret},
};
use muster_schemes::decimal;
use muster_threshold::bls::{deal, Ciphersuite, Identities, SuiteName, Task};
use rand::rngs::OsRng;
use serde_json::json;

use crate::{
    files::{
        bls_threshold::{secret_name, GroupFile, SecretFile, GROUP_FILE},
        write_pretty,
    },
    progress::Progress,
    report::Report,
    store_args::FolderArgs,
    values::bls_suites,
    Error,
};

/// The most signers for whom files are made, one each.
const MOST_FILES: usize = 1 << 16;

/// Deal a key: group.json for everybody, and secret-1.json, secret-2.json, …, one for each signer.
///
/// The dealer sees every secret. Give each signer its file and delete it here.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster bls-threshold keygen --threshold 2 --signers 3 --out group
  muster bls-threshold keygen --threshold 2 --signers 3 --suite bls12-381-min-pk --out group")]
pub(super) struct KeygenArgs {
    /// How many signers it takes to sign.
    #[arg(long, value_name = "T", value_parser = decimal::read::<usize>)]
    threshold: usize,
    /// How many signers there are.
    #[arg(long, value_name = "N",
          value_parser = decimal::within::<usize>(1..=MOST_FILES))]
    signers: usize,
    /// The curve, and whether keys or signatures are short.
    #[arg(long, value_parser = bls_suites(), default_value_t)]
    suite: SuiteName,
    /// The signers' identities: consecutive (1, …, n) or roots-of-unity, which aggregate
    /// faster.
    #[arg(long, value_name = "I", default_value_t)]
    identities: Identities,
    #[command(flatten)]
    to: FolderArgs,
}

pub(super) fn run(args: &KeygenArgs) -> Result<Report, Error> {
    args.suite.with(args)
}

impl Task for &KeygenArgs {
    type Output = Result<Report, Error>;

    fn run<S: Ciphersuite<Signed = [u8]>>(self) -> Result<Report, Error> {
        let names: Vec<String> = (1..=self.signers as u32).map(secret_name).collect();
        let mut output = Output::new(&self.to.out, &[GROUP_FILE], self.to.force)?
            .secrets(Secret::BlsShare, &names)?;
        let what = format!("dealing {} shares", self.signers);
        let deal = || deal::<S>(self.identities, self.threshold, self.signers, &mut OsRng);
        let dealt = Progress::new().run(&what, deal);
        let (group, secrets) =
            dealt.map_err(|fault| Error::usage(format!("--threshold: {fault}")))?;
        for (secret, name) in secrets.iter().zip(&names) {
            let content = SecretFile::new(secret);
            output.write_secret(name, |file| write_pretty(file, &content))?;
        }
        let content = GroupFile::new(&group);
        output.write(GROUP_FILE, |file| write_pretty(file, &content))?;
        output.commit()?;
        let (out, key) = (self.to.out.display(), to_hex(&group.public_key().to_bytes()));
        let (threshold, signers) = (self.threshold, self.signers);
        let text = format!(
            "{out}/{GROUP_FILE}: {threshold} of {signers} sign for {key}\n{out}/{} … {}: for one \
             signer each, and for nobody else",
            names[0],
            names[signers - 1],
        );
        let json = json!({
            "suite": S::NAME,
            "identities": self.identities.name(),
            "threshold": threshold,
            "signers": signers,
            "public_key": key,
            "group": self.to.out.join(GROUP_FILE),
            "secrets": names.iter().map(|name| self.to.out.join(name)).collect::<Vec<_>>(),
        });
        Ok(Report { text, json })
    }
}
