//! Proofs, from signatures to bytes; the keys are made outside the loop.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use muster_benches::{cases, label, Quorum};
use muster_circuits::Scheme;

fn prove(c: &mut Criterion) {
    for &scheme in Scheme::ALL {
        let mut group = c.benchmark_group(format!("prove::{scheme}"));
        group.sample_size(10);
        for &case in cases(scheme) {
            let quorum = Quorum::new(scheme, case);
            let (srs, keys) = quorum.keys();
            group.bench_function(BenchmarkId::from_parameter(label(case)), |b| {
                b.iter(|| muster_prover::prove(&srs, &keys, &quorum.witness()))
            });
        }
    }
}

criterion_group!(benches, prove);
criterion_main!(benches);
