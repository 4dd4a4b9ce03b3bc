//! Verifying proofs, and what must hold before one is made.

use std::path::PathBuf;

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use muster_benches::{label, Quorum};
use muster_circuits::Scheme;
use muster_prover::{proof::BatchItem, TranscriptKind};

const CASE: (usize, usize) = (8, 16);

fn verify(c: &mut Criterion) {
    for scheme in Scheme::EMBEDDED {
        let quorum = Quorum::new(scheme, CASE);
        let Quorum { shape, statement, sample } = &quorum;
        let (committee, signatures) = (&sample.committee, &sample.signatures);
        let (srs, keys) = quorum.keys();
        let kind = TranscriptKind::Blake2b;
        let proof = muster_prover::prove(&srs, &keys, statement, committee, signatures, kind)
            .expect("the sample is a quorum");
        let (key, inputs) = (keys.verifier(), statement.public_inputs());
        muster_prover::verify(&key, &inputs, &proof, kind).expect("the proof is good");
        c.bench_function(&format!("verify::{scheme}/{}", label(CASE)), |b| {
            b.iter(|| muster_prover::verify(&key, &inputs, &proof, kind))
        });
        c.bench_function(&format!("verify::{scheme}/native {}", label(CASE)), |b| {
            b.iter(|| muster_circuits::verify(shape, statement, committee, signatures))
        });
        let mut group = c.benchmark_group(format!("verify::{scheme}/batch"));
        for count in [2, 8] {
            let item = || BatchItem {
                name: PathBuf::from("proof.json"),
                public_inputs: inputs.to_vec(),
                proof: proof.clone(),
                kind,
            };
            let items: Vec<BatchItem> = (0..count).map(|_| item()).collect();
            group.bench_function(BenchmarkId::from_parameter(format!("proofs={count}")), |b| {
                b.iter(|| muster_prover::batch_verify(&key, &items))
            });
        }
    }
}

criterion_group!(benches, verify);
criterion_main!(benches);
