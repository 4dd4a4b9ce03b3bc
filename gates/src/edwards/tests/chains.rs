//! Chains rewritten from their starts: each start is bound by a copy, and by nothing else.

use super::{super::multiply::Blocks, *};
use crate::forgery::forger::{Forger, Place};
use muster_schemes::curve::edwards::Point;

/// Rows of the two tables in front of the product.
const TABLES: usize = 9 + 12;

/// A product of two long terms and two short ones, what may be read off it, and where its blocks lie. The
/// scalars are large, and no window ends in the identity.
fn product() -> (TestCircuit, Forger, Blocks) {
    product_behind(0)
}

/// The same behind so many small ones.
fn product_behind(others: usize) -> (TestCircuit, Forger, Blocks) {
    let mut first = 0;
    let test = TestCircuit::new(layout(11, &[]), |ctx| {
        let chip = &ctx.chips.edwards;
        for _ in 0..others {
            let table = &chip.table_perhaps_identity(0, &generator());
            let long = [LongTerm { table, scalar: LongScalar::new(&3.into()) }];
            let short = [5, 7].map(|c| ShortTerm { table, scalar: ShortScalar::new(c) });
            chip.multiply(0, &long, &short);
        }
        first = chip.lanes[0].borrow().rows.len();
        let tables = [generator(), TableSource::EighthOf { q: eighth() }]
            .map(|source| chip.table_perhaps_identity(0, &source));
        let scalars = [7u8, 11].map(|c| (BigInt::from(c) << 248usize) + 0x0123_4567_89ab_cdef_u64);
        let terms = tables.iter().zip(&scalars);
        let long: Vec<_> =
            terms.map(|(table, t)| LongTerm { table, scalar: LongScalar::new(t) }).collect();
        let short = [u128::MAX / 3, u128::MAX / 7]
            .map(|v| ShortTerm { table: &tables[0], scalar: ShortScalar::new(v) });
        chip.multiply(0, &long, &short);
    });
    test.assert_satisfied();
    let forger = test.forger();
    (test, forger, Blocks::new(first + TABLES, 2, 2))
}

/// A point of the curve that is not the identity.
fn elsewhere() -> (Fr, Fr) {
    let point = AffinePoint::generator();
    (point.x(), point.y())
}

#[test]
fn the_start_of_a_product_is_the_identity() {
    for others in [0, 1] {
        let (mut test, forger, blocks) = product_behind(others);
        let row = blocks.double + 1;
        assert_eq!((forger.value((X1, row)), forger.value((Y1, row))), (Fr::ZERO, Fr::ONE));
        let (x, y) = elsewhere();
        let starts = [((X1, row), x), ((Y1, row), y)];
        test.assert_only_copies_refuse(&forger, "another point", &starts);
        // With y = 1 there is no x but 0: what is left is the point of order 2.
        test.assert_only_copies_refuse(&forger, "the point of order 2", &[((Y1, row), -Fr::ONE)]);
        let mut forged = forger.rewrite(&starts);
        assert!(forged.len() > 1000, "the whole product follows from its start");
        // The first doubling alone: the addend of the identity is what the other point would be doubled to.
        let double = Point::from(AffinePoint::generator()).double().to_affine();
        forged.retain(|cell| cell.column >= WIDTH || cell.row != row);
        let addend = [(X2, double.x()), (Y2, double.y())];
        forged.extend(addend.map(|(column, value)| Forged { column, row, value }));
        assert_eq!(test.failing(forged), ["double x", "double y"]);
    }
}

/// The links of windows and halves, one by one: `(-x, y)` and `(x, -y)` are points of the curve if `(x, y)` is.
fn assert_bound(what: &str, rows: impl Iterator<Item = usize>) {
    let (mut test, forger, _) = product();
    for row in rows {
        for column in [X1, Y1] {
            let place: Place = (column, row);
            let value = -forger.value(place);
            let what = format!("{what}, row {row}, column {column}");
            test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
        }
    }
}

#[test]
fn each_window_starts_where_the_one_above_ended() {
    let (.., blocks) = product();
    assert_bound("window", (2..STRIDE).map(|row| blocks.double + row));
}

