//! Verifying proofs, and what must hold before one is made.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use muster_benches::{cases, label, Quorum};
use muster_circuits::Scheme;

fn verify(c: &mut Criterion) {
    let schemes = [Scheme::Schnorr, Scheme::Eddsa, Scheme::Musig, Scheme::BlsBn254];
    for scheme in schemes {
        // The largest.
        let case = *cases(scheme).last().expect("there are some");
        let quorum = Quorum::new(scheme, case);
        let statement = &quorum.statement;
        let (srs, keys) = quorum.keys();
        let proof = muster_prover::prove(&srs, &keys, &quorum.witness());
        let proof = proof.expect("the sample is a quorum");
        let key = keys.verifier();
        key.verify(statement, &proof).expect("the proof is good");
        c.bench_function(&format!("verify::{scheme}/{}", label(case)), |b| {
            b.iter(|| key.verify(statement, &proof))
        });
        c.bench_function(&format!("verify::{scheme}/native {}", label(case)), |b| {
            b.iter(|| quorum.witness())
        });
        let mut group = c.benchmark_group(format!("verify::{scheme}/batch"));
        for count in [2, 8] {
            let batch = vec![(statement.clone(), &proof); count];
            group.bench_function(BenchmarkId::from_parameter(format!("proofs={count}")), |b| {
                b.iter(|| key.verify_batch(&batch))
            });
        }
    }
}

criterion_group!(benches, verify);
criterion_main!(benches);
