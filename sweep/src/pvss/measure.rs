//! A row, measured.

use std::time::Duration;

use muster_threshold::pvss::{
    dlog::Search,
    measure::{Bench, Times},
    Shape, SIGNATURE_BYTES,
};
use rand::rngs::OsRng;

use super::row::{Key, Row};
use crate::{memory, rounded, Error, MICROSECONDS};

/// What a row is asked for.
#[derive(Clone, Debug)]
pub struct Ask {
    /// How the secret is shared.
    pub shape: Shape,
    /// Threads that compute.
    pub threads: usize,
}

impl Ask {
    /// What tells its row from others.
    pub fn key(&self) -> Key {
        let shape = &self.shape;
        Key {
            variant: shape.variant().to_string(),
            chunk_bits: shape.chunk_bits(),
            threshold: shape.threshold(),
            shares: shape.shares(),
            players: shape.players(),
            threads: self.threads,
        }
    }

    /// Seconds that the row takes, roughly: dealings and verifications, a step a share.
    pub fn cost(&self, repeat: usize, batch: usize) -> f64 {
        0.2 + 2e-3 * self.shape.shares() as f64 * (repeat + batch) as f64
    }

    /// The row, measured.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] for threads that cannot be had, and for what dealing and decryption refuse.
    pub fn measure(&self, search: &Search, repeat: usize, batch: usize) -> Result<Row, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| Error::usage(format!("--threads: {error}")))?;
        let failed = |found: muster_threshold::pvss::Error| Error::usage(found.to_string());
        let bench = Bench::new(self.shape.clone(), &mut OsRng).map_err(failed)?;
        let measure = || bench.times(search, repeat, batch, &mut OsRng);
        let times: Times = pool.install(measure).map_err(failed)?;
        let shape = &self.shape;
        Ok(Row {
            variant: shape.variant().to_string(),
            chunk_bits: shape.chunk_bits(),
            threshold: shape.threshold(),
            shares: shape.shares(),
            players: shape.players(),
            heaviest: shape.slots(),
            threads: self.threads,
            bytes: shape.transcript_bytes() + SIGNATURE_BYTES,
            deal_ms: milliseconds(times.deal),
            deal_kept_ms: milliseconds(times.deal_kept),
            encode_ms: milliseconds(times.encode),
            verify_ms: milliseconds(times.verify),
            decode_verify_ms: milliseconds(times.decode_and_verify),
            add_ms: milliseconds(times.add),
            decrypt_ms: milliseconds(times.decrypt),
            decrypt_heaviest_ms: milliseconds(times.decrypt_heaviest),
            decrypt_random_ms: milliseconds(times.decrypt_random),
            decrypt_166_ms: milliseconds(times.decrypt_sum),
            verify_all_ms: milliseconds(times.verify_all),
            peak_bytes: memory::peak().unwrap_or_default(),
        })
    }
}

fn milliseconds(time: Duration) -> f64 {
    rounded(time.as_secs_f64() * 1e3, MICROSECONDS / 1e3)
}
