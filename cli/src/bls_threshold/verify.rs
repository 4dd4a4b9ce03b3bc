//! `muster bls-threshold verify`.

use std::path::{Path, PathBuf};

use muster_prover::encoding::to_hex;
use muster_schemes::signature::bls::OtherHash;
use muster_threshold::bls::{Ciphersuite, Group, PublicKey, Signature, SignatureShare, Task};
use rand::rngs::OsRng;
use serde_json::json;

use super::sign::MessageArgs;
use crate::{
    files::bls_threshold::{GroupFile, ShareFile, SignatureFile, Signed},
    report::{list, Report},
    Error,
};

/// Verify a signature with the group's key, or shares with their signers' keys.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster bls-threshold verify signature.json --group group/group.json --message 0x6869
  muster bls-threshold verify share-1.json --share --group group/group.json")]
pub(super) struct VerifyArgs {
    /// The signature's file or, with --share, a file of shares.
    file: PathBuf,
    /// The file holds shares; all are checked at once.
    #[arg(long)]
    share: bool,
    /// The group's file.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    #[command(flatten)]
    message: MessageArgs,
}

/// The group's file is read: its suite is known.
struct Verify<'a> {
    args: &'a VerifyArgs,
    group: GroupFile,
}

pub(super) fn run(args: &VerifyArgs) -> Result<Report, Error> {
    let group = GroupFile::read(&args.group)?;
    group.suite.with(Verify { args, group })
}

impl Task for Verify<'_> {
    type Output = Result<Report, Error>;

    fn run<S: Ciphersuite<Signed = [u8]>>(self) -> Result<Report, Error> {
        let (args, path) = (self.args, &self.args.file);
        let group = self.group.decode::<S>(&args.group)?;
        let expected = args.message.read()?;
        let (message, fault, who) = if args.share {
            shares(path, &group)?
        } else {
            let signed = SignatureFile::read(path)?.decode::<S>(path)?;
            let Signed { message, key, signature } = signed;
            if key != *group.public_key() {
                return Err(Error::rejected(path, "public_key: not the group's"));
            }
            let fault = refusal(&key, &message, &signature);
            (message, fault, "the group".to_owned())
        };
        if expected.is_some_and(|expected| expected != message) {
            return Err(Error::rejected(path, "message: not the one expected"));
        }
        if let Some(fault) = fault {
            let but = fault.map(|other| format!(", but with {other} it is")).unwrap_or_default();
            return Err(Error::rejected(path, format!("signature: not that of {who}{but}")));
        }
        let hex = to_hex(&message);
        let text = format!("accepted: {who} signed {hex}");
        let json = json!({ "accepted": true, "suite": S::NAME, "message": hex, "signed_by": who });
        Ok(Report { text, json })
    }
}

/// A signature that does not hold, and with which other hash it does, if there is one.
type Fault = Option<OtherHash>;

/// Why a signature is none; `None` if it is one.
fn refusal<S: Ciphersuite<Signed = [u8]>>(
    key: &PublicKey<S>,
    message: &[u8],
    signature: &Signature<S>,
) -> Option<Fault> {
    let holds = key.verify(message, signature);
    (!holds).then(|| key.other_tag(message, signature, Some(S::TAG)))
}

/// The message of a file of shares, what is wrong with the first bad one, and whose are bad or, if none are, whose all are.
fn shares<S: Ciphersuite<Signed = [u8]>>(
    path: &Path,
    group: &Group<S>,
) -> Result<(Vec<u8>, Option<Fault>, String), Error> {
    let file = ShareFile::read(path)?;
    let message = file.message(path)?;
    let (mut shares, mut signers): (Vec<SignatureShare<S>>, Vec<u32>) = (vec![], vec![]);
    for (i, (signer, share)) in file.decode::<S>(path)?.into_iter().enumerate() {
        let at = file.place(i, "signer");
        group.signer(signer).map_err(|fault| Error::field(path, &at, fault))?;
        if signers.contains(&signer) {
            return Err(Error::field(path, &at, format!("{signer}: occurs twice")));
        }
        signers.push(signer);
        shares.push(share?);
    }
    // All at once: a product of pairings, and a few more if it is not one.
    let checked = group.bad_shares(&message, &shares, &mut OsRng);
    let (bad, _) = checked.map_err(|fault| Error::file(path, fault.to_string()))?;
    let who = if bad.is_empty() { &signers } else { &bad };
    let word = if who.len() == 1 { "signer" } else { "signers" };
    let first = shares.iter().find(|share| bad.contains(&share.index));
    let fault = first.map(|share| {
        let key = group.signer(share.index).ok()?;
        key.other_tag(&message, &share.signature, Some(S::TAG))
    });
    Ok((message, fault, format!("{word} {}", list(who))))
}
