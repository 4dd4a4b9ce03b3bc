use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    QuantumCell,
};
use num_bigint::BigInt;

use super::*;
use crate::{
    forgery::testing::{layout, TestCircuit},
    Chips, Forged, GateContext,
};
use muster_schemes::curve::edwards::{AffinePoint, SubgroupPoint};

mod chains;
mod tables;

fn generator() -> TableSource {
    let point = SubgroupPoint::from_affine(AffinePoint::generator()).expect("in the subgroup");
    TableSource::Constant(point)
}

fn eighth() -> (Fr, Fr) {
    let q = AffinePoint::generator().divide_by_cofactor();
    (q.x(), q.y())
}

/// `t·B + z₀·B + z₁·B` with `t = -z₀ - z₁ + surplus`: the identity unless there is a surplus.
fn build(chips: &Chips, surplus: i64, member: Option<(u64, u64)>) -> (Fr, Fr) {
    let chip = &chips.edwards;
    let tables = [generator(), TableSource::EighthOf { q: eighth() }]
        .map(|source| chip.table_perhaps_identity(0, &source));
    let v = [0x0123_4567_89ab_cdef_0011_2233_4455_6677u128, u128::MAX - 5];
    let z: [BigInt; 2] = v.map(|v| (BigInt::from(v) << 1) - (BigInt::from(1) << 128) + 1);
    // Two odd numbers have an even sum; a second long term of 1 makes up for it.
    let t: BigInt = BigInt::from(surplus) - 1 - &z[0] - &z[1];
    let long = [
        LongTerm { table: &tables[1], scalar: LongScalar::new(&t) },
        LongTerm { table: &tables[0], scalar: LongScalar::new(&1.into()) },
    ];
    if let Some((slot, index)) = member {
        let entry = |i: u64| [100 + i, 200 + i].map(|c| QuantumCell::Constant(Fr::from(c))).into();
        let members: Vec<_> = (0..4).map(entry).collect();
        chip.set(0, &members);
        let x = chips.range.check(QuantumCell::Witness(Fr::from(100 + index)), 8);
        let member = |slot| {
            let offset = Fr::from(index) - Fr::from(slot);
            Member { slot, offset, x, weight: Fr::from(200 + index) }
        };
        let found = chip.look_up_unbounded(0, &[member(slot), member(slot + 1)]);
        assert_eq!(found[0].offset().value(), &(Fr::from(index) - Fr::from(slot)));
    }
    let short = v.map(|v| ShortTerm { table: &tables[0], scalar: ShortScalar::new(v) });
    let sum = chip.multiply(0, &long, &short).unbound_point();
    (*sum.x().value(), *sum.y().value())
}

/// A prover could choose a scalar that is not bound, and with it the point.
#[test]
#[should_panic(expected = "a scalar that nothing binds")]
fn a_product_of_a_scalar_that_is_not_bound_gives_no_point() {
    TestCircuit::new(layout(10, &[]), |ctx: &mut GateContext| {
        let table = ctx.chips.edwards.table_perhaps_identity(0, &generator());
        let long = [LongTerm { table: &table, scalar: LongScalar::new(&3.into()) }];
        let short = [5, 5].map(|c| ShortTerm { table: &table, scalar: ShortScalar::new(c) });
        let product = ctx.chips.edwards.multiply(0, &long, &short);
        product.point(&[product.long[0].assume_bound(), product.short[0].assume_bound()]);
    });
}

fn circuit(surplus: i64, member: Option<(u64, u64)>) -> TestCircuit {
    TestCircuit::new(layout(10, &[]), |ctx: &mut GateContext| {
        let (x, y) = build(ctx.chips, surplus, member);
        assert_eq!((x, y) == (Fr::ZERO, Fr::ONE), surplus == 0);
    })
}

#[test]
fn products_add_up() {
    circuit(0, None).assert_satisfied();
    circuit(2, None).assert_satisfied();
}

#[test]
fn members_are_looked_up() {
    circuit(0, Some((1, 3))).assert_satisfied();
    circuit(0, Some((0, 0))).assert_satisfied();
}

