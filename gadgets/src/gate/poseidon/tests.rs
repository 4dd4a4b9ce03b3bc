use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};

use crate::{
    gate::{
        testing::{layout, TestCircuit},
        Forged, Layout, PoseidonLayout,
    },
    hash::poseidon::{native, PoseidonSpec},
};

fn circuit(layout: Layout, width: usize, count: usize) -> TestCircuit {
    TestCircuit::new(layout, |_, chips| {
        let chip = chips.poseidon(width);
        for i in 0..count {
            let state: Vec<Fr> = (0..width).map(|j| Fr::from((31 * i + j) as u64)).collect();
            let cells: Vec<_> = state.iter().copied().map(QuantumCell::Witness).collect();
            let permuted = chip.permute(&cells);
            let mut expected = state;
            native::permute(PoseidonSpec::get(width), &mut expected);
            assert!(permuted
                .after
                .iter()
                .zip(&expected)
                .all(|(cell, value)| cell.value() == value));
        }
    })
}

#[test]
fn agrees_with_the_native_permutation() {
    for (width, columns) in [
        (3, 1),
        (3, 2),
        (3, 3),
        (3, 6),
        (5, 3),
        (5, 5),
        (6, 1),
        (6, 2),
        (6, 3),
        (6, 6),
        (9, 3),
        (17, 3),
    ] {
        let poseidon = vec![PoseidonLayout { width, columns, lanes: 2 }];
        circuit(Layout { poseidon, ..layout(9, &[]) }, width, 3).assert_satisfied();
    }
}

#[test]
fn every_cell_is_bound() {
    // Two permutations leave rows free; inputs are witnesses here, so changing one changes the
    // hash.
    let mut test = circuit(layout(9, &[3]), 3, 2);
    let rows = test.gates().chips.poseidon(3).rows_each();
    let survivors: Vec<_> = (0..6)
        .flat_map(|column| (0..rows).map(move |row| (6 + column, row)))
        .filter(|&(column, row)| {
            let value = Fr::from(0xbad);
            test.is_satisfied_with(Forged { column, row, value })
        })
        .collect();
    // The rows before the first and after the last S-box have no squares.
    let free = |&(column, row): &(usize, usize)| column >= 9 && (row == 0 || row == rows - 1);
    assert!(survivors.iter().all(free), "{survivors:?}");
    assert_eq!(survivors.len(), 6);
}

#[test]
fn cost_of_width_three() {
    let test = circuit(layout(9, &[3]), 3, 1);
    let (_, _, cells) = test.gates().usage().poseidon[0];
    assert_eq!(cells, 168);
}
