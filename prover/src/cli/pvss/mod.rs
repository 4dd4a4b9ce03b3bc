//! `muster pvss`: a secret shared so that anybody can check it, by passing files.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use muster_threshold::pvss::{
    dealer_of,
    dlog::{Search, Table},
    verify_all, Dealt, Error as Fault, SecretKeys, Session, Verified,
};
use zeroize::Zeroizing;

use super::Report;
use crate::{
    files::pvss::{fault, pretty, read, SecretFile, SessionFile, BINARY_LIMIT},
    input,
    output::{Output, Secret},
    progress::Progress,
    Error,
};

mod deal;
mod keygen;
mod open;
mod session;
mod srs;
mod sweep;

pub(super) use deal::{deal, DealArgs};
pub(super) use open::read_sum;
pub(super) use session::BoundsArgs;

/// Name of a player's public keys.
const PUBLIC_FILE: &str = "public.json";
/// Name of a player's secrets.
const SECRET_FILE: &str = "secret.json";

/// Share a secret by weights, so that anybody can check the dealing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example, 4 of 6 shares among three players:
  muster pvss srs make --insecure --powers 64 --out s.srs
  muster pvss keygen --out keys-1                (each player)
  muster pvss session --keys keys-1/public.json keys-2/public.json keys-3/public.json \\
      --weights 2,1,3 --threshold 4 --epoch 7 --srs s.srs --out session.json
  muster pvss deal --session session.json --keys keys-1 --out transcript-1.bin
  muster pvss verify --session session.json transcript-1.bin
  muster pvss aggregate --session session.json transcript-1.bin transcript-2.bin --out sum.bin
  muster pvss decrypt --session session.json --keys keys-1 --sum sum.bin --out shares-1.json
  muster pvss reconstruct --session session.json --sum sum.bin shares-1.json shares-3.json \\
      --out secret.json

A committee that makes a key which nobody holds: muster dkg.")]
pub(super) struct PvssCommand {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Srs(srs::SrsArgs),
    Keygen(keygen::KeygenArgs),
    Session(session::SessionArgs),
    Deal(DealArgs),
    Verify(deal::VerifyArgs),
    Inspect(deal::InspectArgs),
    Aggregate(deal::AggregateArgs),
    Decrypt(open::DecryptArgs),
    Reconstruct(open::ReconstructArgs),
    Sweep(sweep::SweepArgs),
}

pub(super) fn run(command: &PvssCommand) -> Result<Report, Error> {
    match &command.step {
        Step::Srs(args) => srs::run(args),
        Step::Keygen(args) => keygen::run(args),
        Step::Session(args) => session::run(args),
        Step::Deal(args) => deal(args),
        Step::Verify(args) => deal::verify(args),
        Step::Inspect(args) => deal::inspect(args),
        Step::Aggregate(args) => deal::aggregate(args),
        Step::Decrypt(args) => open::decrypt_shares(args),
        Step::Reconstruct(args) => open::reconstruct_secret(args),
        Step::Sweep(args) => sweep::run(args),
    }
}

/// One file to write.
#[derive(Debug, clap::Args)]
pub(super) struct OutArgs {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Replace it if it is there already.
    #[arg(long)]
    force: bool,
}

impl OutArgs {
    /// Writes a file for everybody.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        use std::io::Write;
        let (mut output, name) = Output::single(&self.out, self.force)?;
        output.write(&name, |file| file.write_all(bytes))?;
        output.commit()
    }

    /// Writes a file for everybody, and another one with it: neither, if one of them may not be written.
    pub(super) fn write_both(
        &self,
        bytes: &[u8],
        (path, beside): (&Path, &[u8]),
    ) -> Result<(), Error> {
        use std::io::Write;
        let (mut first, first_name) = Output::single(path, self.force)?;
        let (mut second, second_name) = Output::single(&self.out, self.force)?;
        first.write(&first_name, |file| file.write_all(beside))?;
        second.write(&second_name, |file| file.write_all(bytes))?;
        first.commit()?;
        second.commit()
    }

    /// Writes a file for its owner, with a secret of this kind.
    fn write_secret(&self, secret: Secret, bytes: &[u8]) -> Result<(), Error> {
        use std::io::Write;
        let (mut output, name) = Output::single_secret(&self.out, secret, self.force)?;
        output.write_secret(&name, |file| file.write_all(bytes))?;
        output.commit()
    }
}

