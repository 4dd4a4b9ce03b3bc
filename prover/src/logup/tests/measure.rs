//! How long proofs of the two formats take, side by side.

use std::time::Instant;

use muster_circuits::{Columns, KeyKind, MessageForm, Request, Scheme, Shape};

use crate::{
    plonk::tests::case::Case,
    prove, prove_profiled,
    synthesis::{self, Size},
    Memory, ProofKind, ProverKind,
};

/// Of each format, the proofs of which a median is printed.
const ROUNDS: usize = 5;
/// Proofs of a batch.
const BATCH: usize = 256;

#[test]
#[ignore = "it takes a minute, and nothing depends on it"]
fn measure_schnorr() {
    let case = measure("8 of 16", &Request::new(Scheme::Schnorr, 16, 8));
    measure_batch(&case);
    measure("128 of 256", &Request::new(Scheme::Schnorr, 256, 128));
}

#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure_others() {
    let ecdsa = Request::new(Scheme::EcdsaSecp256k1, 19, 13);
    measure("13 of 19", &ecdsa);
    measure("13 of 19 by address", &Request { keys: KeyKind::Address, ..ecdsa });
    let message = Some(MessageForm::Bytes { most: 41 });
    measure("16 of 21", &Request { message, ..Request::new(Scheme::Ed25519, 21, 16) });
    measure("512 of 512", &Request::new(Scheme::BlsBls12381, 512, 512));
}

/// Prints the medians of both formats, in turn, made by our prover on its best back end: seconds of a proof with filling in the witness and the
/// verification of the proof, and milliseconds of a verification alone.
///
/// ```sh
/// taskset -c 0,1 cargo test --release -p muster-prover --lib logup::tests::measure -- --ignored --nocapture --test-threads 1
/// ```
fn measure(what: &str, request: &Request) -> Case {
    let case = Case::of(request);
    let key = case.keys.verifier();
    let kinds = [ProofKind::Halo2, ProofKind::Fast];
    for kind in kinds {
        prove(&case.srs, &case.keys, &case.witness, kind).unwrap();
    }
    let (mut proving, mut verifying, mut bytes) = ([vec![], vec![]], [vec![], vec![]], [0; 2]);
    for _ in 0..ROUNDS {
        for (place, kind) in kinds.into_iter().enumerate() {
            let start = Instant::now();
            let made =
                prove_profiled(ProverKind::Engine, &case.srs, &case.keys, &case.witness, kind);
            proving[place].push(start.elapsed().as_secs_f64());
            let (proof, _) = made.unwrap();
            bytes[place] = proof.bytes().len();
            let start = Instant::now();
            key.verify(&case.statement, &proof).unwrap();
            verifying[place].push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let [[halo2, fast], [before, now]] = [proving, verifying].map(|both| both.map(median));
    println!(
        "{}, {what}: halo2 {halo2:.3} s, fast {fast:.3} s, {:.2} of it; verified in {before:.1} and {now:.1} ms; {} and {} bytes",
        request.scheme,
        fast / halo2,
        bytes[0],
        bytes[1],
    );
    case
}

#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure_compact() {
    compare("8 of 16", &Request::new(Scheme::Schnorr, 16, 8));
    compare("13 of 19", &Request::new(Scheme::EcdsaSecp256k1, 19, 13));
}

/// Prints the medians of the formats `fast` and `compact`, in turn, and where the time of the last proof of each went.
fn compare(what: &str, request: &Request) {
    let shape = Shape::fit(request).unwrap();
    let cases = [ProofKind::Fast, ProofKind::Compact].map(|kind| {
        let start = Instant::now();
        let case = Case::for_kind(&shape, request.slots, kind);
        let made = start.elapsed().as_secs_f64();
        let start = Instant::now();
        case.keys.prepare(&case.srs, Memory::Low).unwrap();
        let prepared = start.elapsed().as_secs_f64();
        println!("{}: SRS and keys in {made:.1} s, prepared in {prepared:.1} s", kind.name());
        (kind, case)
    });
    if let Some(compact) = cases[1].1.keys.verifier().key().as_compact() {
        let (packing, k) = (compact.packing(), compact.decider_k());
        let (packs, stride) = (packing.packs().len(), packing.stride());
        println!("{packs} packs, stride {stride}, 2^{k} rows of the decider");
    }
    let mut times = [vec![], vec![]];
    for round in 0..ROUNDS {
        for (place, (kind, case)) in cases.iter().enumerate() {
            let start = Instant::now();
            let made =
                prove_profiled(ProverKind::Engine, &case.srs, &case.keys, &case.witness, *kind);
            times[place].push(start.elapsed().as_secs_f64());
            let (proof, profile) = made.unwrap();
            if round + 1 == ROUNDS {
                println!("{}: {} bytes, {profile:?}", kind.name(), proof.bytes().len());
            }
        }
    }
    let [fast, compact] = times.map(median);
    println!(
        "{}, {what}: fast {fast:.3} s, compact {compact:.3} s, {:.2} of it",
        request.scheme,
        compact / fast
    );
}

/// The same of a batch that is verified.
fn measure_batch(case: &Case) {
    for kind in [ProofKind::Halo2, ProofKind::Fast] {
        let proofs = [(); 8].map(|()| prove(&case.srs, &case.keys, &case.witness, kind).unwrap());
        let batch: Vec<_> =
            (0..BATCH).map(|place| (case.statement.clone(), &proofs[place % 8])).collect();
        let seconds = |_| {
            let start = Instant::now();
            case.keys.verifier().verify_batch(&batch).unwrap();
            start.elapsed().as_secs_f64()
        };
        println!("{BATCH} of {}: {:.3} s", kind.name(), median((0..ROUNDS).map(seconds).collect()));
    }
}

/// What filling a circuit takes: recording its operations with their hints, and writing rows.
#[test]
#[ignore = "it takes seconds, and nothing depends on it"]
fn measure_witness() {
    let message = Some(MessageForm::Bytes { most: 41 });
    for (what, request) in [
        ("128 of 256", Request::new(Scheme::Schnorr, 256, 128)),
        ("13 of 19", Request::new(Scheme::EcdsaSecp256k1, 19, 13)),
        ("16 of 21", Request { message, ..Request::new(Scheme::Ed25519, 21, 16) }),
    ] {
        let case = Case::of(&request);
        let (key, shape) = (case.keys.circuit().verifier(), case.keys.shape());
        let (rows, usable) = (key.protocol().rows(), key.protocol().usable());
        let size = Size { rows, usable, advice: Columns::of(&shape.layout).advice };
        let inputs = case.statement.public_inputs();
        let (mut recorded, mut written) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let circuit = case.circuit();
            recorded.push(start.elapsed().as_secs_f64() * 1e3);
            let start = Instant::now();
            synthesis::advice(size, &circuit, &inputs).unwrap();
            written.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let [recorded, written] = [recorded, written].map(median);
        println!(
            "{}, {what}: recorded in {recorded:.1} ms, written in {written:.1} ms",
            request.scheme
        );
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
