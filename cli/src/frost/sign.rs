//! The two rounds of a signature: `muster frost commit` and `sign`.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    slice,
};

use muster_prover::Error as ProverError;
use rand::rngs::OsRng;
use serde_json::json;

use super::args::{located, OutArgs, PackageArgs};
use crate::{
    files::frost::{
        open, open_single, read, write, CommitmentFile, Document, NoncesFile, ShareFile,
        SignatureShareFile, COMMITMENT, NONCES, SIGNATURE_SHARE,
    },
    report::Report,
    spool::needs_file,
    Error,
};

/// The first round of a signature: make two nonces, and commit to them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost commit --share keys/share-1.json --out .

Writes commitment-I.json, for the coordinator, and the secret nonces-I.json, for one
signature and never another.")]
pub(super) struct CommitArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    #[command(flatten)]
    out: OutArgs,
}

/// The second round of a signature: make the member's share of it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost sign --share keys/share-1.json --nonces nonces-1.json \\
      --commitments commitment-1.json commitment-3.json --message 0x… --out signature-share-1.json

Take the list of commitments from the coordinator; all signers must use the same one: a
share made for another list is useless. The share's file says what it is for.

The nonces are used up before the share is written, and refused from then on: a second signature with
them would give the secret share away. Their file must have no other name: no links to it, no copies.
If the command is killed, they are gone, or left under a hidden name .muster-nonces-…: never put them
back; make new ones.")]
pub(super) struct SignArgs {
    /// The member's share of the key.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// The member's nonces.
    #[arg(long, value_name = "FILE")]
    nonces: PathBuf,
    #[command(flatten)]
    package: PackageArgs,
    /// File for the share of the signature.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists. A secret is never replaced.
    #[arg(long)]
    force: bool,
}

pub(super) fn commit(args: &CommitArgs) -> Result<Report, Error> {
    let share: ShareFile = read(&args.share)?;
    let (member, dir) = (share.member(), &args.out.out);
    let [public, secret] = [format!("commitment-{member}.json"), format!("nonces-{member}.json")];
    let files = [(public.clone(), COMMITMENT), (secret.clone(), NONCES)];
    let mut output = open(dir, &files, args.out.force)?;
    let made = share.suite().ceremony().commit(&share, &mut OsRng);
    let (nonces, commitment) = made.map_err(located([("share", slice::from_ref(&args.share))]))?;
    write(&mut output, &secret, &nonces)?;
    write(&mut output, &public, &commitment)?;
    output.commit()?;
    let out = dir.display();
    let text = format!(
        "{out}/{public}: member {member}'s commitment, for the coordinator\n{out}/{secret}: its \
         nonces, a secret"
    );
    let json = json!({
        "suite": share.suite(),
        "member": member,
        "commitment": dir.join(public),
        "nonces": dir.join(secret),
    });
    Ok(Report { text, json })
}

pub(super) fn sign(args: &SignArgs) -> Result<Report, Error> {
    let share: ShareFile = read(&args.share)?;
    let package = args.package.read(share.suite())?;
    let (mut output, name) = open_single(&args.out, SIGNATURE_SHARE, args.force)?;
    let signers = package.0.len();
    let signed = Taken::take(&args.nonces)?.sign(args, &share, package)?;
    write(&mut output, &name, &signed)?;
    output.commit()?;
    let (member, out) = (share.member(), args.out.display());
    let text = format!(
        "{out}: member {member}'s share of a signature by {signers}\n{}: used up",
        args.nonces.display()
    );
    let json = json!({
        "suite": share.suite(),
        "member": member,
        "signers": signers,
        "out": args.out,
    });
    Ok(Report { text, json })
}

/// The nonces' file under a name that no other process knows: of several processes that try to use
/// it, one gets it. It goes back to its place, unused or overwritten.
struct Taken {
    path: PathBuf,
    place: PathBuf,
    dir: PathBuf,
}

impl Taken {
    fn take(place: &Path) -> Result<Self, Error> {
        needs_file(place, "nonces are used up where they are")?;
        let dir = place.parent().filter(|dir| !dir.as_os_str().is_empty());
        let dir = dir.unwrap_or(Path::new("."));
        // Says what is wrong with a path that is no file before anything is moved.
        fs::metadata(place).map_err(Error::io(place))?;
        let free = tempfile::Builder::new().prefix(".muster-nonces-").tempfile_in(dir);
        let path = free.map_err(Error::io(dir))?.into_temp_path();
        fs::rename(place, &path).map_err(Error::io(place))?;
        let path = path.keep().map_err(|error| Error::io(dir)(error.error))?;
        let taken = Self { path, place: place.to_path_buf(), dir: dir.to_path_buf() };
        if has_one_name(&taken.path).map_err(Error::io(place))? {
            Ok(taken)
        } else {
            Err(Error::file(place, "a link: nonces under two names could be used twice"))
        }
    }

    /// Signs, and overwrites the nonces where they are: no name of the file leads to them afterwards,
    /// whatever becomes of the names.
    fn sign(
        self,
        args: &SignArgs,
        share: &ShareFile,
        (commitments, message): (Vec<CommitmentFile>, &[u8]),
    ) -> Result<SignatureShareFile, Error> {
        let nonces: NoncesFile = read(&self.path).map_err(|error| renamed(error, &self.place))?;
        if nonces.is_used() {
            let reason = "used already: a second signature would give the secret share away; make \
                          new ones with `muster frost commit`";
            return Err(Error::file(&self.place, reason));
        }
        let used = nonces.used_up();
        let signed = share.suite().ceremony().sign(share, nonces, &commitments, message);
        let sources = [
            ("share", slice::from_ref(&args.share)),
            ("nonces", slice::from_ref(&args.nonces)),
            ("commitments", args.package.commitments.as_slice()),
        ];
        let signed = signed.map_err(located(sources))?;
        self.overwrite(&used).map_err(Error::io(&self.place))?;
        Ok(signed)
    }

    fn overwrite(&self, content: &NoncesFile) -> io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(content)?;
        bytes.push(b'\n');
        let mut file = OpenOptions::new().write(true).open(&self.path)?;
        let length = file.metadata()?.len();
        // All that was there, and then the length.
        let end = bytes.len();
        bytes.resize(end.max(length.try_into().unwrap_or(end)), b' ');
        file.write_all(&bytes)?;
        file.sync_all()?;
        file.set_len(end as u64)?;
        file.sync_all()
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // Not over a file that somebody has put there meanwhile.
        if fs::hard_link(&self.path, &self.place).is_ok() {
            drop(fs::remove_file(&self.path));
        } else if self.place.symlink_metadata().is_err() {
            drop(fs::rename(&self.path, &self.place));
        }
        drop(fs::File::open(&self.dir).and_then(|dir| dir.sync_all()));
    }
}

/// Whether it is a file, not a link to one, and has no other name.
fn has_one_name(path: &Path) -> io::Result<bool> {
    let found = path.symlink_metadata()?;
    #[cfg(unix)]
    let others = std::os::unix::fs::MetadataExt::nlink(&found) > 1;
    #[cfg(not(unix))]
    let others = false;
    Ok(found.is_file() && !others)
}

/// The error about the file under the name that the user knows.
fn renamed(mut error: Error, place: &Path) -> Error {
    if let Error::Prover(
        ProverError::File { path, .. }
        | ProverError::Field { path, .. }
        | ProverError::Io { path, .. }
        | ProverError::TooLarge { path, .. },
    ) = &mut error
    {
        *path = place.to_path_buf();
    }
    error
}
