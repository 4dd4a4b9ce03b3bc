//! Verifying what another worker made.

use muster_prover::{files::ProofFile, VerifierKey};

use crate::job::Job;

/// Whether the file of a proof is one of the job's statement, under the job's key and transcript, with the public inputs
/// and notes that such a file has. What a caller relies on is in the job; of the file only the proof itself is taken.
///
/// # Errors
///
/// Why it is not.
pub fn confirm(key: &VerifierKey, job: &Job, file: &ProofFile) -> Result<(), String> {
    if key.digest() != job.key.0 {
        return Err("the job asks for another key".into());
    }
    let statement = job.statement.statement(key.shape())?;
    if file.proof.transcript() != job.transcript {
        let (found, expected) = (file.proof.transcript().name(), job.transcript.name());
        return Err(format!("its transcript is {found}, not {expected}"));
    }
    if !file.is_of(key, &statement) {
        return Err("what it claims beside the proof is not what the job says".into());
    }
    key.verify(&statement, &file.proof).map_err(|error| error.to_string())
}

/// The same of the bytes of a file.
///
/// # Errors
///
/// As [`confirm`], and why they are no file of a proof.
pub fn confirm_bytes(key: &VerifierKey, job: &Job, bytes: &[u8]) -> Result<(), String> {
    confirm(key, job, &parse(bytes)?)
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
