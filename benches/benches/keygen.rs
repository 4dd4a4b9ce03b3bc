//! Making the keys of a shape, and choosing the shape.

use std::cell::LazyCell;

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use muster_benches::{cases, label, Quorum, CASES};
use muster_circuits::{Request, Scheme, Shape};
use muster_prover::Keys;

fn keygen(c: &mut Criterion) {
    for &scheme in Scheme::ALL {
        let mut group = c.benchmark_group(format!("keygen::{scheme}"));
        group.sample_size(10);
        for &case in cases(scheme) {
            // Only where it is measured: a filter may leave it out.
            let made = LazyCell::new(|| {
                let quorum = Quorum::new(scheme, case);
                (quorum.keys().0, quorum.shape)
            });
            group.bench_function(BenchmarkId::from_parameter(label(case)), |b| {
                let (srs, shape) = &*made;
                b.iter(|| Keys::make(srs, shape))
            });
        }
    }
}

/// The largest circuits in the documents, and how many sign of how many members.
const LARGEST: [(Scheme, (usize, usize)); 13] = [
    (Scheme::Schnorr, (1024, 2048)),
    (Scheme::Schnorr, (10, 1 << 20)),
    (Scheme::Eddsa, (128, 256)),
    (Scheme::Musig, (128, 256)),
    (Scheme::EcdsaSecp256k1, (67, 100)),
    (Scheme::EcdsaP256, (67, 100)),
    (Scheme::SchnorrSecp256k1, (67, 100)),
    (Scheme::Ed25519, (67, 100)),
    (Scheme::BlsBls12381, (512, 512)),
    (Scheme::BlsBls12381MinSig, (512, 512)),
    (Scheme::BlsBn254, (512, 512)),
    (Scheme::BlsBn254, (10_000, 10_000)),
    (Scheme::BlsBn254MinSig, (512, 512)),
];

/// A plan finds the columns of gates known that one before it made.
fn shape(c: &mut Criterion) {
    let mut group = c.benchmark_group("shape::fit");
    group.sample_size(10);
    let small = CASES.into_iter().map(|case| (Scheme::Schnorr, case));
    for (scheme, (signing, signers)) in small.chain(LARGEST) {
        let request = Request::new(scheme, signers, signing);
        let id = BenchmarkId::new(scheme.name(), label((signing, signers)));
        group.bench_function(id, |b| b.iter(|| Shape::plan(&request)));
    }
}

criterion_group!(benches, keygen, shape);
criterion_main!(benches);
