//! `muster bls-threshold aggregate`.

use std::path::{Path, PathBuf};

use muster_prover::{encoding::to_hex, output::Output};
use muster_threshold::bls::{Aggregate, Ciphersuite, Error as Fault, Group, SignatureShare, Task};
use rand::rngs::OsRng;
use serde_json::json;

use super::sign::MessageArgs;
use crate::{
    files::{
        bls_threshold::{GroupFile, ShareFile, SignatureFile},
        write_pretty,
    },
    progress::Progress,
    report::{list, Report},
    table, Error,
};

/// Combine shares into the group's signature, and verify it. Signers with bad shares are named,
/// including those whose share is not a point of the group or, with --message, is for another
/// message; the signature is still made if enough other shares are good. Without --message, all
/// files must name the same message.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster bls-threshold aggregate --group group/group.json share-1.json share-3.json \\
      --out signature.json

Exit status 1 if too few shares are good; the signers of bad ones are named.")]
pub(super) struct AggregateArgs {
    /// Files of shares; together they must hold at least as many as the threshold.
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
    /// The group's file.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    #[command(flatten)]
    message: MessageArgs,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// File for the signature.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The group's file is read: its suite is known.
struct Work<'a> {
    args: &'a AggregateArgs,
    group: GroupFile,
}

pub(super) fn run(args: &AggregateArgs) -> Result<Report, Error> {
    let group = GroupFile::read(&args.group)?;
    group.suite.with(Work { args, group })
}

impl Task for Work<'_> {
    type Output = Result<Report, Error>;

    fn run<S: Ciphersuite<Signed = [u8]>>(self) -> Result<Report, Error> {
        let args = self.args;
        let (mut output, name) = Output::single(&args.out, args.force)?;
        let group = self.group.decode::<S>(&args.group)?;
        let Shares { message, shares, bad } = Shares::read(args, &group)?;
        let made = group.aggregate(&message, &shares, &mut OsRng);
        let mut made = made.map_err(|fault| refused(&args.group, fault, &bad))?;
        made.bad.extend(bad);
        made.bad.sort_unstable();
        if !made.bad.is_empty() {
            let bad = list(&made.bad);
            Progress::new().warn(&format!("left out the bad shares of signers {bad}"));
        }
        let content = SignatureFile::new(&message, &group, &made);
        output.write(&name, |file| write_pretty(file, &content))?;
        output.commit()?;
        Ok(report(args, &message, &made))
    }
}

/// What the files hold.
struct Shares<S: Ciphersuite<Signed = [u8]>> {
    message: Vec<u8>,
    /// Shares for the message, by different signers of the group.
    shares: Vec<SignatureShare<S>>,
    /// Signers whose files hold no such share.
    bad: Vec<u32>,
}

impl<S: Ciphersuite<Signed = [u8]>> Shares<S> {
    fn read(args: &AggregateArgs, group: &Group<S>) -> Result<Self, Error> {
        let files = args.shares.iter().map(|path| Ok((path, ShareFile::read(path)?)));
        let files = files.collect::<Result<Vec<_>, Error>>()?;
        let message = match args.message.read()? {
            Some(message) => message,
            None => common(&files)?,
        };
        let (mut shares, mut bad) = (Vec::with_capacity(files.len()), vec![]);
        let mut seen = vec![None; group.signers().len() + 1];
        for (path, file) in files {
            let other = file.message(path)? != message;
            for (i, (signer, share)) in file.decode::<S>(path)?.into_iter().enumerate() {
                let at = file.place(i, "signer");
                group.signer(signer).map_err(|fault| Error::field(path, &at, fault))?;
                if let Some(first) = seen[signer as usize].replace(path) {
                    let reason = format!("{signer}: the same as in {}", first.display());
                    return Err(Error::field(path, &at, reason));
                }
                match share {
                    Ok(share) if !other => shares.push(share),
                    _ => bad.push(signer),
                }
            }
        }
        Ok(Self { message, shares, bad })
    }
}

/// The message that all files name. If they differ, the files alone cannot show who is wrong:
/// sending most of them, or the first one, does not make anyone right.
fn common(files: &[(&PathBuf, ShareFile)]) -> Result<Vec<u8>, Error> {
    let mut first: Option<(&Path, Vec<u8>)> = None;
    for (path, file) in files {
        let message = file.message(path)?;
        match &first {
            Some((other, expected)) if *expected != message => {
                return Err(Error::usage(format!(
                    "{} and {} are for different messages: use --message to say which one to sign",
                    other.display(),
                    path.display()
                )));
            }
            Some(_) => {}
            None => first = Some((path, message)),
        }
    }
    Ok(first.map(|(_, message)| message).unwrap_or_default())
}

/// Whatever was given, the group has not signed. `unread` are the signers whose files hold no share
/// for the message.
fn refused(path: &Path, fault: Fault, unread: &[u32]) -> Error {
    if let Fault::TooFewShares { bad, .. } = &fault {
        let mut bad = [bad, unread].concat();
        bad.sort_unstable();
        if !bad.is_empty() {
            return Error::rejected(path, format!("bad shares of signers {}: {fault}", list(&bad)));
        }
    }
    Error::rejected(path, fault)
}

fn report<S: Ciphersuite<Signed = [u8]>>(
    args: &AggregateArgs,
    message: &[u8],
    made: &Aggregate<S>,
) -> Report {
    let hex = to_hex(&made.signature.to_bytes());
    let timing = &made.timing;
    let rows = [
        ("signature", hex.clone()),
        ("signers", list(made.signers.indices())),
        ("pairing checks", made.pairing_checks.to_string()),
        ("Lagrange", table::time(timing.lagrange)),
        ("combination", table::time(timing.combination)),
        ("verification", table::time(timing.verification)),
        ("search", table::time(timing.search)),
    ];
    let json = json!({
        "suite": S::NAME,
        "message": to_hex(message),
        "signature": hex,
        "signers": made.signers.indices(),
        "bad": made.bad,
        "pairing_checks": made.pairing_checks,
        "lagrange_s": timing.lagrange.as_secs_f64(),
        "combination_s": timing.combination.as_secs_f64(),
        "verification_s": timing.verification.as_secs_f64(),
        "search_s": timing.search.as_secs_f64(),
        "out": args.out,
    });
    Report { text: format!("{}\n{}", args.out.display(), table::table(&rows)), json }
}
