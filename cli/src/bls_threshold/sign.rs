//! `muster bls-threshold sign`, and the message on the command line.

use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_prover::{encoding::to_hex, output::Output};
use muster_threshold::bls::{Ciphersuite, Group, SignatureShare, Task};
use rand::rngs::OsRng;
use serde_json::json;

use crate::{
    files::{
        bls_threshold::{secret_name, GroupFile, SecretFile, ShareFile, GROUP_FILE},
        write_pretty,
    },
    report::{list, Report},
    values::{bytes, bytes_of, Bytes},
    Error,
};

/// Greatest length of a message's file.
const MESSAGE_LIMIT: u64 = 1 << 26;

/// The message that is signed.
#[derive(Debug, clap::Args)]
pub(crate) struct MessageArgs {
    /// The message: any number of bytes in 0x hex.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Option<Bytes>,
    /// File whose bytes are the message.
    #[arg(long, value_name = "FILE", conflicts_with = "message")]
    message_file: Option<PathBuf>,
}

impl MessageArgs {
    /// The message, if there is one.
    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, Error> {
        bytes_of(self.message.as_ref(), self.message_file.as_deref(), MESSAGE_LIMIT)
    }
}

/// Make a signer's share of a signature, or all the shares of a player that holds several. With
/// --shares, every secret in a directory (secret-1.json, secret-2.json, …) signs, and one file
/// holds all the shares. They are checked together against the group, with one product of pairings.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster bls-threshold sign --secret group/secret-1.json --message 0x6869 --out share-1.json
  muster bls-threshold sign --shares key-1 --message 0x6869 --out signed-1.json")]
pub(super) struct SignArgs {
    /// The signer's secret.
    #[arg(long, value_name = "FILE", required_unless_present = "shares")]
    secret: Option<PathBuf>,
    /// Directory with a player's secrets and group.json, as `muster dkg shares` makes it.
    #[arg(long, value_name = "DIR", conflicts_with = "secret")]
    shares: Option<PathBuf>,
    #[command(flatten)]
    message: MessageArgs,
    /// The group's file, to check that the secrets belong to its signers (default with --shares:
    /// group.json beside them).
    #[arg(long, value_name = "FILE")]
    group: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// File for the shares.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The secrets' files, at least one, have been read, so their suite is known.
struct Sign<'a> {
    args: &'a SignArgs,
    secrets: Vec<(PathBuf, SecretFile)>,
}

pub(super) fn run(args: &SignArgs) -> Result<Report, Error> {
    let paths = match (&args.secret, &args.shares) {
        (Some(path), _) => vec![path.clone()],
        (None, Some(dir)) => secrets_in(dir)?,
        (None, None) => vec![],
    };
    let read = |path: PathBuf| SecretFile::read(&path).map(|secret| (path, secret));
    let secrets = paths.into_iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    let suite = secrets.first().map(|(_, secret)| secret.suite).unwrap_or_default();
    suite.with(Sign { args, secrets })
}

/// The secrets in a directory, by their numbers.
fn secrets_in(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut numbers = vec![];
    for entry in fs::read_dir(dir).map_err(Error::io(dir))? {
        let name = entry.map_err(Error::io(dir))?.file_name();
        let Some(name) = name.to_str() else { continue };
        let number = name.strip_prefix("secret-").and_then(|rest| rest.strip_suffix(".json"));
        let number = number.and_then(|number| number.parse::<u32>().ok());
        numbers.extend(number.filter(|number| secret_name(*number) == name));
    }
    numbers.sort_unstable();
    if numbers.is_empty() {
        Err(Error::file(dir, "no secrets of signers"))
    } else {
        Ok(numbers.into_iter().map(|number| dir.join(secret_name(number))).collect())
    }
}

impl Task for Sign<'_> {
    type Output = Result<Report, Error>;

    fn run<S: Ciphersuite<Signed = [u8]>>(self) -> Result<Report, Error> {
        let Self { args, secrets } = self;
        let missing = || Error::usage("--message or --message-file: missing".into());
        let message = args.message.read()?.ok_or_else(missing)?;
        let mut signed: Vec<SignatureShare<S>> = Vec::with_capacity(secrets.len());
        for (path, secret) in &secrets {
            let secret = secret.decode::<S>(path)?;
            if let Some(other) = signed.iter().position(|share| share.index == secret.index()) {
                let reason = format!("the same as in {}", secrets[other].0.display());
                return Err(Error::field(path, "signer", reason));
            }
            signed.push(secret.sign(&message));
        }
        let beside = args.shares.as_ref().map(|dir| dir.join(GROUP_FILE));
        if let Some(path) = args.group.as_ref().or(beside.as_ref()) {
            let group = GroupFile::read(path)?.decode::<S>(path)?;
            check(&group, &message, &signed, &secrets)?;
        }
        let (mut output, name) = Output::single(&args.out, args.force)?;
        let content = ShareFile::new(&message, &signed);
        output.write(&name, |file| write_pretty(file, &content))?;
        output.commit()?;
        Ok(report(args, &message, &signed))
    }
}

/// Checks that secrets are those of their signers: all shares at once.
fn check<S: Ciphersuite<Signed = [u8]>>(
    group: &Group<S>,
    message: &[u8],
    signed: &[SignatureShare<S>],
    secrets: &[(PathBuf, SecretFile)],
) -> Result<(), Error> {
    for (share, (path, _)) in signed.iter().zip(secrets) {
        group.signer(share.index).map_err(|fault| Error::field(path, "signer", fault))?;
    }
    let checked = group.bad_shares(message, signed, &mut OsRng);
    let (bad, _) = checked.map_err(|fault| Error::usage(fault.to_string()))?;
    let culprit = signed.iter().zip(secrets).find(|(share, _)| bad.contains(&share.index));
    match culprit {
        Some((share, (path, _))) => {
            let reason = format!("not the secret of signer {} of the group", share.index);
            Err(Error::file(path, reason))
        }
        None => Ok(()),
    }
}

fn report<S: Ciphersuite<Signed = [u8]>>(
    args: &SignArgs,
    message: &[u8],
    signed: &[SignatureShare<S>],
) -> Report {
    let signers: Vec<u32> = signed.iter().map(|share| share.index).collect();
    let whose = match signers[..] {
        [signer] => format!("the share of signer {signer}"),
        _ => format!("the shares of signers {}", list(&signers)),
    };
    let mut json = json!({
        "suite": S::NAME,
        "message": to_hex(message),
        "signers": signers,
        "out": args.out,
    });
    if let [share] = signed {
        json["signer"] = json!(share.index);
        json["signature"] = json!(to_hex(&share.signature.to_bytes()));
    }
    Report { text: format!("{}: {whose}", args.out.display()), json }
}
