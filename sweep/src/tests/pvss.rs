//! The columns of a row, and plots with little to show.

use super::assert_columns;
use crate::{pvss::Row, Kept, Machine, Results, Row as _};

fn row(threads: usize) -> Row {
    Row {
        variant: "compact".into(),
        chunk_bits: 32,
        threshold: 2,
        shares: 3,
        players: 3,
        heaviest: 1,
        threads,
        bytes: 1000,
        deal_ms: 1.0,
        deal_kept_ms: 1.0,
        encode_ms: 1.0,
        verify_ms: 1.0,
        decode_verify_ms: 0.0,
        add_ms: 1.0,
        decrypt_ms: 1.0,
        decrypt_heaviest_ms: 1.0,
        decrypt_random_ms: 1.0,
        decrypt_166_ms: 1.0,
        verify_all_ms: 0.0,
        peak_bytes: 1,
    }
}

#[test]
fn columns_are_the_fields_of_a_row() {
    assert_columns(&row(1));
}

/// Rows of several threads alone are no points of the plot, and no rows at all neither.
#[test]
fn a_plot_without_points() {
    let draw = |rows: &[usize]| {
        let mut results = Results::new(Machine::this(), None);
        results.rows.extend(rows.iter().map(|threads| Kept { row: row(*threads), machine: 0 }));
        let (end, plot) = Row::PLOTS[0];
        assert_eq!(end, "svg");
        plot(&results).draw(&results.summaries()).expect("drawn")
    };
    for rows in [&[][..], &[2]] {
        let svg = draw(rows);
        assert!(svg.contains("No row is measured yet."));
    }
    let svg = draw(&[1, 2]);
    assert!(svg.contains("Golden (commonware 2026.10.0)"));
}
