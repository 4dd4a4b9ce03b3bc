//! Lagrange coefficients of t of 2t − 1 signers by every method: what the crossovers of
//! `muster_threshold::bls::lagrange` come from.

use criterion::{criterion_group, criterion_main, Criterion};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_threshold::bls::{
    lagrange::{Domain, Method},
    Identities, Signers,
};
use rand::seq::SliceRandom;
use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};

/// log₂ of the thresholds, and up to which the quadratic methods are run.
const LOGS: [u32; 8] = [3, 5, 6, 7, 8, 9, 11, 14];
const QUADRATIC: u32 = 11;

fn lagrange(criterion: &mut Criterion) {
    for log in LOGS {
        let (t, n) = (1usize << log, (2usize << log) - 1);
        let mut indices: Vec<u32> = (1..=n as u32).collect();
        indices.shuffle(&mut ChaCha20Rng::seed_from_u64(1));
        indices.truncate(t);
        let signers = Signers::new(indices, n).expect("signers");
        for identities in Identities::ALL {
            let domain = Domain::<Fr>::new(identities, n).expect("domain");
            for method in Method::ALL.into_iter().filter(|method| method.is_for(identities)) {
                let squared = [Method::Naive, Method::Quadratic, Method::Missing].contains(&method);
                if squared && log > QUADRATIC {
                    continue;
                }
                let name = format!("lagrange::{}/{identities} t=2^{log}", method.name());
                criterion.bench_function(&name, |bencher| {
                    bencher.iter(|| domain.coefficients_by(method, &signers));
                });
            }
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = lagrange
}
criterion_main!(benches);
