//! `muster bls-threshold verify`.

use std::path::PathBuf;

use muster_threshold::bls::Suite;
use serde_json::json;

use super::MessageArgs;
use crate::{
    cli::Report,
    encoding::to_hex,
    files::bls_threshold::{GroupFile, ShareFile, SignatureFile, Signed, Task},
    Error,
};

/// Verify a signature with the group's key, or a share with its signer's.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// The signature's file, or with --share a share's.
    file: PathBuf,
    /// The file is a share's.
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
    type Output = Report;

    fn run<S: Suite>(self) -> Result<Report, Error> {
        let (args, path) = (self.args, &self.args.file);
        let group = self.group.decode::<S>(&args.group)?;
        let expected = args.message.read()?;
        let (message, good, who) = if args.share {
            let (message, share) = ShareFile::read(path)?.decode::<S>(path)?;
            let good = group.verify_share(&message, &share);
            let good = good.map_err(|fault| Error::field(path, "signer", fault))?;
            (message, good, format!("signer {}", share.index))
        } else {
            let signed = SignatureFile::read(path)?.decode::<S>(path)?;
            let Signed { message, key, signature } = signed;
            if key != *group.public_key() {
                return Err(rejected(path, "public_key: not the group's".into()));
            }
            let good = key.verify(&message, &signature);
            (message, good, "the group".to_owned())
        };
        if expected.is_some_and(|expected| expected != message) {
            return Err(rejected(path, "message: not the one expected".into()));
        }
        if !good {
            return Err(rejected(path, format!("signature: not that of {who}")));
        }
        let hex = to_hex(&message);
        let text = format!("accepted: {who} signed {hex}");
        let json = json!({ "accepted": true, "suite": S::NAME, "message": hex, "signed_by": who });
        Ok(Report { text, json })
    }
}

fn rejected(path: &std::path::Path, reason: String) -> Error {
    Error::BadThresholdSignature { path: path.to_path_buf(), reason }
}
