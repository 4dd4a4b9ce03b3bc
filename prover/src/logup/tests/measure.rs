//! How long proofs of the two formats take, side by side.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use muster_circuits::{Columns, KeyKind, MessageForm, Request, Scheme, Shape};

use crate::{
    logup::prover::{MULTIPLES_OF_POWERS, RANDOM_ROWS_APART},
    prove, prove_profiled, synthesis,
    tests::case::Case,
    Memory, ProofKind,
};

/// Of each format, the proofs of which a median is printed.
const ROUNDS: usize = 5;
/// Proofs of a batch.
const BATCH: usize = 256;

#[test]
#[ignore = "it takes a minute, and nothing depends on it"]
fn measure_schnorr() {
    measure("8 of 16", &Request::new(Scheme::Schnorr, 16, 8)).iter().for_each(measure_batch);
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
}

#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure_bls() {
    measure("512 of 512", &Request::new(Scheme::BlsBls12381, 512, 512));
}

/// Prints of both formats, in turn, the medians of the seconds of a proof, with filling in the witness and the verification of the proof, and of
/// the milliseconds of a verification alone, and where the time of the last proof went.
///
/// ```sh
/// taskset -c 0,1 cargo test --release -p muster-prover --lib logup::tests::measure -- --ignored --nocapture --test-threads 1
/// ```
fn measure(what: &str, request: &Request) -> [Case; 2] {
    let shape = Shape::fit(request).unwrap();
    let cases = ProofKind::ALL.map(|kind| prepared(&shape, request.slots, kind));
    let (mut proving, mut verifying) = ([vec![], vec![]], [vec![], vec![]]);
    for round in 0..ROUNDS {
        for (place, (case, kind)) in cases.iter().zip(ProofKind::ALL).enumerate() {
            let start = Instant::now();
            let made = prove_profiled(&case.srs, &case.keys, &case.witness);
            proving[place].push(start.elapsed().as_secs_f64());
            let (proof, profile) = made.unwrap();
            let start = Instant::now();
            case.keys.verifier().verify(&case.statement, &proof).unwrap();
            verifying[place].push(start.elapsed().as_secs_f64() * 1e3);
            if round + 1 == ROUNDS {
                println!("{}: {} bytes, {profile:?}", kind.name(), proof.bytes().len());
            }
        }
    }
    let [[fast, compact], [of_fast, of_compact]] =
        [proving, verifying].map(|both| both.map(median));
    println!(
        "{}, {what}: fast {fast:.3} s, compact {compact:.3} s, {:.2} of it; verified in {of_fast:.1} and {of_compact:.1} ms",
        request.scheme,
        compact / fast
    );
    cases
}

/// A case whose first proof has nothing to wait for.
fn prepared(shape: &Shape, signing: usize, kind: ProofKind) -> Case {
    let start = Instant::now();
    let case = Case::for_kind(shape, signing, kind);
    let made = start.elapsed().as_secs_f64();
    let start = Instant::now();
    case.keys.prepare(&case.srs, Memory::Low).unwrap();
    let prepared = start.elapsed().as_secs_f64();
    println!("{}: SRS and keys in {made:.1} s, prepared in {prepared:.1} s", kind.name());
    if let Some(compact) = case.keys.verifier().key().as_compact() {
        let (packing, k) = (compact.packing(), compact.decider_k());
        let (packs, stride) = (packing.packs().len(), packing.stride());
        println!("{packs} packs, stride {stride}, 2^{k} rows of the decider");
    }
    case
}

/// The same of a batch that is verified.
fn measure_batch(case: &Case) {
    let proofs = [(); 8].map(|()| prove(&case.srs, &case.keys, &case.witness).unwrap());
    let batch: Vec<_> =
        (0..BATCH).map(|place| (case.statement.clone(), &proofs[place % 8])).collect();
    let seconds = |_| {
        let start = Instant::now();
        case.keys.verifier().verify_batch(&batch).unwrap();
        start.elapsed().as_secs_f64()
    };
    let kind = case.keys.verifier().kind().name();
    println!("{BATCH} of {kind}: {:.3} s", median((0..ROUNDS).map(seconds).collect()));
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
        let (mut recorded, mut written) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            let filled = fill(&case);
            recorded.push(filled.recorded);
            written.push(filled.written);
        }
        let [recorded, written] = [recorded, written].map(median);
        println!(
            "{}, {what}: recorded in {recorded:.1} ms, written in {written:.1} ms",
            request.scheme
        );
    }
}

/// Milliseconds of filling a circuit.
struct Filled {
    recorded: f64,
    written: f64,
}

fn fill(case: &Case) -> Filled {
    let (key, shape) = (case.keys.circuit.verifier(), case.keys.shape());
    let columns = Columns::of(&shape.layout).advice;
    let inputs = case.statement.public_inputs();
    let start = Instant::now();
    let circuit = case.circuit();
    let recorded = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    synthesis::advice(key.protocol(), columns, &circuit, &inputs).unwrap();
    Filled { recorded, written: start.elapsed().as_secs_f64() * 1e3 }
}

/// What each change to the prover brings that the format does not need: medians of a proof of `fast` with all of them, in turn with proofs
/// whose random rows are in the sums of small numbers, and whose powers of τ have no multiples; and of filling the circuit on all threads and on one.
///
/// ```sh
/// taskset -c 0,1 cargo test --release -p muster-prover --lib measure::measure_changes -- --ignored --nocapture
/// ```
#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure_changes() {
    let message = Some(MessageForm::Bytes { most: 41 });
    for (what, request) in [
        ("8 of 16", Request::new(Scheme::Schnorr, 16, 8)),
        ("128 of 256", Request::new(Scheme::Schnorr, 256, 128)),
        ("13 of 19", Request::new(Scheme::EcdsaSecp256k1, 19, 13)),
        ("16 of 21", Request { message, ..Request::new(Scheme::Ed25519, 21, 16) }),
    ] {
        let shape = Shape::fit(&request).unwrap();
        let all = || prepared(&shape, request.slots, ProofKind::Fast);
        let without = |change: &AtomicBool| {
            change.store(false, Ordering::Relaxed);
            let case = all();
            change.store(true, Ordering::Relaxed);
            case
        };
        let cases = [all(), without(&RANDOM_ROWS_APART), without(&MULTIPLES_OF_POWERS)];
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (mut proving, mut filling) = ([vec![], vec![], vec![]], [vec![], vec![]]);
        for _ in 0..ROUNDS {
            for (times, case) in proving.iter_mut().zip(&cases) {
                let start = Instant::now();
                prove(&case.srs, &case.keys, &case.witness).unwrap();
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
            for (times, filled) in
                filling.iter_mut().zip([fill(&cases[0]), one.install(|| fill(&cases[0]))])
            {
                times.push(filled.recorded + filled.written);
            }
        }
        let [proof, in_sums, no_multiples] = proving.map(median);
        let [on_all, on_one] = filling.map(median);
        println!(
            "{}, {what}: {proof:.1} ms; with random rows in the sums {in_sums:.1}, without multiples {no_multiples:.1}; filled in {on_all:.1}, on one thread {on_one:.1}",
            request.scheme
        );
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
