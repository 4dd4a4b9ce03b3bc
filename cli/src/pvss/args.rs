//! What the steps have in common: files that they read, the file to write, and the table for logarithms.

use std::path::{Path, PathBuf};

use muster_prover::{
    input,
    output::{write_file, Output, Secret},
};
use muster_schemes::decimal;
use muster_threshold::pvss::{
    dealer_of,
    dlog::{Search, Table},
    verify_all, Dealt, SecretKeys, Session, Verified,
};

use crate::{
    files::pvss::{fault, read, SecretFile, SessionFile, BINARY_LIMIT},
    progress::Progress,
    spool::needs_file,
    Error,
};

/// Name of a player's public keys.
pub(crate) const PUBLIC_FILE: &str = "public.json";
/// Name of a player's secrets.
pub(crate) const SECRET_FILE: &str = "secret.json";

/// Reads a session's file and checks it.
pub(crate) fn open_session(path: &Path) -> Result<Session, Error> {
    let session = read::<SessionFile>(path)?.open(path)?;
    warn_if_insecure(path, &session);
    Ok(session)
}

/// Whoever takes a session's file from somebody else should know.
pub(crate) fn warn_if_insecure(path: &Path, session: &Session) {
    if session.parameters().is_insecure() {
        let reason = "the reference string is INSECURE: whoever made it can forge dealings";
        Progress::new().warn(&format!("{}: {reason}", path.display()));
    }
}

/// A player's secrets, and its number in the session.
pub(crate) fn open_keys(session: &Session, dir: &Path) -> Result<(usize, SecretKeys), Error> {
    let path = if dir.is_dir() { dir.join(SECRET_FILE) } else { dir.to_path_buf() };
    let keys = read::<SecretFile>(&path)?.decode(&path)?;
    let players = 1..=session.shape().players();
    let own = players.into_iter().find(|player| session.check_keys(*player, &keys).is_ok());
    match own {
        Some(player) => Ok((player, keys)),
        None => Err(Error::file(&path, "these keys belong to no player of the session")),
    }
}

/// Reads a dealing: its dealer is whoever signed it.
pub(crate) fn read_dealing(session: &Session, path: &Path) -> Result<(usize, Vec<u8>), Error> {
    let bytes = input::read(path, BINARY_LIMIT)?;
    let dealer = dealer_of(session, &bytes).map_err(fault(path))?;
    Ok((dealer, bytes))
}

/// Verifies dealings all together; the first bad one is named.
pub(crate) fn verified(session: &Session, paths: &[PathBuf]) -> Result<Vec<Verified>, Error> {
    let read = |path: &PathBuf| -> Result<Dealt, Error> {
        let (dealer, bytes) = read_dealing(session, path)?;
        Dealt::from_bytes(session, dealer, &bytes).map_err(fault(path))
    };
    let dealings = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let verify = || verify_all(session, &dealings);
    let verdicts = Progress::new().run("verifying", verify);
    verdicts.into_iter().zip(paths).map(|(verdict, path)| verdict.map_err(fault(path))).collect()
}

/// One file to write.
#[derive(Debug, clap::Args)]
pub(crate) struct OutArgs {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Replace it if it exists.
    #[arg(long)]
    force: bool,
}

impl OutArgs {
    /// Writes a file for everybody.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        Ok(write_file(&self.out, bytes, self.force)?)
    }

    /// Writes a file for everybody, and another one with it: neither, if one of them may not be written.
    pub(crate) fn write_both(
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
        Ok(second.commit()?)
    }

    /// Writes a file for its owner, with a secret of this kind.
    pub(crate) fn write_secret(&self, secret: Secret, bytes: &[u8]) -> Result<(), Error> {
        use std::io::Write;
        let (mut output, name) = Output::single_secret(&self.out, secret, self.force)?;
        output.write_secret(&name, |file| file.write_all(bytes))?;
        Ok(output.commit()?)
    }
}

/// The table for logarithms.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// log₂ of the number of entries in the table, 8 bytes each. More entries make decryption
    /// faster.
    #[arg(long, value_name = "BITS", default_value_t = 20,
          value_parser = decimal::within::<u32>(4..=26))]
    table_bits: u32,
    /// File that keeps the table; created if it does not exist.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

impl TableArgs {
    /// The table, from its file or made.
    pub(crate) fn open(&self) -> Result<Search, Error> {
        if let Some(path) = &self.table {
            needs_file(path, "it keeps the table")?;
        }
        if let Some(path) = self.table.as_ref().filter(|path| path.is_file()) {
            let bytes = input::read(path, BINARY_LIMIT)?;
            let table = Table::from_bytes(&bytes).map_err(fault(path))?;
            return Ok(Search::new(table));
        }
        let make = || Table::new(self.table_bits);
        let table = Progress::new().run("making the table of logarithms", make);
        let table = table.map_err(|found| Error::usage(format!("--table-bits: {found}")))?;
        if let Some(path) = &self.table {
            write_file(path, &table.to_bytes(), false)?;
        }
        Ok(Search::new(table))
    }
}
