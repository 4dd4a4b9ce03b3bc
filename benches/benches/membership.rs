//! The key-set tree outside a circuit.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use halo2_base::halo2_proofs::{arithmetic::Field, halo2curves::bn256::Fr};
use muster_schemes::membership::{min_depth, Leaf, LeafFormat, MerkleTree, LEAF_MEMBERS};

const LEAVES: usize = 1024;
const NAMES: LeafFormat = LeafFormat::Names;

fn leaves() -> Vec<Fr> {
    let mut rng = muster_benches::rng();
    (0..LEAVES).map(|_| Fr::random(&mut rng)).collect()
}

fn tree(c: &mut Criterion) {
    let leaves = leaves();
    for (name, take) in [("membership::tree", LEAVES), ("membership::path", 1)] {
        let mut group = c.benchmark_group(name);
        for arity in [2, 4, 5, 8, 16] {
            let depth = min_depth(arity, LEAF_MEMBERS * LEAVES, NAMES).expect("the leaves fit");
            let made = MerkleTree::new(&leaves, arity, depth, NAMES).expect("the leaves fit");
            let id = BenchmarkId::from_parameter(format!("arity={arity} n={LEAVES}"));
            group.bench_function(id, |b| match take {
                1 => b.iter(|| made.path(LEAVES / 2).map(|path| path.root(leaves[LEAVES / 2]))),
                _ => {
                    b.iter(|| MerkleTree::new(&leaves, arity, depth, NAMES).map(|tree| tree.root()))
                }
            });
        }
    }
    let leaf = Leaf::named([leaves[0]; LEAF_MEMBERS], [1; LEAF_MEMBERS]);
    c.bench_function("membership::leaf", |b| b.iter(|| leaf.hash()));
}

criterion_group!(benches, tree);
criterion_main!(benches);