#[test]
fn low_windows_go_on_behind_the_long_terms() {
    let (.., blocks) = product();
    assert_bound("left half", (0..SHORT_DIGITS).map(|row| blocks.short + row));
}

#[test]
fn right_halves_go_on_where_left_halves_end() {
    let (.., blocks) = product();
    let right = blocks.short + SHORT_DIGITS;
    assert_bound("right half", (0..SHORT_DIGITS).map(|row| right + row));
}

#[test]
fn the_sum_of_a_long_scalar_starts_with_zero() {
    let (mut test, forger, blocks) = product();
    for block in 0..2 {
        let start = (SUM, blocks.long + block * STRIDE + 1);
        assert_eq!(forger.value(start), Fr::ZERO);
        for value in [Fr::ONE, -Fr::from(2)] {
            let what = format!("sum of term {block}");
            test.assert_only_copies_refuse(&forger, &what, &[(start, value)]);
        }
    }
}

/// A table's point with its multiples, and all digits that look them up.
#[test]
fn the_point_of_a_table_is_the_one_that_was_given() {
    let (mut test, forger, _) = product();
    let (x, y) = elsewhere();
    let double = Point::from(AffinePoint::generator()).double().to_affine();
    assert_eq!((forger.value((X1, 0)), forger.value((Y1, 0))), (x, y));
    let starts = [((X1, 0), double.x()), ((Y1, 0), double.y())];
    test.assert_only_copies_refuse(&forger, "another point", &starts);
    // Each coordinate alone: the negative of the point, and the other one of its abscissa.
    test.assert_only_copies_refuse(&forger, "x", &[((X1, 0), -x)]);
    test.assert_only_copies_refuse(&forger, "y", &[((Y1, 0), -y)]);
}

/// A set of four members, `(100 + i, 200 + i)`, and member `index` looked up by a key `x`.
fn members(index: u64, x: u64) -> (TestCircuit, Forger) {
    let test = TestCircuit::new(layout(10, &[]), |ctx| {
        let entry = |i: u64| [100 + i, 200 + i].map(|c| QuantumCell::Constant(Fr::from(c))).into();
        // Witnesses and constants.
        let cell = |i: u64| [100 + i, 200 + i].map(|c| range(ctx.chips, c)).into();
        let all = (0..4).map(|i| if i < 2 { cell(i) } else { entry(i) });
        ctx.chips.edwards.set(0, &all.collect::<Vec<_>>());
        let x = ctx.range.check(QuantumCell::Witness(Fr::from(x)), 8);
        let weight = Fr::from(200 + index);
        ctx.chips
            .edwards
            .look_up_unbounded(0, &[Member { slot: 0, offset: Fr::from(index), x, weight }]);
    });
    let forger = test.forger();
    (test, forger)
}

/// A cell with this number.
fn range(chips: &Chips, number: u64) -> QuantumCell<Fr> {
    QuantumCell::Existing(chips.range.check(QuantumCell::Witness(Fr::from(number)), 8))
}

/// Rows of the set, and of the member that is looked up, below the row that leads it.
const LEAD: usize = 4;
const FOUND: usize = LEAD + 1;

/// A leading row that is not zero: the key 134 passes for member 2, whose key is 102, since the offset makes
/// the digit -32 and the addend counts.
#[test]
fn the_addend_of_members_comes_from_a_constant() {
    let (mut test, forger) = members(2, 134);
    assert!(!test.is_satisfied());
    test.assert_only_copies_refuse(&forger, "the lead", &[((X1, LEAD), Fr::ONE)]);
}

/// The key that is looked up is the one that was given, and the set is the one that was laid out.
#[test]
fn members_and_the_set_are_those_that_were_given() {
    let (mut test, forger) = members(2, 102);
    test.assert_satisfied();
    let [x, weight] = [103, 203].map(Fr::from);
    let other = [((X1, FOUND), x), ((Y1, FOUND), weight), ((SUM, FOUND), Fr::from(3))];
    test.assert_only_copies_refuse(&forger, "another member", &other);
    // Another key in the set, and in all cells of the one that is looked up.
    let key = Fr::from(150);
    let mut starts: Vec<_> =
        forger.bound_to((X1, FOUND)).into_iter().map(|place| (place, key)).collect();
    starts.push(((X1, 2), key));
    test.assert_only_copies_refuse(&forger, "another key in the set", &starts);
    let weight = Fr::from(9_999);
    let starts = [((Y1, 2), weight), ((Y1, FOUND), weight)];
    test.assert_only_copies_refuse(&forger, "another weight in the set", &starts);
}

