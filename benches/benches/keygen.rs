//! Making the keys of a shape, and choosing the shape.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use muster_benches::{cases, label, Quorum, CASES};
use muster_circuits::{Request, Scheme, Shape};
use muster_prover::Keys;

fn keygen(c: &mut Criterion) {
    for &scheme in Scheme::ALL {
        let mut group = c.benchmark_group(format!("keygen::{scheme}"));
        group.sample_size(10);
        for &case in cases(scheme) {
            let quorum = Quorum::new(scheme, case);
            let (srs, _) = quorum.keys();
            group.bench_function(BenchmarkId::from_parameter(label(case)), |b| {
                b.iter(|| Keys::make(&srs, &quorum.shape))
            });
        }
    }
}

fn shape(c: &mut Criterion) {
    let mut group = c.benchmark_group("shape::fit");
    group.sample_size(10);
    for (signing, signers) in CASES {
        let request = Request::new(Scheme::Schnorr, signers, signing);
        group.bench_function(BenchmarkId::from_parameter(label((signing, signers))), |b| {
            b.iter(|| Shape::fit(&request))
        });
    }
}

criterion_group!(benches, keygen, shape);
criterion_main!(benches);
