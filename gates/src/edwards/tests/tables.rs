//! Tables of a point that goes on as another one: each addend is bound by what its row says of it, and by nothing else.

use super::*;
use muster_schemes::curve::edwards::Point;

/// Rows of a table of eight times a point.
const ROWS: usize = 12;

/// Tables of eight times a point, the first of them behind a constant's if it `is_behind`.
fn tables(q: AffinePoint, is_behind: bool) -> TestCircuit {
    TestCircuit::new(layout(9, &[]), |ctx| {
        if is_behind {
            ctx.chips.edwards.table_perhaps_identity(0, &generator());
        }
        let source = TableSource::EighthOf { q: (q.x(), q.y()) };
        ctx.chips.edwards.table_perhaps_identity(0, &source);
    })
}

/// What each row multiplies the first coordinate of its accumulator by.
fn multiples() -> [u64; ROWS] {
    [1, 1, 1, 1, 1, 3, 5, 7, 9, 11, 13, 15]
}

/// Accumulators that start with `q`, and are added `addend(row)` each.
fn accumulators(q: Point, addend: impl Fn(usize, &[Point]) -> Point) -> Vec<(Point, Point)> {
    let (mut points, mut rows) = (vec![q], vec![]);
    for row in 0..ROWS - 1 {
        let addend = addend(row, &points);
        rows.push((points[row], addend));
        points.push(points[row] + addend);
    }
    rows
}

/// The addend that a row must have.
fn honest(row: usize, points: &[Point]) -> Point {
    match row {
        0..=3 => points[row],
        4 => points[3],
        _ => points[4],
    }
}

fn affine(point: Point) -> (Fr, Fr) {
    let point = point.to_affine();
    (point.x(), point.y())
}

/// The cells of these rows where they differ from what stands there.
fn written(test: &TestCircuit, first: usize, rows: &[(Point, Point)]) -> Vec<Forged> {
    let advice = test.advice();
    let mut forged = vec![];
    let last = rows[rows.len() - 1];
    let all = rows.iter().map(|(point, addend)| (*point, Some(*addend)));
    for (row, (point, addend)) in all.chain([(last.0 + last.1, None)]).enumerate() {
        let (x1, y1) = affine(point);
        let mut cells = vec![(X1, x1 * Fr::from(multiples()[row])), (Y1, y1)];
        if let Some((x2, y2)) = addend.map(affine) {
            cells.extend([(X2, x2), (Y2, y2), (TAU, x1 * y1 * x2 * y2)]);
        }
        let cells = cells.into_iter().map(|(column, value)| (column, first + row, value));
        let new = cells.filter(|(column, row, value)| advice[*column][*row] != *value);
        forged.extend(new.map(|(column, row, value)| Forged { column, row, value }));
    }
    forged
}

#[test]
fn each_addend_of_a_table_is_bound() {
    let q = AffinePoint::generator().divide_by_cofactor();
    let stranger = Point::from(AffinePoint::generator()).double().double();
    for (is_behind, first) in [(false, 0), (true, 9)] {
        let mut test = tables(q, is_behind);
        test.assert_satisfied();
        assert!(written(&test, first, &accumulators(q.into(), honest)).is_empty());
        for changed in 0..ROWS - 1 {
            // Rows behind it go on as they must: what is doubled or taken is the new one.
            let addend = |row: usize, points: &[Point]| match row {
                row if row == changed => stranger,
                5.. if changed >= 5 && row > changed => stranger,
                row => honest(row, points),
            };
            let forged = written(&test, first, &accumulators(q.into(), addend));
            let expected: &[&str] = match changed {
                0..=3 => &["double x", "double y"],
                4 | 5 => &["take x", "take y"],
                _ => &["keep x", "keep y"],
            };
            assert_eq!(test.failing(forged), expected, "row {changed}");
        }
    }
}
