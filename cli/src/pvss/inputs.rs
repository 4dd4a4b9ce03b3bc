//! Files that the steps read.

use std::path::{Path, PathBuf};

use muster_prover::input;
use muster_threshold::pvss::{dealer_of, verify_all, Dealt, SecretKeys, Session, Verified};

use crate::{
    files::pvss::{fault, read, SecretFile, SessionFile, BINARY_LIMIT},
    progress::Progress,
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
