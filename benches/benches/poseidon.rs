//! The Poseidon permutation outside a circuit, and the hash of each tree's node.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use halo2_base::halo2_proofs::{arithmetic::Field, halo2curves::bn256::Fr};
use muster_schemes::hash::poseidon::{hash, permute, PoseidonSpec};

fn permutation(c: &mut Criterion) {
    let mut group = c.benchmark_group("poseidon::permute");
    for width in [3, 5, 6, 9, 17] {
        let spec = PoseidonSpec::get(width);
        let mut rng = muster_benches::rng();
        let mut state: Vec<Fr> = (0..width).map(|_| Fr::random(&mut rng)).collect();
        group.bench_function(BenchmarkId::from_parameter(format!("t={width}")), |b| {
            b.iter(|| permute(spec, &mut state))
        });
    }
}

fn node(c: &mut Criterion) {
    let mut group = c.benchmark_group("poseidon::hash");
    for arity in [2, 5, 16] {
        let mut rng = muster_benches::rng();
        let children: Vec<Fr> = (0..arity).map(|_| Fr::random(&mut rng)).collect();
        group.bench_function(BenchmarkId::from_parameter(format!("inputs={arity}")), |b| {
            b.iter(|| hash(&children))
        });
    }
}

criterion_group!(benches, permutation, node);
criterion_main!(benches);
