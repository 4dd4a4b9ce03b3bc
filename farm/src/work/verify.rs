//! Verifying proofs that other workers made.

use muster_prover::{files::ProofFile, Statement, VerifierKey};

use crate::job::Claim;

/// Of each proof, from the bytes of its file, whether it is one of the claim beside it: of its statement, under this key and its
/// transcript, with the public inputs and notes that such a file has. What a caller relies on is in the claim; of the file only the proof
/// itself is taken. Those that are of the right form are verified together.
pub fn verify_all(
    key: &VerifierKey,
    proofs: &[(Claim, impl AsRef<[u8]>)],
) -> Vec<Result<(), String>> {
    let read: Vec<_> =
        proofs.iter().map(|(claim, bytes)| read(key, claim, bytes.as_ref())).collect();
    let good =
        read.iter().enumerate().filter_map(|(place, read)| Some((place, read.as_ref().ok()?)));
    let (places, batch): (Vec<usize>, Vec<_>) =
        good.map(|(place, (statement, file))| (place, (statement.clone(), &file.proof))).unzip();
    let mut bad: Vec<(usize, String)> = vec![];
    if let Err(found) = key.verify_batch(&batch) {
        bad.extend(found.0.iter().map(|(place, error)| (places[*place], error.to_string())));
    }
    let mut verdicts: Vec<_> = read.into_iter().map(|read| read.map(drop)).collect();
    for (place, reason) in bad {
        verdicts[place] = Err(reason);
    }
    verdicts
}

/// The same of one proof.
///
/// # Errors
///
/// Why it is not.
pub fn verify(key: &VerifierKey, claim: &Claim, bytes: &[u8]) -> Result<(), String> {
    let verdicts = verify_all(key, &[(claim.clone(), bytes)]);
    verdicts.into_iter().next().unwrap_or_else(|| Err("nobody looked at it".into()))
}

/// All but the proof itself.
fn read(key: &VerifierKey, claim: &Claim, bytes: &[u8]) -> Result<(Statement, ProofFile), String> {
    let file = parse(bytes)?;
    if key.digest() != claim.key.0 {
        return Err("the claim is of another key".into());
    }
    let statement = claim.statement.statement(key.shape())?;
    if file.proof.transcript() != claim.transcript {
        let (found, expected) = (file.proof.transcript().name(), claim.transcript.name());
        return Err(format!("its transcript is {found}, not {expected}"));
    }
    if !file.is_of(key, &statement) {
        return Err("what it says beside the proof is not what its claim says".into());
    }
    Ok((statement, file))
}

/// The file of a proof, from its bytes.
fn parse(bytes: &[u8]) -> Result<ProofFile, String> {
    let write = || {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), bytes)?;
        Ok(file)
    };
    let file = write().map_err(|error: std::io::Error| error.to_string())?;
    ProofFile::read(file.path()).map_err(|error| error.to_string())
}
