//! What a node hashes, lane by lane.

use super::*;

/// Nodes one behind the other: full ones, and such as are filled up.
#[test]
fn every_child_of_every_node_is_bound() {
    for (arity, count, depth) in [(16, 3, 2), (16, 16, 1), (5, 9, 2), (5, 10, 2), (5, 1, 1)] {
        // No weight is 0.
        let leaves = &leaves(count + 1)[1..];
        let mut circuit = TestCircuit::new(layout(11, &widths(arity)), |ctx| {
            tree::whole_set(ctx, leaves, arity, depth);
        });
        circuit.assert_satisfied();
        let forger = circuit.forger();
        let rows = rows_each(arity + 1, 3).expect("it can be laid out");
        // Leaves of another width have columns of their own in front of those of nodes.
        let is_shared = widths(arity).len() == 1;
        let column = if is_shared { POSEIDON } else { POSEIDON + 6 };
        let nodes = count.div_ceil(arity) + if depth > 1 { 1 } else { 0 };
        let first = if is_shared { count } else { 0 };
        for node in 0..nodes {
            let place = |lane: usize| (column + lane % 3, (first + node) * rows + lane / 3);
            // No two lanes hold the same, so that each is refused by its own copy.
            let value = |lane: usize| forger.value(place(lane)) + Fr::from(1 + lane as u64);
            let starts: Vec<_> = (0..=arity).map(|lane| (place(lane), value(lane))).collect();
            let forged = forger.rewrite(&starts);
            let what = format!("{count} of {arity}, node {node}");
            assert_eq!(circuit.failing(forged.clone()), ["copy"], "{what}");
            let broken = circuit.broken_copies(forged);
            for lane in 0..=arity {
                assert!(broken.contains(&place(lane)), "{what}, lane {lane}");
            }
        }
    }
}
