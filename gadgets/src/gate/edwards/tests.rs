use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    Context, QuantumCell,
};
use num_bigint::BigInt;

use super::*;
use crate::{
    curve::edwards::AffinePoint,
    gate::{
        testing::{layout, TestCircuit},
        Chips, Forged,
    },
};

fn generator() -> TableSource {
    let point = AffinePoint::generator();
    TableSource::Known { x: QuantumCell::Constant(point.x()), y: QuantumCell::Constant(point.y()) }
}

fn eighth() -> (Fr, Fr) {
    let q = AffinePoint::generator().divide_by_cofactor();
    (q.x(), q.y())
}

/// `t·B + z₀·B + z₁·B` with `t = -z₀ - z₁ + surplus`: the identity unless there is a surplus.
fn build(chips: &Chips, surplus: i64, member: Option<(u64, u64)>) -> (Fr, Fr) {
    let chip = &chips.edwards;
    let tables =
        [chip.table(0, &generator()), chip.table(0, &TableSource::EighthOf { q: eighth() })];
    let v = [0x0123_4567_89ab_cdef_0011_2233_4455_6677u128, u128::MAX - 5];
    let z: [BigInt; 2] = v.map(|v| (BigInt::from(v) << 1) - (BigInt::from(1) << 128) + 1);
    // Two odd numbers have an even sum; a second long term of 1 makes up for it.
    let t: BigInt = BigInt::from(surplus) - 1 - &z[0] - &z[1];
    let mut long = vec![
        LongTerm { table: &tables[1], scalar: LongScalar::new(&t), member: None },
        LongTerm { table: &tables[0], scalar: LongScalar::new(&1.into()), member: None },
    ];
    if let Some((slot, index)) = member {
        let leaves: Vec<_> = (0..4u64).map(|i| QuantumCell::Constant(Fr::from(100 + i))).collect();
        chip.set(0, &leaves);
        let leaf = chips.range.check(QuantumCell::Witness(Fr::from(100 + index)), 8);
        let offset = Fr::from(index) - Fr::from(slot);
        long[0].member = Some(Member { slot, offset, leaf });
    }
    let short = v.map(|v| ShortTerm { table: &tables[0], scalar: ShortScalar::new(v) });
    let product = chip.multiply(0, &long, &short);
    (*product.x.value(), *product.y.value())
}

fn circuit(surplus: i64, member: Option<(u64, u64)>) -> TestCircuit {
    TestCircuit::new(layout(10, &[]), |_: &mut Context<Fr>, chips| {
        let (x, y) = build(chips, surplus, member);
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

#[test]
fn a_member_of_another_index_or_leaf_is_refused() {
    let mut test = circuit(0, Some((0, 2)));
    let rows = test.gates().chips.edwards.rows();
    let free = test.gates().chips.edwards.lanes[0]
        .borrow()
        .rows
        .iter()
        .position(|row| row.fixed.member)
        .expect("one row looks a member up");
    assert!(free < rows);
    for value in [Fr::from(1), Fr::from(3), Fr::from(4), -Fr::ONE] {
        assert!(!test.is_satisfied_with(Forged { column: X1, row: free, value }));
        assert!(!test.is_satisfied_with(Forged { column: Y1, row: free, value }));
    }
}

#[test]
fn a_point_off_the_curve_is_refused() {
    let test = TestCircuit::new(layout(10, &[]), |_, chips| {
        let (x, y) = eighth();
        chips.edwards.table(0, &TableSource::EighthOf { q: (x + Fr::ONE, y) });
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
        // A member's row has no abscissa: whoever looks it up sees the key and the leaf.
        X1 if fixed.entry >= MEMBER_BASE => true,
        // Accumulators that nothing adds to, in a row that is neither an entry nor an end.
        X1 | Y1 => idle && fixed.entry == 0 && !lane.named.contains(&(row, column)),
        X2 | Y2 | TAU => idle && !fixed.lookup && fixed.multiple == 0,
        // A running sum counts only between the rows of digits.
        _ => !fixed.lookup && !before.is_some_and(|before| before.lookup && !before.member),
    };
    // The last row of a table adds nothing, though its addend must be on the curve.
    free || column == TAU && idle
}
