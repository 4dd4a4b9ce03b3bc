//! The sum of the weights of more signers than a place has numbered parts.

use muster_forgery::forger::{open_cells, open_classes};
use muster_gates::{GateCircuit, Layout};

use super::*;
use crate::threshold::assert_weight;

/// Each cell of the sum and of what compares it is rewritten, with all that follows from it.
#[test]
fn a_sum_of_weights_is_determined() {
    let layout = Layout {
        k: 9,
        vertical_columns: 1,
        range_columns: 1,
        range_bits: 8,
        constant_rows: 16,
        edwards_lanes: 1,
        ..Layout::default()
    };
    // The sum of the signers' weights, and what is left of all weights without those of the absent.
    for total in [None, Some(236)] {
        let circuit = GateCircuit::new(&layout, false, |ctx| {
            let weights = ctx.assign_witnesses((1..=16).map(Fr::from));
            let threshold = ctx.load_witness(Fr::from(100));
            let total = total.map(|total| ctx.load_witness(Fr::from(total)));
            assert_weight(ctx, &weights, total, threshold);
        });
        let vertical = layout.advice_columns() - 1..layout.advice_columns();
        // The weights, the threshold and the total, which the circuit around it binds.
        let bound = 17 + usize::from(total.is_some());
        let inputs: Vec<_> = (0..bound).map(|row| (vertical.start, row)).collect();
        let (cells, public) = (vertical.clone(), vec![vec![]]);
        assert_eq!(open_cells(layout.k, &circuit, public.clone(), cells, &inputs), []);
        assert_eq!(open_classes(layout.k, &circuit, public, vertical, &inputs), []);
    }
}
