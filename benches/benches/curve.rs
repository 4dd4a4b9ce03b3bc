//! Baby Jubjub outside a circuit.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use halo2_base::halo2_proofs::arithmetic::Field;
use muster_schemes::curve::edwards::{
    batch_normalize, msm_vartime, mul_generator, AffinePoint, Point, Scalar, SubgroupPoint,
};

fn points(count: usize) -> Vec<(Scalar, Point)> {
    let mut rng = muster_benches::rng();
    let point = |_| {
        let scalar = Scalar::random(&mut rng);
        (scalar, mul_generator(&scalar))
    };
    (0..count).map(point).collect()
}

fn single(c: &mut Criterion) {
    let (scalar, point) = points(1)[0];
    let affine = point.to_affine();
    let bytes = affine.to_bytes();
    let mut group = c.benchmark_group("curve");
    group.bench_function("add", |b| b.iter(|| point + point));
    group.bench_function("double", |b| b.iter(|| point.double()));
    group.bench_function("mul", |b| b.iter(|| point.mul(&scalar)));
    group.bench_function("mul_vartime", |b| b.iter(|| point.mul_vartime(&scalar)));
    group.bench_function("mul_generator", |b| b.iter(|| mul_generator(&scalar)));
    group.bench_function("to_affine", |b| b.iter(|| point.to_affine()));
    group.bench_function("is_in_subgroup", |b| b.iter(|| affine.is_in_subgroup()));
    group.bench_function("divide_by_cofactor", |b| b.iter(|| affine.divide_by_cofactor()));
    group.bench_function("unpack", |b| b.iter(|| AffinePoint::from_bytes(&bytes)));
    group.bench_function("unpack_and_check", |b| b.iter(|| SubgroupPoint::from_bytes(&bytes)));
}

fn many(c: &mut Criterion) {
    let mut group = c.benchmark_group("curve::msm_vartime");
    for count in [2, 16, 128] {
        let pairs = points(count);
        group.bench_function(BenchmarkId::from_parameter(format!("n={count}")), |b| {
            b.iter(|| msm_vartime(&pairs))
        });
    }
    group.finish();
    let points: Vec<Point> = points(128).into_iter().map(|(_, point)| point).collect();
    c.bench_function("curve::batch_normalize/n=128", |b| b.iter(|| batch_normalize(&points)));
}

criterion_group!(benches, single, many);
criterion_main!(benches);
