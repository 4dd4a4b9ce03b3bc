//! The engine's back ends beside the library. One thread: `RAYON_NUM_THREADS=1`.

use std::hint::black_box;

use criterion::{criterion_group, criterion_main, BatchSize, Criterion};
use halo2_base::halo2_proofs::{
    arithmetic::best_fft,
    halo2curves::{
        bn256::{Fr, G1Affine, G1},
        ff::{BatchInvert, Field},
        group::Curve,
        msm::msm_best,
    },
    poly::EvaluationDomain,
};
use muster_engine::{Backend, Bases, Domain};

fn backends() -> Vec<Backend> {
    [Backend::portable()].into_iter().chain(Backend::ifma()).collect()
}

fn elements(k: u32) -> Vec<Fr> {
    std::iter::successors(Some(Fr::from(5)), |element| Some(element.square() + Fr::ONE))
        .take(1 << k)
        .collect()
}

/// Elements that fit in the second cache.
fn field(c: &mut Criterion) {
    let right = elements(12);
    c.bench_function("field::mul/library n=4096", |b| {
        let mut left = right.clone();
        b.iter(|| {
            for (left, right) in left.iter_mut().zip(&right) {
                *left *= right;
            }
            black_box(&left);
        });
    });
    c.bench_function("field::invert/library n=4096", |b| {
        let mut left = right.clone();
        b.iter(|| left.iter_mut().batch_invert());
    });
    for backend in backends() {
        let mut left = right.clone();
        c.bench_function(&format!("field::mul/{backend:?} n=4096"), |b| {
            b.iter(|| backend.mul(&mut left, &right));
        });
        c.bench_function(&format!("field::invert/{backend:?} n=4096"), |b| {
            b.iter(|| backend.invert(&mut left));
        });
    }
}

fn transforms(c: &mut Criterion) {
    for k in [11, 14, 17] {
        let coefficients = elements(k);
        let library = EvaluationDomain::<Fr>::new(1, k);
        let data = library.get_fft_data(1 << k);
        c.bench_function(&format!("transform::to_values/library k={k}"), |b| {
            b.iter_batched_ref(
                || coefficients.clone(),
                |values| best_fft(values, library.get_omega(), k, data, false),
                BatchSize::LargeInput,
            );
        });
        c.bench_function(&format!("transform::coset/library k={k}"), |b| {
            b.iter_batched(
                || library.coeff_from_vec(coefficients.clone()),
                |values| library.coeff_to_extended_part(values, Fr::ONE),
                BatchSize::LargeInput,
            );
        });
        for backend in backends() {
            let domain = Domain::new(backend, k).expect("it is small");
            let coset = domain.coset(Fr::from(7)).expect("the shift is not zero");
            let mut run = |name: &str, domain: &Domain| {
                c.bench_function(&format!("transform::{name}/{backend:?} k={k}"), |b| {
                    b.iter_batched_ref(
                        || coefficients.clone(),
                        |values| domain.to_values(values),
                        BatchSize::LargeInput,
                    );
                });
            };
            run("to_values", &domain);
            run("coset", &coset);
        }
    }
}

/// Bases in equal steps; with random scalars their sums meet as rarely as those of random bases.
fn bases(count: usize) -> Vec<G1Affine> {
    let step = G1::generator() * Fr::from(5).invert().expect("five is a unit");
    let first = G1::generator() * Fr::from(7).invert().expect("seven is a unit");
    let points: Vec<G1> =
        std::iter::successors(Some(first), |point| Some(point + step)).take(count).collect();
    let mut affine = vec![G1Affine::default(); count];
    G1::batch_normalize(&points, &mut affine);
    affine
}

fn sums(c: &mut Criterion) {
    for k in [11, 14, 17] {
        let bases = bases(1 << k);
        let scalars = elements(k);
        c.bench_function(&format!("msm::multiply/library k={k}"), |b| {
            b.iter(|| msm_best(&scalars, &bases));
        });
        for backend in backends() {
            let bases = Bases::with_multiples(backend, &bases);
            c.bench_function(&format!("msm::multiply/{backend:?} k={k}"), |b| {
                b.iter(|| bases.multiply(&scalars));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = field, transforms, sums
}
criterion_main!(benches);