/// The table for logarithms.
#[derive(Debug, clap::Args)]
pub(super) struct TableArgs {
    /// log₂ of the table's entries: 8 bytes each. More make decryption faster.
    #[arg(long, value_name = "BITS", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(4..=26))]
    table_bits: u32,
    /// File that the table is kept in: made if it is not there.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

impl TableArgs {
    /// The table, from its file or made.
    pub(super) fn open(&self) -> Result<Search, Error> {
        use std::io::Write;
        if let Some(path) = self.table.as_ref().filter(|path| path.is_file()) {
            let bytes = input::read(path, BINARY_LIMIT)?;
            let table = Table::from_bytes(&bytes).map_err(|found| fault(path, found))?;
            return Ok(Search::new(table));
        }
        let make = || Table::new(self.table_bits);
        let table = Progress::new().run("making the table of logarithms", make);
        let table = table.map_err(|found| Error::Usage(format!("--table-bits: {found}")))?;
        if let Some(path) = &self.table {
            let (mut output, name) = Output::single(path, false)?;
            output.write(&name, |file| file.write_all(&table.to_bytes()))?;
            output.commit()?;
        }
        Ok(Search::new(table))
    }
}

/// Reads a session's file and checks it.
pub(super) fn open_session(path: &Path) -> Result<Session, Error> {
    let session = read::<SessionFile>(path)?.open(path)?;
    warn_if_insecure(path, &session);
    Ok(session)
}

/// Whoever takes a session's file from somebody else should know.
pub(super) fn warn_if_insecure(path: &Path, session: &Session) {
    if session.parameters().is_insecure() {
        let reason = "the reference string is INSECURE: whoever made it can forge dealings";
        Progress::new().warn(&format!("{}: {reason}", path.display()));
    }
}

/// A player's secrets, and its number in the session.
pub(super) fn open_keys(session: &Session, dir: &Path) -> Result<(usize, SecretKeys), Error> {
    let path = if dir.is_dir() { dir.join(SECRET_FILE) } else { dir.to_path_buf() };
    let keys = read::<SecretFile>(&path)?.decode(&path)?;
    let players = 1..=session.shape().players();
    let own = players.into_iter().find(|player| session.check_keys(*player, &keys).is_ok());
    match own {
        Some(player) => Ok((player, keys)),
        None => Err(Error::file(&path, "the keys of no player of the session")),
    }
}

/// Reads a dealing: its dealer is whoever signed it.
pub(super) fn read_dealing(session: &Session, path: &Path) -> Result<(usize, Vec<u8>), Error> {
    let bytes = input::read(path, BINARY_LIMIT)?;
    let dealer = dealer_of(session, &bytes).map_err(|found| fault(path, found))?;
    Ok((dealer, bytes))
}

/// Verifies dealings all together; the first bad one is named.
fn verified(session: &Session, paths: &[PathBuf]) -> Result<Vec<Verified>, Error> {
    let read = |path: &PathBuf| -> Result<Dealt, Error> {
        let (dealer, bytes) = read_dealing(session, path)?;
        Dealt::from_bytes(session, dealer, &bytes).map_err(|found| fault(path, found))
    };
    let dealings = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let verify = || verify_all(session, &dealings);
    let verdicts = Progress::new().run("verifying", verify);
    let named = |(verdict, path): (Result<Verified, Fault>, &PathBuf)| {
        verdict.map_err(|found| fault(path, found))
    };
    verdicts.into_iter().zip(paths).map(named).collect()
}

/// A JSON file's bytes, wiped after use.
pub(super) fn json_bytes(content: &impl serde::Serialize) -> Zeroizing<Vec<u8>> {
    pretty(content)
}
