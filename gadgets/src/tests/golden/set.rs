//! What a set of whole keys costs, hashed and laid out to be looked up in.

use halo2_base::QuantumCell;

use super::{layout, Costs, Row};
use crate::membership::tree;
use muster_gates::{GateContext, Gates, Layout, Usage};
use muster_schemes::membership::{KeyFormat, LeafFormat};

/// Elements of a key.
const FORMATS: [(&str, usize); 4] =
    [("BN254 G1", 3), ("BLS12-381 G1", 4), ("BN254 G2", 6), ("BLS12-381 G2", 8)];
/// A fifth of as many leaves is as many as fill a node of arity 5.
const LEAVES: [usize; 2] = [20, 25];

pub(super) fn sets(costs: &mut Costs) {
    for (name, elements) in FORMATS {
        let format = KeyFormat::new(elements, "muster.leaf.cost");
        let [less, more] = LEAVES.map(|leaves| {
            usage(elements, |ctx| {
                let leaves = vec![LeafFormat::Keys(format).empty(); leaves];
                let set = tree::whole_key_set(ctx, format, &leaves, (5, 2));
                let cells = |entry: Vec<_>| entry.into_iter().map(QuantumCell::Existing).collect();
                let entries: Vec<Vec<_>> = set.entries.into_iter().map(cells).collect();
                ctx.chips.set().set(&entries);
            })
        });
        let rows = more.set_rows - less.set_rows;
        let hashes = |usage: &Usage| usage.poseidon.iter().map(|(_, _, cells)| cells).sum();
        let [less, more]: [usize; 2] = [&less, &more].map(hashes);
        let cells = (1 + elements) * rows + more - less;
        let row = [("set_rows".into(), rows), ("cells".into(), cells)];
        let members = 5 * format.members();
        costs.insert(format!("set: {members} members with whole keys, {name}"), Row::from(row));
    }
}

fn usage(set_elements: usize, build: impl FnOnce(&mut GateContext)) -> Usage {
    let layout = Layout { set_elements, edwards_lanes: 0, ..layout(&[6, KeyFormat::WIDTH]) };
    let mut gates = Gates::new(&layout, false);
    let ctx = &mut gates.context();
    build(ctx);
    gates.usage()
}
