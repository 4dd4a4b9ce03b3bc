//! The stopwatch: one protocol for every peer, so that rows compare.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::error::PeerError;
use crate::usage::Usage;

/// How often a proof is verified for the median; one verification takes milliseconds.
const VERIFICATIONS: usize = 11;
/// Linux's unit of processor time towards user space, on every architecture.
const TICKS_PER_SECOND: f64 = 100.0;

/// What a circuit is made of, read from its verifying key.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shape {
    /// log2 of the rows.
    pub(crate) degree: u32,
    /// Advice columns.
    pub(crate) advice: usize,
    /// Lookup arguments.
    pub(crate) lookup: usize,
    /// Fixed columns: constants, tables and compressed selectors.
    pub(crate) fixed: usize,
}

/// One case, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measurement {
    /// The circuit's size.
    pub(crate) shape: Shape,
    /// What of it is filled.
    pub(crate) usage: Usage,
    /// Verifying and proving key, in seconds; the SRS is not in it.
    pub(crate) keygen_s: f64,
    /// Every proof, in seconds: filling the witness and proving.
    pub(crate) prove_all_s: Vec<f64>,
    /// Processor time of the proofs, all cores, in seconds: what a busy machine distorts less.
    pub(crate) prove_all_cpu_s: Vec<f64>,
    /// The median verification in milliseconds.
    pub(crate) verify_ms: f64,
    /// Bytes of the proof.
    pub(crate) proof_bytes: usize,
    /// Peak resident memory of the process, key generation and SRS included.
    pub(crate) peak_bytes: u64,
}

impl Measurement {
    /// The median proof in seconds.
    pub(crate) fn prove_s(&self) -> f64 {
        median(&self.prove_all_s)
    }

    /// The median processor time of a proof in seconds.
    pub(crate) fn prove_cpu_s(&self) -> f64 {
        median(&self.prove_all_cpu_s)
    }
}

/// What a peer's adapter has to offer to be measured: keys are made before, in `keygen`.
pub(crate) trait Prover: Sized {
    /// Makes both keys; the SRS exists already.
    fn keygen(&mut self) -> Result<Shape, PeerError>;
    /// Fills the witness and proves.
    fn prove(&self) -> Result<Vec<u8>, PeerError>;
    /// Whether the verifier accepts `proof` for the true statement or, when `tampered`, for a
    /// neighbouring false one.
    fn verify(&self, proof: &[u8], tampered: bool) -> bool;
    /// Counts the rows and advice cells that the circuit fills.
    fn usage(&self) -> Result<Usage, PeerError>;
}

/// Measures `prover`: keys once, `runs` proofs, each verified, the last one also against a false
/// statement.
pub(crate) fn measure(mut prover: impl Prover, runs: usize) -> Result<Measurement, PeerError> {
    let (keygen_s, shape) = timed(|| prover.keygen());
    let shape = shape?;

    let mut prove_all_s = Vec::with_capacity(runs);
    let mut prove_all_cpu_s = Vec::with_capacity(runs);
    let mut proof = Vec::new();
    for _ in 0..runs.max(1) {
        let cpu_before = processor_s()?;
        let (seconds, made) = timed(|| prover.prove());
        proof = made?;
        prove_all_s.push(seconds);
        prove_all_cpu_s.push(processor_s()? - cpu_before);
        if !prover.verify(&proof, false) {
            return Err(rejected("a true statement was refused"));
        }
    }
    if prover.verify(&proof, true) {
        return Err(rejected("a false statement was accepted"));
    }

    let verifications: Vec<f64> =
        (0..VERIFICATIONS).map(|_| timed(|| prover.verify(&proof, false)).0 * 1e3).collect();
    // Before cells are counted: that is no part of proving.
    let peak_bytes = peak_resident_bytes()?;
    Ok(Measurement {
        shape,
        usage: prover.usage()?,
        keygen_s,
        prove_all_s,
        prove_all_cpu_s,
        verify_ms: median(&verifications),
        proof_bytes: proof.len(),
        peak_bytes,
    })
}

fn rejected(reason: &str) -> PeerError {
    PeerError::Proof { step: "verification", reason: reason.to_owned() }
}

/// Runs `work` and says how many seconds it took.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The middle of the sorted samples, the mean of the two middle ones for an even count.
fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// Processor time of this process so far, all threads, user and system.
fn processor_s() -> Result<f64, PeerError> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    ticks(&stat).map(|ticks| ticks as f64 / TICKS_PER_SECOND).ok_or_else(|| PeerError::Results {
        path: "/proc/self/stat".into(),
        reason: "has no processor times".to_owned(),
    })
}

/// The sum of utime and stime, fields 14 and 15; field 2 is a name in brackets that may hold blanks.
fn ticks(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

/// The high-water mark of this process's resident memory.
fn peak_resident_bytes() -> Result<u64, PeerError> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    high_water_mark(&status).ok_or_else(|| PeerError::Results {
        path: "/proc/self/status".into(),
        reason: "has no VmHWM line".to_owned(),
    })
}

fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even_counts() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn processor_time_survives_odd_names() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 140 15 0 0 20";
        assert_eq!(ticks(stat), Some(155));
        assert_eq!(ticks("7 (a) S 1"), None);
    }

    #[test]
    fn high_water_mark_is_read_in_kibibytes() {
        assert_eq!(high_water_mark("VmPeak:\t 9 kB\nVmHWM:\t  123 kB\n"), Some(123 * 1024));
        assert_eq!(high_water_mark("VmPeak:\t 9 kB\n"), None);
        assert_eq!(high_water_mark("VmHWM:\t many kB\n"), None);
    }
}
