//! Deciders, held to those that another program made.

use sha2::{Digest, Sha256};

use super::{
    file::{File, ALL},
    sample::packed,
};
use crate::{
    decider::counted,
    scalar_to_bytes,
    tests::{
        circuit::{circuit, Draws},
        sample::protocol,
    },
    Decider, Packing, Protocol,
};

#[test]
fn deciders_are_those_of_the_files() {
    for name in ALL {
        let file = File::read(name);
        let expected = file.object("decider");
        let decider = Decider::new(&file.packing()).expect("it is small");
        assert_eq!(decider.rows().len(), expected.number("rows"), "{name}");
        assert_eq!(decider.k() as usize, expected.number("k_2"), "{name}");
        assert_eq!(decider.public_inputs(), expected.number("public_inputs"), "{name}");
        let cells = decider.cells().iter().map(|cell| {
            let (place, row) = (cell.place as i64, cell.row as i64);
            vec![cell.pack as i64, place, cell.rotation.into(), row]
        });
        assert_eq!(cells.collect::<Vec<_>>(), expected.lists("layout"), "{name}");
        let mut hash = Sha256::new();
        for column in decider.columns() {
            column.iter().for_each(|cell| hash.update(scalar_to_bytes(cell)));
        }
        assert_eq!(hex::encode(hash.finalize()), expected.text("columns_sha256"), "{name}");
    }
}

/// A reader of keys counts rows without the factors that take long.
#[test]
fn as_many_rows_are_counted_as_are_kept() {
    let same = |packing: &Packing| {
        let rows = Decider::new(packing).expect("it is small").rows().len();
        assert_eq!(counted(packing), Ok(rows));
    };
    ALL.iter().for_each(|name| same(&File::read(name).packing()));
    for stride in [1, 2, 4, 256] {
        same(&packed(protocol(), stride));
    }
    for seed in 0..50 {
        let protocol = Protocol::new(circuit(&mut Draws(seed))).expect("it obeys the rules");
        same(&packed(protocol, 1));
    }
}
