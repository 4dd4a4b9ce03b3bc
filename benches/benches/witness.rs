//! The witness of a whole circuit: `record` runs the gadgets, `assign` writes the rows.

use criterion::{criterion_group, criterion_main, Criterion};
use muster_benches::{cases, label, Quorum, Sheet};
use muster_circuits::{CircuitShape, Scheme};

fn witness(c: &mut Criterion) {
    for &scheme in Scheme::ALL {
        for &case in cases(scheme) {
            let quorum = Quorum::new(scheme, case);
            let (_, keys) = quorum.keys();
            let record = || {
                let placement = keys.placement().clone();
                quorum
                    .shape
                    .prover_circuit(&quorum.witness(), placement)
                    .expect("the sample fits its shape")
            };
            let mut group = c.benchmark_group(format!("witness::{scheme}/{}", label(case)));
            group.sample_size(20).bench_function("record", |b| b.iter(record));
            let circuit = record();
            let mut sheet = Sheet::new(&circuit, quorum.shape.degree());
            group.bench_function("assign", |b| b.iter(|| sheet.fill(&circuit)));
        }
    }
}

criterion_group!(benches, witness);
criterion_main!(benches);
