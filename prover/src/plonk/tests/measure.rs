use std::time::Instant;

use halo2_base::halo2_proofs::{
    plonk::create_proof,
    transcript::{Blake2bWrite, Challenge255, TranscriptWriterBuffer},
};
use muster_circuits::{KeyKind, MessageForm, Request, Scheme};
use muster_engine::Backend;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::case::Case;
use crate::{
    commitment::{Engine, Kzg, Prepared, Shplonk},
    plonk::{Fresh, Prover},
    profile::Stopwatch,
};

/// Of each prover, the rounds of which a median is printed.
const ROUNDS: usize = 5;

fn request(scheme: Scheme, signing: usize, signers: usize) -> Request {
    Request::new(scheme, signers, signing)
}

#[test]
#[ignore = "it takes a minute, and nothing depends on it"]
fn measure_schnorr() {
    measure("8 of 16", &request(Scheme::Schnorr, 8, 16));
    measure("128 of 256", &request(Scheme::Schnorr, 128, 256));
}

#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure_ecdsa() {
    measure("1 of 1", &request(Scheme::EcdsaSecp256k1, 1, 1));
    let committee = request(Scheme::EcdsaSecp256k1, 13, 19);
    measure("13 of 19", &committee);
    measure("13 of 19 by address", &Request { keys: KeyKind::Address, ..committee });
}

#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure_ed25519() {
    let message = Some(MessageForm::Bytes { most: 41 });
    measure("16 of 21", &Request { message, ..request(Scheme::Ed25519, 16, 21) });
}

#[test]
#[ignore = "it takes a quarter of an hour, and nothing depends on it"]
fn measure_bls() {
    measure("512 of 512", &request(Scheme::BlsBls12381, 512, 512));
    measure("10,000 of 10,000", &request(Scheme::BlsBn254, 10_000, 10_000));
}

/// Prints the seconds of a proof with halo2's prover and with the one on the engine, on each of its back ends, in turn; not
/// the filling of the circuit's gates, nor the preparation of a key. The first two cores:
///
/// ```sh
/// taskset -c 0,1 cargo test --release -p muster-prover --lib plonk::tests::measure -- \
///     --ignored --nocapture --test-threads 1
/// ```
fn measure(what: &str, request: &Request) {
    let case = Case::of(request);
    let degree = case.keys.shape().degree();
    let [library, portable, best] = seconds(&case);
    println!(
        "{}, {what}, degree {degree}: halo2 {library:.3}, portable {portable:.3} ({:.2} times), {} {best:.3} ({:.2} times)",
        request.scheme,
        library / portable,
        Backend::best().name(),
        library / best,
    );
}

/// The medians: of halo2's prover, of the portable back end, of the best one.
fn seconds(case: &Case) -> [f64; 3] {
    let (params, pk) = (case.srs.params(), case.keys.halo2().unwrap());
    let prepared = Prepared::new(params);
    let commitments = Engine::new(params, &prepared);
    let provers = [Backend::portable(), Backend::best()]
        .map(|backend| Prover::new(backend, params, pk).unwrap());
    let inputs = case.statement.public_inputs();
    let mut rounds = [vec![], vec![], vec![]];
    for round in 0..ROUNDS as u64 {
        let new = || Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
        let rng = ChaCha20Rng::seed_from_u64(round);
        let (circuit, mut transcript) = (case.circuit(), new());
        let start = Instant::now();
        create_proof::<Kzg<'_>, Shplonk<'_>, _, _, _, _>(
            &commitments,
            pk,
            &[circuit],
            &[&[&inputs]],
            rng.clone(),
            &mut transcript,
        )
        .unwrap();
        rounds[0].push(start.elapsed().as_secs_f64());

        for (prover, rounds) in provers.iter().zip(&mut rounds[1..]) {
            let (circuit, mut transcript) = (case.circuit(), new());
            let start = Instant::now();
            let watch = &mut Stopwatch::start();
            let rng = &mut Fresh(rng.clone());
            prover.prove(pk, circuit, &inputs, rng, &mut transcript, watch).unwrap();
            rounds.push(start.elapsed().as_secs_f64());
        }
    }
    rounds.map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds[ROUNDS / 2]
    })
}
