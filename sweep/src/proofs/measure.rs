//! The process of a row, from inside.

use std::time::Instant;

use muster_circuits::{Shape, Statement};
use muster_params::{Srs, SrsCache};
use muster_prover::{
    keys::Keys,
    prove_profiled,
    sample::{Plan, Sample, Source},
    terminal::print,
    Memory, Phase, Profile, ProofKind,
};

use super::{
    row::{Measured, Phases},
    Case,
};
use crate::{median, memory, rounded, Error, MICROSECONDS};

/// What the keys and the message of every row are made from: no secret is at stake.
const SEED: &str = "muster sweep";
/// Verifications are short, so that a median of few would jump.
const VERIFICATIONS: usize = 9;

/// What the process of a row measures.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The circuit.
    pub shape: Shape,
    /// How many sign, of how many.
    pub case: Case,
    /// Number of proofs.
    pub repeat: usize,
    /// Format of the proofs.
    pub kind: ProofKind,
    /// What is kept between the proofs.
    pub memory: Memory,
}

impl Measurement {
    /// log₂ of the powers of the SRS that the row needs.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Circuit`] for a shape of no circuit.
    pub fn srs_degree(&self) -> Result<u32, Error> {
        Ok(Keys::srs_degree(&self.shape, self.kind)?)
    }
}

/// Measures a row with an SRS that `cache` has, and prints one JSON object.
///
/// # Errors
///
/// Those of making keys, proofs and verifications.
pub fn run_row(row: &Measurement, cache: &SrsCache) -> Result<(), Error> {
    let srs = cache.load(row.srs_degree()?)?;
    let measured = measure(row, &srs, cache)?;
    let json = serde_json::to_string(&measured)
        .map_err(|error| Error::usage(format!("the row's output: {error}")))?;
    Ok(print(&json)?)
}

fn measure(row: &Measurement, srs: &Srs, cache: &SrsCache) -> Result<Measured, Error> {
    let shape = &row.shape;
    let plan = Plan {
        scheme: shape.scheme,
        keys: shape.keys,
        form: Some(shape.message),
        hash: shape.hash,
        signers: row.case.signers,
        signing: row.case.signing,
        message: None,
        tree: (shape.arity, shape.depth),
    };
    let sample = Sample::new(&plan, Source::from_text(SEED))?;
    let (committee, signatures) = (&sample.committee, &sample.signatures);
    let (threshold, message) = (row.case.signing as u64, sample.message);
    let key_set_root = shape.tree(committee)?.root();
    let signers = shape.terms()?.signers(shape.slots, committee, signatures, threshold)?;
    let statement = Statement { key_set_root, threshold, message, signers };
    let (mut keys, keygen_s) = timed(|| Keys::make_for(srs, shape, row.kind))?;
    keys.keep_bases_in(cache.clone());
    keys.prepare(srs, row.memory)?;
    let (mut proof, mut proving, mut profiles) = (None, vec![], vec![]);
    for _ in 0..row.repeat.max(1) {
        let make = || {
            let witness = shape.terms()?.verify(&statement, committee, signatures)?;
            prove_profiled(srs, &keys, &witness)
        };
        let ((made, profile), seconds) = timed(make)?;
        proof = Some(made);
        proving.push(seconds);
        profiles.push(profile);
    }
    let proof = proof.expect("one is made at least");
    let verifier = keys.verifier();
    let mut verifying = vec![];
    for _ in 0..VERIFICATIONS.max(row.repeat) {
        let check = || verifier.verify(&statement, &proof).map_err(muster_prover::Error::Unproven);
        verifying.push(timed(check)?.1);
    }
    let peak_bytes = memory::peak();
    let least = proving.iter().copied().fold(f64::INFINITY, f64::min);
    let most = proving.iter().copied().fold(0.0, f64::max);
    Ok(Measured {
        keygen_s: rounded(keygen_s, MICROSECONDS),
        prove_s: median(proving, MICROSECONDS),
        prove_min_s: Some(rounded(least, MICROSECONDS)),
        prove_max_s: Some(rounded(most, MICROSECONDS)),
        verify_s: median(verifying, MICROSECONDS),
        proof_bytes: proof.bytes().len() as u64,
        gas: (row.kind == ProofKind::Compact).then(|| gas(proof.bytes().len() as u64)),
        peak_bytes,
        proving_key_bytes: Keys::proving_key_bytes(shape)?,
        srs: if srs.is_insecure() { "insecure" } else { "ceremony" }.to_owned(),
        phases: phases(&profiles),
    })
}

/// What a contract pays for a verification, the transaction apart: a pack is a commitment of 64 bytes and a multiplication.
/// Within two parts in a hundred of all shapes that `contracts/README.md` has, whatever is public in them.
fn gas(proof_bytes: u64) -> u64 {
    const FOUR_PACKS: (u64, u64) = (1_056, 237_164);
    const PACK: (u64, u64) = (64, 7_270);
    (FOUR_PACKS.1 * PACK.0 + proof_bytes * PACK.1 - FOUR_PACKS.0 * PACK.1) / PACK.0
}

/// What `work` gives, and the seconds it takes.
fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, f64), E> {
    let start = Instant::now();
    let made = work()?;
    Ok((made, start.elapsed().as_secs_f64()))
}

/// The medians of the phases of some proofs.
fn phases(profiles: &[Profile]) -> Phases {
    let median = |phase| {
        let seconds = profiles.iter().map(|one| one.spent(phase).time.as_secs_f64());
        Some(median(seconds.collect(), MICROSECONDS))
    };
    Phases {
        witness_s: median(Phase::Witness),
        commitments_s: median(Phase::Commitments),
        transforms_s: median(Phase::Transforms),
        arguments_s: median(Phase::Arguments),
        quotient_s: median(Phase::Quotient),
        openings_s: median(Phase::Openings),
    }
}
