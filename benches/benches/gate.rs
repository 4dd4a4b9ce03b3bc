//! Witnesses of the gates: `record` is the gadget's call, `assign` lays the rows out and writes
//! them.

use criterion::{criterion_group, criterion_main, Criterion};
use halo2_base::{
    halo2_proofs::{arithmetic::Field, halo2curves::bn256::Fr},
    QuantumCell,
};
use muster_benches::{recorded, Sheet};
use muster_gadgets::hash::{keccak, sha256, sha512};
use muster_gates::{
    edwards::{LongScalar, LongTerm, ShortScalar, ShortTerm, TableSource},
    GateContext, Layout, PoseidonLayout, Sha2Layout,
};
use muster_schemes::{curve::edwards::AffinePoint, hash::sha256::Midstate};
use num_bigint::BigInt;

const K: u32 = 12;

fn layout(width: usize) -> Layout {
    Layout {
        k: K,
        vertical_columns: 1,
        range_columns: 1,
        range_bits: 9,
        poseidon: vec![PoseidonLayout { width, columns: 3, lanes: 1 }],
        edwards_lanes: 1,
        constant_rows: 128,
        ..Layout::default()
    }
}

fn gate(c: &mut Criterion, name: &str, layout: &Layout, build: impl Fn(&mut GateContext) + Copy) {
    let mut group = c.benchmark_group(name);
    group.bench_function("record", |b| b.iter(|| recorded(layout, build)));
    let recorded = recorded(layout, build);
    let mut sheet = Sheet::new(&recorded, layout.k);
    group.bench_function("assign", |b| b.iter(|| sheet.fill(&recorded)));
}

fn range(c: &mut Criterion) {
    gate(c, "gate::range/checks=64 bits=72", &layout(6), |ctx| {
        for i in 0..64 {
            ctx.range.check(QuantumCell::Witness(Fr::from(i << 32)), 72);
        }
    });
}

fn poseidon(c: &mut Criterion) {
    for width in [3, 6] {
        let mut rng = muster_benches::rng();
        let state: Vec<_> =
            (0..width).map(|_| QuantumCell::Witness(Fr::random(&mut rng))).collect();
        let name = format!("gate::poseidon/permutations=64 t={width}");
        gate(c, &name, &layout(width), |ctx| {
            for _ in 0..64 {
                ctx.chips.poseidon(width).permute(&state);
            }
        });
    }
}

/// Tables and products as eight signatures need them.
fn edwards(c: &mut Criterion) {
    let point = AffinePoint::generator();
    let eighth = point.divide_by_cofactor();
    let table = |ctx: &mut GateContext| {
        ctx.chips.edwards.table(ctx, 0, &TableSource::EighthOf { q: (eighth.x(), eighth.y()) })
    };
    gate(c, "gate::edwards::table/points=16", &layout(6), |ctx| {
        for _ in 0..16 {
            table(ctx);
        }
    });
    let scalar: BigInt = (BigInt::from(0x1234_5678) << 200) + 1;
    gate(c, "gate::edwards::multiply/long=9 short=8", &layout(6), |ctx| {
        let table = table(ctx);
        let long = || LongTerm { table: &table, scalar: LongScalar::new(&scalar) };
        let short = || ShortTerm { table: &table, scalar: ShortScalar::new(u128::MAX / 3) };
        let (long, short): (Vec<_>, Vec<_>) =
            ((0..9).map(|_| long()).collect(), (0..8).map(|_| short()).collect());
        ctx.chips.edwards.multiply(0, &long, &short);
    });
}

/// Hashes of 64 bytes, one after the other in one lane.
fn hashes(c: &mut Criterion) {
    // The tables of Keccak take 7,776 rows.
    let layout = Layout {
        k: 13,
        keccak_lanes: 1,
        sha256: Some(Sha2Layout { bits: 4, lanes: 1 }),
        ..layout(6)
    };
    let halves: Vec<_> = (0..4).map(|i| QuantumCell::Witness(Fr::from(i))).collect();
    gate(c, "gate::keccak/hashes=8", &layout, |ctx| {
        for _ in 0..8 {
            keccak::keccak256(ctx, &halves);
        }
    });
    gate(c, "gate::sha256/hashes=8", &layout, |ctx| {
        for _ in 0..8 {
            sha256::digest(ctx, &Midstate::START, &halves);
        }
    });
    for bits in [4, 8, 16] {
        let layout =
            Layout { k: 14, sha512: Some(Sha2Layout { lanes: 1, bits }), ..self::layout(6) };
        gate(c, &format!("gate::sha512/hashes=8 bits={bits}"), &layout, |ctx| {
            for _ in 0..8 {
                sha512::digest(ctx, &halves);
            }
        });
    }
}

criterion_group!(benches, range, poseidon, edwards, hashes);
criterion_main!(benches);
