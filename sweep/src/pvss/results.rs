//! What the files of a sweep of sharings hold.

use super::{
    plot,
    row::{Key, Row},
};
use crate::Results;

impl crate::Row for Row {
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
        plot::draw(results)
    }
}
