//! A row, as files hold it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What tells a row from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub(super) variant: String,
    pub(super) chunk_bits: u32,
    pub(super) threshold: usize,
    pub(super) shares: usize,
    pub(super) players: usize,
    pub(super) threads: usize,
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}/{}", self.variant, self.threshold, self.shares)
    }
}

/// A row. The order of the fields is that of the columns in the CSV. Times are medians.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub(super) variant: String,
    pub(super) chunk_bits: u32,
    pub(super) threshold: usize,
    pub(super) shares: usize,
    pub(super) players: usize,
    pub(super) heaviest: usize,
    pub(super) threads: usize,
    pub(super) bytes: usize,
    pub(super) deal_ms: f64,
    pub(super) deal_kept_ms: f64,
    pub(super) encode_ms: f64,
    pub(super) verify_ms: f64,
    pub(super) decode_verify_ms: f64,
    pub(super) add_ms: f64,
    pub(super) decrypt_ms: f64,
    pub(super) decrypt_heaviest_ms: f64,
    /// Of a player on average; rows of earlier versions do not have it.
    #[serde(default)]
    pub(super) decrypt_random_ms: f64,
    pub(super) decrypt_166_ms: f64,
    pub(super) verify_all_ms: f64,
    /// Most memory that the process has held so far.
    pub(super) peak_bytes: u64,
}
