//! What one more key takes in whole circuits.

use halo2_base::utils::modulus;
use muster_gadgets::gate::foreign::{Block, ForeignLayout};

use super::*;

/// Cells of one more key that signs, with its place in the set that is committed to as a whole: of a set of 100 and one
/// of 200, all of whom sign, a hundredth of what one takes more than the other. Relations have lookups of 16 bits in two
/// columns.
fn one_more_key(scheme: Scheme) -> f64 {
    let request = Request {
        mode: Some(Mode::WholeSet),
        degree: Some(17),
        depth: Some(3),
        ..Request::new(scheme, 100, 100)
    };
    let shape = Shape::fit(&request).expect("the shape is legal");
    assert_eq!(shape.layout.range_bits, 16);
    let usages = [100, 200].map(|n| Shape { capacity: n, slots: n, ..shape.clone() }.usage());
    let wide = &shape.layout.blocks()[0];
    let foreign = ForeignLayout { columns: 2, ..shape.layout.foreign[0].clone() };
    let block = Block::new(modulus::<Fr>(), &foreign, 16);
    let parts = usages.map(|usage| {
        [
            usage.foreign_rows[0] / wide.rows() * block.cells(),
            usage.poseidon.iter().map(|(_, _, cells)| cells).sum(),
            usage.edwards_rows * 6,
            usage.range_cells,
            usage.vertical_cells,
        ]
    });
    let parts = [0, 1, 2, 3, 4].map(|i| (parts[1][i] - parts[0][i]) as f64 / 100.0);
    println!("{scheme}: {parts:?} {}", parts.iter().sum::<f64>());
    parts.iter().sum()
}

#[test]
fn one_more_key_with_its_place_in_the_set() {
    for scheme in [Scheme::BlsBn254, Scheme::BlsBls12381] {
        one_more_key(scheme);
    }
}
