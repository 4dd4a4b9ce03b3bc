//! Verifying what other workers made.

use std::path::Path;

use bytes::Bytes;
use muster_cli::simulate::Simulated;
use muster_prover::{files::ProofFile, Statement, VerifierKey};
use muster_sweep::proofs::elsewhere::Record;

use crate::job::{Claim, Job, Work};

/// For each proof, given as its file's bytes, whether it proves the claim beside it: its statement, under this key
/// and of its kind, with the public inputs and notes that such a file has. What a caller relies on is in the
/// claim; only the proof itself is taken from the file. Proofs of the right form are verified together.
pub fn verify_all(
    key: &VerifierKey,
    proofs: &[(Claim, impl AsRef<[u8]>)],
) -> Vec<Result<(), String>> {
    let read: Vec<_> =
        proofs.iter().map(|(claim, bytes)| read(key, claim, bytes.as_ref())).collect();
    let (mut places, mut batch) = (vec![], vec![]);
    for (place, read) in read.iter().enumerate() {
        if let Ok((statement, file)) = read {
            places.push(place);
            batch.push((statement.clone(), &file.proof));
        }
    }
    let bad = key.verify_batch(&batch).err();
    let mut verdicts: Vec<_> = read.into_iter().map(|read| read.map(drop)).collect();
    for (place, error) in bad.iter().flat_map(|bad| &bad.0) {
        verdicts[places[*place]] = Err(error.to_string());
    }
    verdicts
}

/// The same for one proof.
///
/// # Errors
///
/// Why it does not prove the claim.
pub fn verify(key: &VerifierKey, claim: &Claim, bytes: &[u8]) -> Result<(), String> {
    let verdicts = verify_all(key, &[(claim.clone(), bytes)]);
    verdicts.into_iter().next().unwrap_or_else(|| Err("it was not checked".into()))
}

/// Checks everything but the proof itself.
fn read(key: &VerifierKey, claim: &Claim, bytes: &[u8]) -> Result<(Statement, ProofFile), String> {
    let file = ProofFile::parse(Path::new("proof"), bytes).map_err(|error| error.to_string())?;
    if key.digest() != claim.key.0 {
        return Err("the claim is of another key".into());
    }
    let statement = claim.statement.statement(key.shape())?;
    if file.proof.kind() != claim.kind {
        let (found, expected) = (file.proof.kind().name(), claim.kind.name());
        return Err(format!("its kind is {found}, not {expected}"));
    }
    if !file.is_of(key, &statement) {
        return Err("its fields other than the proof do not match its claim".into());
    }
    Ok((statement, file))
}

/// Whether bytes are a record of the requested row or ceremony; none for work that measures nothing. For what was
/// measured there is only the worker's word: nobody can measure it again.
pub(crate) fn measured(work: &Work, bytes: &[u8]) -> Option<Result<(), String>> {
    match work {
        Work::SweepRow(row) => Some(match Record::parse(Path::new("record"), bytes, &row.asked) {
            Ok(record) => record.failure().map_or(Ok(()), |reason| Err(reason.to_owned())),
            Err(error) => Err(error.to_string()),
        }),
        Work::Simulate(simulate) => {
            let simulated = Simulated::parse(Path::new("result"), bytes, &simulate.asked);
            Some(simulated.map(drop).map_err(|error| error.to_string()))
        }
        Work::Prove(_) | Work::Verify(_) | Work::Keygen(_) => None,
    }
}

/// For each result, whether what is at hand shows that it is its job's. That can be shown for proofs by `key` and
/// for what was measured; for others it is false.
pub fn are_results(key: Option<&VerifierKey>, results: &[(Job, Bytes)]) -> Vec<bool> {
    let shown = |(job, bytes): &(Job, Bytes)| matches!(measured(&job.work, bytes), Some(Ok(())));
    let mut are: Vec<bool> = results.iter().map(shown).collect();
    let Some(key) = key else { return are };
    let proofs = results
        .iter()
        .enumerate()
        .filter_map(|(place, (job, bytes))| Some((place, (job.work.claim()?.clone(), bytes))));
    let (places, proofs): (Vec<_>, Vec<_>) = proofs.unzip();
    for (place, verdict) in places.into_iter().zip(verify_all(key, &proofs)) {
        are[place] = verdict.is_ok();
    }
    are
}
