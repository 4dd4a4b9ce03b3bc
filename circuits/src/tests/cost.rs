//! What one more key takes in whole circuits.

use halo2_base::utils::modulus;
use muster_gates::{
    foreign::{Block, ForeignLayout},
    Layout, Usage,
};

use super::*;

/// Bits of a lookup, and columns of the relations' lookups.
const GATE: (usize, usize) = (16, 2);
/// Members of a set all of whom sign, and of one with as many more.
const MEMBERS: [usize; 2] = [100, 200];

/// Cells, by their gates.
#[derive(Debug, PartialEq)]
struct Cells {
    /// Of the sum, in relations.
    relations: usize,
    /// Of hashes: its part of a leaf, and that of the nodes above.
    poseidon: usize,
    /// Of the set's entry, of one for a slot that is not used, and of the look-up.
    set: usize,
    /// Of limbs, of a weight and of an index.
    range: usize,
    vertical: usize,
}

/// Cells of so many more keys that sign, each with its place in the set that is committed to as a whole.
fn more_keys(scheme: Scheme) -> Cells {
    let request = Request {
        mode: Some(Mode::WholeSet),
        degree: Some(17),
        depth: Some(3),
        ..Request::new(scheme, MEMBERS[0], MEMBERS[0])
    };
    let shape = Shape::fit(&request).expect("the shape is legal");
    let equations = shape.suite().expect("it was checked").needs().equations;
    let (range_bits, columns) = GATE;
    let foreign = ForeignLayout::new(&modulus::<Fr>(), range_bits, columns, &equations);
    let block = Block::new(modulus::<Fr>(), &foreign, range_bits);
    let layout = Layout { range_bits, foreign: vec![foreign], ..shape.layout.clone() };
    let usage = |n: usize| {
        let layout = layout.clone();
        Shape { capacity: n, slots: n, layout, ..shape.clone() }.usage()
    };
    let [fewer, more] = MEMBERS.map(usage);
    let difference = |of: &dyn Fn(&Usage) -> usize| of(&more) - of(&fewer);
    let poseidon = |usage: &Usage| usage.poseidon.iter().map(|(_, _, cells)| cells).sum();
    Cells {
        relations: difference(&|usage| usage.foreign_rows[0]) / block.rows() * block.cells(),
        poseidon: difference(&poseidon),
        set: difference(&|usage| usage.set_rows) * (1 + layout.set_elements),
        range: difference(&|usage| usage.range_cells),
        vertical: difference(&|usage| usage.vertical_cells),
    }
}

/// A hundredth of each is what one key takes: 316.25 over BN254 and 448.75 over BLS12-381, where 330 and 450 are asked for.
#[test]
fn one_more_key_with_its_place_in_the_set() {
    let bn254 =
        Cells { relations: 15_000, poseidon: 8_925, set: 1_200, range: 3_700, vertical: 2_800 };
    assert_eq!(more_keys(Scheme::BlsBn254), bn254);
    let bls12381 =
        Cells { relations: 22_800, poseidon: 11_475, set: 1_500, range: 5_300, vertical: 3_800 };
    assert_eq!(more_keys(Scheme::BlsBls12381), bls12381);
}
