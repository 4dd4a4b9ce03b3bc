//! What SHA-512 costs, with so many bits of a word in a row.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};

use super::{layout, Costs, Row};
use crate::hash::{padding::Message, sha512};
use muster_gates::{GateContext, Gates, Layout, Sha2Layout, Usage};

/// Cells of its gate's rows, and what range checks and the vertical gate add.
pub(super) fn sha512(costs: &mut Costs, bits: usize) {
    let layout = Layout { sha512: Some(Sha2Layout { lanes: 1, bits }), ..layout(&[]) };
    let of = |inputs: usize, build: &dyn Fn(&mut GateContext)| {
        let mut gates = Gates::new(&layout, false);
        let ctx = &mut gates.context();
        build(ctx);
        let Usage { vertical_cells, range_cells, sha512_rows, .. } = gates.usage();
        Row::from([
            ("cells".into(), (3 * bits + 2) * sha512_rows + range_cells + vertical_cells - inputs),
            ("sha512_rows".into(), sha512_rows),
            ("range_cells".into(), range_cells),
            ("lookups".into(), range_cells),
        ])
    };
    let hash = |count: usize| {
        of(count, &|ctx| {
            let halves = ctx.assign_witnesses(vec![Fr::one(); count]);
            let halves: Vec<_> = halves.into_iter().map(QuantumCell::Existing).collect();
            sha512::digest(ctx, &halves);
        })
    };
    let (more, less) = (hash(16), hash(8));
    let block: Row = more.iter().map(|(key, more)| (key.clone(), more - less[key])).collect();
    costs.insert(format!("sha512: a block, {bits} bits a row"), block);
    // A block of its own, with the first value. Most of its bytes are constants.
    costs.insert(format!("sha512: 96 bytes, {bits} bits a row"), hash(6));
    let after = of(8 + 3 + 1, &|ctx| {
        let prefix = [(); 8].map(|()| ctx.load_witness(Fr::one()));
        let halves = ctx.assign_witnesses([Fr::one(), Fr::zero(), Fr::zero()]);
        let length = ctx.load_witness(Fr::from(16));
        let message = Message { halves: &halves, length, bound: 41 };
        let behind = sha512::Behind::new(ctx, message);
        sha512::digest_after(ctx, &prefix, &behind);
    });
    costs.insert(format!("sha512: 64 bytes and up to 41, {bits} bits a row"), after);
}
