//! What the files of a sweep of sharings hold.

use super::{
    plot,
    row::{Key, Row},
};
use crate::sweep::{self, Results};

impl sweep::Row for Row {
    const COLUMNS: &'static [&'static str] = &[
        "variant",
        "chunk_bits",
        "threshold",
        "shares",
        "players",
        "heaviest",
        "threads",
        "bytes",
        "deal_ms",
        "deal_kept_ms",
        "encode_ms",
        "verify_ms",
        "decode_verify_ms",
        "add_ms",
        "decrypt_ms",
        "decrypt_heaviest_ms",
        "decrypt_random_ms",
        "decrypt_166_ms",
        "verify_all_ms",
        "peak_bytes",
    ];
    type Ask = Key;

    fn ask(&self) -> Key {
        Key {
            variant: self.variant.clone(),
            chunk_bits: self.chunk_bits,
            threshold: self.threshold,
            shares: self.shares,
            players: self.players,
            threads: self.threads,
        }
    }

    fn outcome(&self) -> String {
        let Self { deal_ms, verify_ms, decrypt_ms, .. } = self;
        format!("deal {deal_ms:.1} ms, verify {verify_ms:.1} ms, decrypt {decrypt_ms:.1} ms")
    }

    fn draw(results: &Results<Self>) -> Result<String, String> {
        plot::draw(&results.machine.summary(), &results.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::assert_columns;

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

    /// Rows of several threads only give no points in the plot, and neither does having no rows at all.
    #[test]
    fn a_plot_without_points() {
        for rows in [vec![], vec![row(2)]] {
            let svg = plot::draw("a machine", &rows).expect("drawn");
            assert!(svg.contains("No row is measured yet."));
        }
        let svg = plot::draw("a machine", &[row(1), row(2)]).expect("drawn");
        assert!(svg.contains("Golden, published"));
    }
}
