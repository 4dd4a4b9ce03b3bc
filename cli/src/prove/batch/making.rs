//! The proofs of a batch: the folders that they are for, and how they are made, some at once.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use muster_circuits::Terms;
use muster_params::Srs;
use muster_prover::{
    estimate::Committees,
    files::{CommitteeFile, DroppedList, ProofFile, COMMITTEE_FILE, SIGNATURES_FILE},
    output::Output,
    Keys, Profile, VerifierKey,
};
use muster_sweep::pool;
use serde_json::{json, Value};

use crate::{
    options::InsecureKeys,
    prove::{request::Ready, ProveArgs},
    report::{joined, statement_json},
    verify::holds,
    Error,
};

/// A proof that is to be made.
pub(super) struct Item {
    pub(super) folder: PathBuf,
}

impl Item {
    /// The name of the proof's file.
    pub(super) fn name(&self) -> Result<String, Error> {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        let reason = "its name is not UTF-8, so the proof would have none";
        name.map(|name| format!("{name}.json")).ok_or_else(|| Error::file(&self.folder, reason))
    }

    /// The path of a committee of its own.
    fn committee(&self) -> PathBuf {
        self.folder.join(COMMITTEE_FILE)
    }
}

/// All folders of a directory, by name. What cannot be looked at counts as one, so that its item says why.
pub(super) fn items(dir: &Path) -> Result<Vec<Item>, Error> {
    let mut items = vec![];
    for entry in fs::read_dir(dir).map_err(Error::io(dir))? {
        let folder = entry.map_err(Error::io(dir))?.path();
        if fs::metadata(&folder).map_or(true, |found| found.is_dir()) {
            items.push(Item { folder });
        }
    }
    if items.is_empty() {
        return Err(Error::file(dir, "it contains no folders"));
    }
    items.sort_by(|left, right| left.folder.cmp(&right.folder));
    Ok(items)
}

/// What the committees of folders take in memory at most.
pub(super) fn committees(items: &[Item]) -> Committees {
    let lengths = items.iter().filter_map(|item| fs::metadata(item.committee()).ok());
    Committees::own(lengths.map(|found| found.len()).max().unwrap_or(0))
}

/// What the proofs of a batch share.
pub(super) struct Batch<'a> {
    pub(super) args: &'a ProveArgs,
    pub(super) keys: &'a Keys,
    pub(super) terms: Terms,
    pub(super) output: Output,
    /// The one committee of all, whose tree was made, and its path.
    pub(super) committee: Option<(PathBuf, CommitteeFile)>,
}

/// A proof that was made.
pub(super) struct Made {
    pub(super) json: Value,
    pub(super) dropped: DroppedList,
    pub(super) insecure: InsecureKeys,
    pub(super) profile: Profile,
}

/// What became of an item.
pub(super) type Done<T> = pool::Done<Item, T, Error>;

impl Batch<'_> {
    /// Says of each item whether its proof is there already.
    pub(super) fn look(&self, items: Vec<Item>, at_once: usize) -> Vec<Done<bool>> {
        let key = self.keys.verifier();
        pool::each(items, at_once, |item| rayon::scope(|_| self.is_there(&key, item)))
    }

    /// Whether there is a proof of the item's statement. Any other file in its place is an error.
    fn is_there(&self, key: &VerifierKey, item: &Item) -> Result<bool, Error> {
        let path = self.args.out.join(item.name()?);
        if !path.try_exists().map_err(Error::io(&path))? {
            return Ok(false);
        }
        let file = ProofFile::read(&path)?;
        let statement = self.ready(item)?.statement;
        let held = holds(key, &file, &statement);
        held.map(|()| true).map_err(|fault| Error::file(path, fault.to_string()))
    }

    /// Makes the proofs, some at once. All share the pool of threads: while one of them has work for a single thread only,
    /// the others have more.
    pub(super) fn prove_all(&self, srs: &Srs, items: Vec<Item>, at_once: usize) -> Vec<Done<Made>> {
        pool::each(items, at_once, |item| rayon::scope(|_| self.prove(srs, item)))
    }

    /// Reads an item and finds its statement to hold.
    fn ready(&self, item: &Item) -> Result<Ready, Error> {
        let signatures = item.folder.join(SIGNATURES_FILE);
        let (args, shape) = (self.args, self.keys.shape());
        if let Some((path, committee)) = &self.committee {
            return Ready::read(args, (path, committee), &signatures, shape);
        }
        let path = item.committee();
        let committee = CommitteeFile::read_for(&path, args.admission.admission(), &self.terms)?;
        Ready::read(args, (&path, &committee), &signatures, shape)
    }

    /// Makes and writes a proof.
    fn prove(&self, srs: &Srs, item: &Item) -> Result<Made, Error> {
        let (args, keys, name) = (self.args, self.keys, item.name()?);
        let mut output = self.output.other(&[&name])?;
        let ready = self.ready(item)?;
        let (proof, profile) = ready.prove(srs, keys)?;
        output.write(&name, |writer| writer.write_all(proof.to_json().as_bytes()))?;
        output.commit()?;
        let json = json!({
            "folder": item.folder.display().to_string(),
            "proof": args.out.join(&name).display().to_string(),
            "taken": ready.selection.taken(),
            "left_out": ready.selection.left_out(),
            "dropped": ready.dropped.to_json(),
            "insecure_keys": ready.insecure.to_json(),
            "proof_bytes": proof.proof.bytes().len(),
            "elapsed_s": profile.total().as_secs_f64(),
        });
        let json = joined(statement_json(&ready.statement), json);
        let Ready { dropped, insecure, .. } = ready;
        Ok(Made { json, dropped, insecure, profile })
    }
}
