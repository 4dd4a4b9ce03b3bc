//! `muster dkg sign`: a signature by each of a player's shares.

use std::path::{Path, PathBuf};

use muster_threshold::bls::{Group, MinSignature, SecretShare, SignatureShare};
use rand::rngs::OsRng;
use serde_json::json;

use crate::{
    cli::Report,
    encoding::from_hex,
    files::bls_threshold::{
        secret_name, write_pretty, GroupFile, SecretFile, ShareFile, GROUP_FILE,
    },
    output::Output,
    Error,
};

/// Sign with all shares of a player: a file a share, for `muster bls-threshold aggregate`.
#[derive(Debug, clap::Args)]
pub(super) struct SignArgs {
    /// The directory that `muster dkg shares` has made.
    #[arg(long, value_name = "DIR")]
    shares: PathBuf,
    /// The message: bytes of any number in 0x hex.
    #[arg(long, value_name = "HEX")]
    message: String,
    /// Directory for share-1.json and so on.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

/// The secrets in a directory, of signers of the group there.
fn read_secrets(
    dir: &Path,
    group: &Group<MinSignature>,
) -> Result<Vec<SecretShare<MinSignature>>, Error> {
    let mut secrets = vec![];
    for index in 1..=group.signers().len() as u32 {
        let path = dir.join(secret_name(index));
        if path.is_file() {
            let secret = SecretFile::read(&path)?.decode::<MinSignature>(&path)?;
            if secret.index() != index {
                return Err(Error::field(
                    &path,
                    "signer",
                    format!("{}, not {index}", secret.index()),
                ));
            }
            secrets.push(secret);
        }
    }
    match secrets.is_empty() {
        true => Err(Error::file(dir, "no shares of signers of the group")),
        false => Ok(secrets),
    }
}

pub(super) fn run(args: &SignArgs) -> Result<Report, Error> {
    let message =
        from_hex(&args.message).map_err(|reason| Error::Usage(format!("--message: {reason}")))?;
    let path = args.shares.join(GROUP_FILE);
    let group = GroupFile::read(&path)?.decode::<MinSignature>(&path)?;
    let secrets = read_secrets(&args.shares, &group)?;
    let signed: Vec<SignatureShare<MinSignature>> =
        secrets.iter().map(|secret| secret.sign(&message)).collect();
    // All at once: one product of pairings tells whether the secrets are the group's.
    let checked = group.bad_shares(&message, &signed, &mut OsRng);
    let (bad, _) = checked.map_err(|found| Error::file(&path, found.to_string()))?;
    if let Some(index) = bad.first() {
        let secret = args.shares.join(secret_name(*index));
        return Err(Error::file(&secret, "not the secret of its signer of the group"));
    }
    let names: Vec<String> =
        signed.iter().map(|share| format!("share-{}.json", share.index)).collect();
    let listed: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut output = Output::new(&args.out, &listed, args.force)?;
    for (share, name) in signed.iter().zip(&names) {
        let content = ShareFile::new(&message, share);
        output.write(name, |file| write_pretty(file, &content))?;
    }
    output.commit()?;
    let text = format!("{}: {}", args.out.display(), names.join(", "));
    let indices: Vec<u32> = signed.iter().map(|share| share.index).collect();
    Ok(Report { text, json: json!({ "signers": indices, "out": args.out }) })
}
