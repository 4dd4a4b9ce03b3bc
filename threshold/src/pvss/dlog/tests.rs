//! Logarithms: every value of a small range, the ends of large ones, and matches that are false.

use super::*;
use crate::pvss::tests::search;

fn point(value: u64) -> G1Affine {
    multiply_g1(&bases::g().into(), &Fr::from(value)).to_affine()
}

fn find(search: &Search, point: G1Affine, range: Range) -> Option<u64> {
    search.logarithms(&[point], &[range])[0]
}

#[test]
fn every_value_of_a_small_range() {
    for (radix, spread, dealings) in [(200, 200, 1), (100, 100, 3), (64, 10, 5), (2, 2, 1)] {
        let range = Range::new(radix, spread, dealings);
        for bits in [4, 5] {
            let search = Search::new(Table::new(bits).unwrap());
            for value in 0..radix * dealings {
                assert_eq!(find(&search, point(value), range), Some(value), "{value} {radix}");
            }
            for value in [radix * dealings, radix * dealings + 1, 1 << 40] {
                assert_eq!(find(&search, point(value), range), None);
            }
            assert_eq!(find(&search, -point(1), range), None);
        }
    }
}

#[test]
fn the_ends_of_a_large_range() {
    let radix = 1u64 << 24;
    for dealings in [1, 2, 9] {
        let range = Range::new(radix, radix, dealings);
        let bound = radix * dealings;
        for value in [0, 1, bound / 2, bound - 2, bound - 1] {
            assert_eq!(find(search(), point(value), range), Some(value));
        }
        for beyond in [point(bound), -point(1), bases::h()] {
            assert_eq!(find(search(), beyond, range), None);
        }
    }
    assert_eq!(find(search(), G1Affine::identity(), Range::new(4, 4, 1)), Some(0));
}

/// The baby step `to` gets the entry of the coordinate of `from`.
fn set_entry(table: &mut Table, from: u64, to: u64) {
    let word = word(&Lane::from(&point(from)).x);
    let bucket = bucket(table.bits, word);
    let places = table.starts[bucket] as usize..table.starts[bucket + 1] as usize;
    let found = table.indices[places].iter_mut().find(|index| u64::from(**index) == from - 1);
    *found.expect("an entry") = (to - 1) as u32;
}

#[test]
fn a_false_match_is_not_taken() {
    let mut table = Table::new(8).unwrap();
    // 9·G is found at the place of 5: the entry says 5, and the point tells that it is not.
    set_entry(&mut table, 9, 5);
    let search = Search::new(table);
    let range = Range::new(1 << 12, 1 << 12, 1);
    let middle = 1 << 11;
    assert_eq!(find(&search, point(middle + 9), range), None);
    assert_eq!(find(&search, point(middle + 8), range), Some(middle + 8));
}

/// 166 dealings with every chunk at its maximum: outside the window, within the bound.
#[test]
#[ignore = "a search over the widest range: make test-slow"]
fn the_widest_range() {
    let search = Search::new(Table::new(22).unwrap());
    let range = Range::new(1 << 32, 1 << 32, 166);
    let value = 166 * ((1u64 << 32) - 1);
    assert_eq!(find(&search, point(value), range), Some(value));
    assert_eq!(find(&search, point(0), range), Some(0));
    assert_eq!(find(&search, point(166 << 32), range), None);
}

#[test]
fn tables_in_files() {
    let table = Table::new(6).unwrap();
    let bytes = table.to_bytes();
    assert_eq!(Table::from_bytes(&bytes).unwrap(), table);
    for place in [0, 16, 20, 52, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        assert!(matches!(Table::from_bytes(&changed), Err(Error::Table { .. })), "{place}");
    }
    assert!(Table::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    assert!(Table::new(3).is_err() && Table::new(40).is_err());
}
