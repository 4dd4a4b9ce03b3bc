//! Deciders, held to those that another program made.

use sha2::{Digest, Sha256};

use super::file::{File, ALL};
use crate::{scalar_to_bytes, Decider};

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
