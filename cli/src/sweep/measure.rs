//! The process of a row, from inside.

use std::{
    io::{self, Write},
    time::Instant,
};

use halo2_base::halo2_proofs::SerdeFormat;
use muster_circuits::{Shape, Statement};
use muster_params::{Srs, SrsCache};

use super::{args::RowArgs, phases::Phases, row::Measured};
use crate::{
    keys::Keys,
    proof::{prove_profiled, ProverKind},
    sample::{Plan, Sample, Source},
    sweep::{median, memory, rounded, MICROSECONDS},
    terminal::print,
    Error,
};

/// What the keys and the message of every row are made from: no secret is at stake.
const SEED: &str = "muster sweep";
/// Verifications are short, so that a median of few would jump.
const VERIFICATIONS: usize = 9;

/// Measures a row with an SRS that `cache` has, and prints one JSON object.
///
/// # Errors
///
/// Those of making keys, proofs and verifications; [`Error::Usage`] for something that is not a shape.
pub(crate) fn run_row(args: &RowArgs, cache: &SrsCache) -> Result<(), Error> {
    let shape = args.shape()?;
    let srs = cache.load(shape.degree())?;
    let measured = measure(args, &shape, &srs)?;
    let json = serde_json::to_string(&measured)
        .map_err(|error| Error::Usage(format!("the row's output: {error}")))?;
    print(&json)
}

fn measure(args: &RowArgs, shape: &Shape, srs: &Srs) -> Result<Measured, Error> {
    let plan = Plan {
        scheme: shape.scheme,
        keys: shape.keys,
        form: Some(shape.message),
        hash: shape.hash,
        signers: args.case.signers,
        signing: args.case.signing,
        message: None,
        tree: (shape.arity, shape.depth),
    };
    let sample = Sample::new(&plan, Source::from_text(SEED))?;
    let (committee, signatures) = (&sample.committee, &sample.signatures);
    let (threshold, message) = (args.case.signing as u64, sample.message);
    let key_set_root = shape.tree(committee)?.root();
    let signers = shape.terms()?.signers(shape.slots, committee, signatures, threshold)?;
    let statement = Statement { key_set_root, threshold, message, signers };
    let (keys, keygen_s) = timed(|| Keys::make(srs, shape))?;
    keys.prepare(srs, args.memory.kept())?;
    let (mut proof, mut proving, mut profiles) = (None, vec![], vec![]);
    for _ in 0..args.repeat.max(1) {
        let make = || {
            let witness = shape.terms()?.verify(&statement, committee, signatures)?;
            prove_profiled(ProverKind::default(), srs, &keys, &witness, args.transcript)
        };
        let ((made, profile), seconds) = timed(make)?;
        proof = Some(made);
        proving.push(seconds);
        profiles.push(profile);
    }
    let proof = proof.expect("one is made at least");
    let verifier = keys.verifier();
    let mut verifying = vec![];
    for _ in 0..VERIFICATIONS.max(args.repeat) {
        let check = || verifier.verify(&statement, &proof).map_err(Error::Unproven);
        verifying.push(timed(check)?.1);
    }
    let peak_bytes = memory::peak();
    Ok(Measured {
        keygen_s: rounded(keygen_s, MICROSECONDS),
        prove_s: median(proving, MICROSECONDS),
        verify_s: median(verifying, MICROSECONDS),
        proof_bytes: proof.bytes().len() as u64,
        peak_bytes,
        proving_key_bytes: proving_key_bytes(&keys)?,
        srs: if srs.is_insecure() { "insecure" } else { "ceremony" }.to_owned(),
        phases: Phases::of(&profiles),
    })
}

/// What `work` gives, and the seconds it takes.
fn timed<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<(T, f64), Error> {
    let start = Instant::now();
    let made = work()?;
    Ok((made, start.elapsed().as_secs_f64()))
}

/// The size that the proving key has in a directory of keys.
fn proving_key_bytes(keys: &Keys) -> Result<u64, Error> {
    let mut count = Count(0);
    let written = keys.proving_key().write(&mut count, SerdeFormat::RawBytesUnchecked);
    written.map_err(Error::io("the proving key"))?;
    Ok(count.0)
}

/// Counts what is written.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
