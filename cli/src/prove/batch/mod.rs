//! `muster prove --batch`.

mod making;
mod report;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use muster_circuits::Terms;
use muster_prover::{
    estimate::Size,
    files::{CommitteeFile, Listing},
    keys::KeyFiles,
    output::Output,
};
use muster_sweep::memory::human;

use self::{
    making::{committees, items, Batch, Done, Item},
    report::{counted, report, Outcome},
};
use super::{
    request::{read as read_keys, shared},
    ProveArgs,
};
use crate::{
    memory::{prepare, Plan},
    progress::Progress,
    srs_args::srs_of_keys,
    Error,
};

/// Proves all, and says what failed.
pub(super) fn run(args: &ProveArgs, dir: &Path, json: bool) -> Result<(), Error> {
    let progress = Progress::new();
    let items = items(dir)?;
    let count = items.len();
    // It stays until the end, so that the directory does.
    let output = Output::new(&args.out, &[], args.force)?;
    let files = KeyFiles::open(&args.keys)?;
    let terms = files.shape().terms()?;
    let common = args.committee.as_ref().map(|path| {
        let listing = Listing::read_for(path, args.admission.admission(), &terms)?;
        Ok::<_, Error>((path.clone(), listing))
    });
    let common = common.transpose()?;
    let committees = match &common {
        Some((path, listing)) => shared(path, listing.members()),
        None => committees(&items),
    };
    let size = Size::for_key(files.verifier());
    let threads = rayon::current_num_threads();
    let plan = |proofs| args.memory.plan((&size, committees), proofs, threads);
    let at_once = plan(count)?.at_once;
    let committee = common.map(|common| read(common, &terms, &progress)).transpose()?;
    let keys = progress.run("reading the keys", || read_keys(files))?;
    let batch = Batch { args, keys: &keys, terms, output, committee };
    let mut outcome = Outcome::default();
    let items = if args.resume {
        let what = "verifying existing proofs";
        progress.run(what, || look(&batch, items, at_once, &mut outcome))
    } else {
        items
    };
    let plan = plan(items.len())?;
    if !items.is_empty() {
        make(&batch, items, &plan, (&progress, &mut outcome))?;
    }
    if !outcome.made.is_empty() {
        batch.output.commit()?;
    }
    let report = report(args, &keys, &plan, &outcome);
    if outcome.failed.is_empty() {
        return report.print(json);
    }
    // With --json an error is an object of its own, and there is to be one.
    if !json {
        report.print(json)?;
    }
    outcome.failed.sort_by(|(left, _), (right, _)| left.cmp(right));
    Err(Error::Batch { count, failed: outcome.failed, made: report.json })
}

/// The one committee of all proofs: read once, and its tree hashed once.
fn read(
    (path, listing): (PathBuf, Listing),
    terms: &Terms,
    progress: &Progress,
) -> Result<(PathBuf, CommitteeFile), Error> {
    progress.run("reading the committee", || {
        let committee = CommitteeFile::of(&listing)?;
        committee.tree(&path, terms)?;
        Ok((path, committee))
    })
}

/// Gives the items whose proofs are still to be made.
fn look(batch: &Batch<'_>, items: Vec<Item>, at_once: usize, outcome: &mut Outcome) -> Vec<Item> {
    let mut left = vec![];
    for (item, found) in batch.look(items, at_once) {
        match found {
            Ok(true) => outcome.there.push(item.folder),
            Ok(false) => left.push(item),
            Err(error) => outcome.failed.push((item.folder, error)),
        }
    }
    left
}

/// Makes the proofs, and removes those that `--force` would have replaced.
fn make(
    batch: &Batch<'_>,
    items: Vec<Item>,
    plan: &Plan,
    (progress, outcome): (&Progress, &mut Outcome),
) -> Result<(), Error> {
    let (args, keys) = (batch.args, batch.keys);
    let srs = srs_of_keys(&args.srs, &keys.verifier(), progress)?;
    let (proofs, at_once, bytes) = (counted(items.len()), plan.at_once, human(plan.bytes));
    let what = format!("making {proofs}, {at_once} at once, in about {bytes} of memory");
    let preparation = prepare(&srs, keys, plan.memory, progress)?;
    let (done, taken): (Vec<Done<_>>, _) =
        progress.timed(&what, || batch.prove_all(&srs, items, at_once));
    (outcome.taken, outcome.preparation) = (preparation.total() + taken, preparation);
    for (item, made) in done {
        match made {
            Ok(made) => outcome.made.push(made),
            Err(error) => {
                if args.force {
                    outcome.removed.extend(remove(batch, &item, progress));
                }
                outcome.failed.push((item.folder, error));
            }
        }
    }
    Ok(())
}

/// Removes the old proof of an item that failed, if there is one, and says so.
fn remove(batch: &Batch<'_>, item: &Item, progress: &Progress) -> Option<PathBuf> {
    let name = item.name().ok()?;
    let path = batch.args.out.join(&name);
    match batch.output.remove(&name) {
        Ok(false) => None,
        Ok(true) => {
            progress.warn(&format!("{}: removed, since no new proof replaces it", path.display()));
            Some(path)
        }
        Err(error) => {
            progress.warn(&format!("{error}: it stays, though no new proof replaces it"));
            None
        }
    }
}