/// The rows in which members are looked up.
fn member_rows(test: &TestCircuit) -> Vec<usize> {
    let lane = test.gates().chips.edwards.lanes[0].borrow();
    (0..lane.rows.len()).filter(|row| lane.rows[*row].fixed.member).collect()
}

#[test]
fn a_member_of_another_index_key_or_weight_is_refused() {
    let mut test = circuit(0, Some((0, 2)));
    for row in member_rows(&test) {
        for value in [0, 1, 3, 4, 101, 201].map(Fr::from).into_iter().chain([-Fr::ONE]) {
            for column in [X1, Y1, SUM] {
                let stands = test.advice()[column][row] == value;
                assert!(stands || !test.is_satisfied_with(Forged { column, row, value }));
            }
        }
    }
}

/// The key of a member's row hides in the addend what its abscissa lacks: were the addend not bound to
/// be 0, two offsets in a row would make a digit, and the digit times the addend any abscissa.
#[test]
fn the_addend_of_a_member_s_row_is_bound() {
    let mut test = circuit(0, Some((0, 2)));
    let rows = member_rows(&test);
    let [first, last] = [rows[0], rows[rows.len() - 1]];
    let chained = |rows: std::ops::RangeInclusive<usize>, column, value| {
        rows.map(|row| Forged { column, row, value }).collect::<Vec<_>>()
    };
    for value in [Fr::ONE, -Fr::ONE, Fr::from(100)] {
        for column in [X2, Y2] {
            // One row, and all rows alike, with and without the row that leads them.
            for forged in [
                chained(first..=first, column, value),
                chained(first..=last, column, value),
                chained(first - 1..=last, column, value),
            ] {
                assert!(!test.is_satisfied_with_all(forged));
            }
        }
    }
    let lead = [(X1, first - 1), (X2, first), (X2, last)];
    let forged = lead.map(|(column, row)| Forged { column, row, value: Fr::ONE }).to_vec();
    assert!(!test.is_satisfied_with_all(forged), "the lead's accumulator is a constant");
}

#[test]
fn a_point_off_the_curve_is_refused() {
    let test = TestCircuit::new(layout(10, &[]), |ctx| {
        let (x, y) = eighth();
        ctx.chips.edwards.table_perhaps_identity(0, &TableSource::EighthOf { q: (x + Fr::ONE, y) });
    });
    assert!(!test.is_satisfied());
}

#[test]
fn every_cell_is_bound() {
    let mut test = circuit(0, Some((1, 3)));
    let lane = test.gates().chips.edwards.lanes[0].borrow().clone();
    // Prime strides visit each column and every kind of row.
    let visited = (0..lane.rows.len()).filter(|row| row % 7 < 2 || *row < 30);
    let survivors: Vec<_> = visited
        .flat_map(|row| (0..WIDTH).map(move |column| (row, column)))
        .filter(|&(row, column)| {
            let value = lane.rows[row].advice[column] + Fr::from(3);
            test.is_satisfied_with(Forged { column, row, value })
        })
        .filter(|&(row, column)| !is_free(&lane, row, column))
        .collect();
    assert!(survivors.is_empty(), "{survivors:?}");
}

/// Cells that no product depends on, and why.
fn is_free(lane: &rows::LaneRows, row: usize, column: usize) -> bool {
    let fixed = &lane.rows[row].fixed;
    let before = row.checked_sub(1).map(|before| lane.rows[before].fixed.clone());
    let idle = fixed.step == Step::Idle;
    let free = match column {
        // Accumulators that nothing adds to, in a row that is neither an entry nor an end.
        X1 | Y1 => {
            idle && !matches!(fixed.key, rows::Key::Entry(_))
                && !lane.named.contains(&(row, column))
        }
        X2 | Y2 => idle && !fixed.lookup && !fixed.member && fixed.multiple == 0,
        // A running sum counts only between the rows of digits.
        SUM => {
            let counts = |fixed: &rows::FixedRow| fixed.lookup || fixed.member;
            !counts(fixed) && !before.is_some_and(|before| before.lookup)
        }
        _ => idle,
    };
    // The last row of a table adds nothing, though its addend must be on the curve.
    free || column == TAU && idle
}