/// A key and a weight in the set, in the place of those that were given, with the lookup of that member.
#[test]
fn each_member_of_the_set_is_the_one_that_was_given() {
    for index in 0..4 {
        let (mut test, forger) = members(index, 100 + index);
        test.assert_satisfied();
        let row = index as usize;
        let key = Fr::from(150);
        let mut starts: Vec<_> =
            forger.bound_to((X1, FOUND)).into_iter().map(|place| (place, key)).collect();
        starts.push(((X1, row), key));
        test.assert_only_copies_refuse(&forger, "another key in the set", &starts);
        let weight = Fr::from(9_999);
        let starts = [((Y1, row), weight), ((Y1, FOUND), weight)];
        test.assert_only_copies_refuse(&forger, "another weight in the set", &starts);
    }
}

/// A key that is not in the set, behind two that are: the offset makes a digit of -16, and an addend that the row
/// above does not pass on counts.
#[test]
fn each_member_takes_the_addend_of_the_one_before() {
    let mut test = TestCircuit::new(layout(10, &[]), |ctx| {
        let entry = |i: u64| [100 + i, 200 + i].map(|c| QuantumCell::Constant(Fr::from(c))).into();
        ctx.chips.edwards.set(0, &(0..4).map(entry).collect::<Vec<_>>());
        let member = |(slot, index, x): (u64, u64, u64)| {
            let x = ctx.range.check(QuantumCell::Witness(Fr::from(x)), 8);
            Member { slot, offset: Fr::from(index - slot), x, weight: Fr::from(200 + index) }
        };
        let wanted = [(0, 0, 100), (1, 1, 101), (2, 3, 119)].map(member);
        ctx.chips.edwards.look_up_unbounded(0, &wanted);
    });
    let lookup = test.failing(vec![]);
    assert!(lookup.len() == 1 && lookup[0].starts_with("edwards"), "{lookup:?}");
    let addend = Forged { column: X2, row: FOUND + 2, value: Fr::ONE };
    assert_eq!(test.failing(vec![addend]), ["keep x"]);
}

/// An index that points into the table of a point, which shows its ordinate for a weight: the first offset is what
/// the lookup has less the slot, and its copy in the range check is a small integer or refused there.
#[test]
fn the_first_offset_is_range_checked() {
    let mut test = TestCircuit::new(layout(10, &[]), |ctx| {
        let chip = &ctx.chips.edwards;
        let point = chip.table_perhaps_identity(0, &generator());
        let entry = |i: u64| [100 + i, 200 + i].map(|c| QuantumCell::Constant(Fr::from(c))).into();
        chip.set(0, &(0..4).map(entry).collect::<Vec<_>>());
        let (_, weight) = elsewhere();
        let wanted = Wanted { index: Fr::from(2), x: point.x, weight };
        chip.look_up(ctx, 16, &[vec![wanted]]);
    });
    let lookup = test.failing(vec![]);
    assert!(lookup.len() == 1 && lookup[0].starts_with("edwards"), "{lookup:?}");
    let forger = test.forger();
    // Behind the table of nine rows and the set of four.
    let place: Place = (SUM, 9 + FOUND);
    assert_eq!(forger.value(place), Fr::from(2));
    // The table has the key 1.
    let offset = Fr::ONE - Fr::from(MEMBER_BASE);
    test.assert_only_copies_refuse(&forger, "the offset", &[(place, offset)]);
    let all: Vec<_> = forger.bound_to(place).into_iter().map(|place| (place, offset)).collect();
    assert_eq!(all.len(), 2, "the lookup and the range check");
    assert_eq!(test.failing(forger.rewrite(&all)), ["range: limb is below 2^b"]);
}
