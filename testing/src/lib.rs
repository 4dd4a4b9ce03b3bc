//! Random numbers for tests, and tests that lack a program. A test that wants other numbers in every run
//! takes them from [`rng`], which prints the seed; `MUSTER_TEST_SEED` gives the same numbers again.

use std::{cell::Cell, io::Write};

use rand::{rngs::OsRng, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

#[cfg(test)]
mod tests;

/// The environment variable that fixes the seed of a run: a `u64` in decimal.
pub const SEED: &str = "MUSTER_TEST_SEED";

thread_local! {
    /// Generators that this thread, which is a test's own, was given.
    static STREAMS: Cell<u64> = const { Cell::new(0) };
}

/// Numbers from the seed in `MUSTER_TEST_SEED`, or else from a fresh one. The seed is printed, and the
/// test harness shows what a test printed if it fails. Two generators of one test never give the same
/// numbers.
///
/// # Panics
///
/// If the variable is set and is not a `u64`.
pub fn rng() -> ChaCha20Rng {
    let seed = match std::env::var(SEED) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{SEED}: {text} is not a number")),
        Err(_) => OsRng.next_u64(),
    };
    println!("{SEED}={seed}");
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    rng.set_stream(STREAMS.replace(STREAMS.get() + 1));
    rng
}

/// Says that a test is skipped because this machine lacks `what`, which `install` brings. The line goes past
/// the test harness, which would swallow it. Where `CI=true`, nothing may be skipped.
///
/// # Panics
///
/// If `CI` is `true`.
pub fn skip(what: &str, install: &str) {
    let line = format!("skipped: no {what} here; {install}");
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{line}");
    // Without standard error nobody is there to read it.
    let _ = writeln!(std::io::stderr(), "{line}");
}
