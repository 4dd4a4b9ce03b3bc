use std::time::Instant;

use halo2_base::halo2_proofs::{
    plonk::create_proof,
    transcript::{Blake2bWrite, Challenge255, TranscriptWriterBuffer},
};
use muster_circuits::Scheme;
use muster_engine::Backend;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::case::Case;
use crate::{
    commitment::{Engine, Kzg, Prepared, Shplonk},
    plonk::{Fresh, Prover, Stopwatch},
};

/// Of each prover, the rounds of which a median is printed.
const ROUNDS: usize = 5;

/// Prints the seconds of a proof with halo2's prover and with the one on the engine, in turn; not the filling of
/// the circuit's gates, nor the preparation of a key. The first two cores:
///
/// ```sh
/// taskset -c 0,1 cargo test --release -p muster-prover --lib plonk::tests::measure -- --ignored --nocapture
/// ```
#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure() {
    println!("scheme, k of n, degree: halo2, engine ({:?})", Backend::best());
    for (scheme, signing, signers) in
        [(Scheme::Schnorr, 8, 16), (Scheme::Schnorr, 128, 256), (Scheme::EcdsaSecp256k1, 1, 1)]
    {
        let case = Case::new(scheme, signing, signers);
        let [library, engine] = seconds(&case);
        let degree = case.keys.shape().degree();
        println!(
            "{scheme}, {signing} of {signers}, {degree}: {library:.3}, {engine:.3}, {:.2} times",
            library / engine,
        );
    }
}

/// The medians.
fn seconds(case: &Case) -> [f64; 2] {
    let (params, pk) = (case.srs.params(), case.keys.proving_key());
    let prepared = Prepared::new(params);
    let commitments = Engine::new(params, &prepared);
    let prover = Prover::new(Backend::best(), params, pk).unwrap();
    let inputs = case.statement.public_inputs();
    let mut rounds = [vec![], vec![]];
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

        let (circuit, mut transcript) = (case.circuit(), new());
        let start = Instant::now();
        let watch = &mut Stopwatch::start();
        prover.prove(pk, circuit, &inputs, &mut Fresh(rng), &mut transcript, watch).unwrap();
        rounds[1].push(start.elapsed().as_secs_f64());
    }
    rounds.map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds[ROUNDS / 2]
    })
}
