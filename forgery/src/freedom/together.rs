//! Equations of a few numbers modulo one prime, solved together.

use num_bigint::BigInt;
use num_traits::{Euclid, Zero};

/// Subtracts multiples of rows from others, modulo a prime, until each column that can be is in one row alone.
pub(super) fn reduced(mut rows: Vec<Vec<BigInt>>, prime: &BigInt) -> Vec<Vec<BigInt>> {
    let mut is_chosen = vec![false; rows.len()];
    for column in 0..rows.first().map_or(0, Vec::len) {
        let mut open = (0..rows.len()).filter(|row| !is_chosen[*row]);
        let inverse = open.find_map(|row| Some((row, rows[row][column].modinv(prime)?)));
        let Some((pivot, inverse)) = inverse else { continue };
        is_chosen[pivot] = true;
        let by = rows[pivot].clone();
        for (_, slopes) in rows.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            let factor = &slopes[column] * &inverse;
            for (slope, other) in slopes.iter_mut().zip(&by) {
                *slope = (&*slope - &factor * other).rem_euclid(prime);
            }
        }
    }
    rows
}

/// The columns that stand alone in a row.
pub(super) fn alone(rows: &[Vec<BigInt>]) -> Vec<usize> {
    let only = |row: &Vec<BigInt>| {
        let mut left = (0..row.len()).filter(|column| !row[*column].is_zero());
        let first = left.next()?;
        left.next().is_none().then_some(first)
    };
    let mut columns: Vec<_> = rows.iter().filter_map(only).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}
