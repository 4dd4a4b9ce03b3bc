//! Linear equations.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use rand::RngCore;

use crate::polynomial::Numbers;

/// Rows with a leading 1 each, in columns where all other rows have 0, and those columns.
fn reduced(mut rows: Vec<Numbers>, columns: usize) -> (Vec<Numbers>, Vec<usize>) {
    let mut leading = vec![];
    for column in 0..columns {
        let done = leading.len();
        let Some(place) = (done..rows.len()).find(|row| rows[*row][column] != Fr::ZERO) else {
            continue;
        };
        rows.swap(done, place);
        let inverse = rows[done][column].invert().unwrap();
        rows[done].iter_mut().for_each(|number| *number *= inverse);
        let own = rows[done].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(place, _)| *place != done) {
            let factor = row[column];
            row.iter_mut().zip(&own).for_each(|(number, own)| *number -= factor * own);
        }
        leading.push(column);
    }
    (rows, leading)
}

/// How many of the rows are independent.
pub(super) fn rank(rows: &[Numbers]) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    reduced(rows.to_vec(), columns).1.len()
}

/// Numbers whose products with each row are those on the right, and random besides. Nothing if there are none.
pub(super) fn solve(rows: &[Numbers], right: &[Fr], rng: &mut impl RngCore) -> Option<Numbers> {
    let columns = rows[0].len();
    let joined = rows.iter().zip(right).map(|(row, right)| [row.as_slice(), &[*right]].concat());
    let (rows, leading) = reduced(joined.collect(), columns);
    if rows[leading.len()..].iter().any(|row| row[columns] != Fr::ZERO) {
        return None;
    }
    let mut solution: Numbers = (0..columns).map(|_| Fr::random(&mut *rng)).collect();
    leading.iter().for_each(|column| solution[*column] = Fr::ZERO);
    for (row, column) in rows.iter().zip(&leading) {
        let others: Fr = row.iter().zip(&solution).map(|(factor, number)| *factor * number).sum();
        solution[*column] = row[columns] - others;
    }
    Some(solution)
}

#[test]
fn equations_are_solved() {
    let number = |number: u64| Fr::from(number);
    let rows = vec![
        vec![number(0), number(2), number(1)],
        vec![number(3), number(1), number(0)],
        vec![number(3), number(3), number(1)],
    ];
    assert_eq!((rank(&rows), rank(&rows[..2]), rank(&[vec![Fr::ZERO; 3]])), (2, 2, 0));
    let mut rng = super::sample::rng(0);
    let solution = solve(&rows, &[number(4), number(5), number(9)], &mut rng).unwrap();
    let products = rows.iter().map(|row| row.iter().zip(&solution).map(|(a, b)| a * b).sum());
    assert_eq!(products.collect::<Numbers>(), [number(4), number(5), number(9)]);
    assert_eq!(solve(&rows, &[number(4), number(5), number(8)], &mut rng), None);
}
