//! Random numbers for tests, schemas of files, and tests that lack a program. A test that wants other numbers in every run
//! takes them from [`rng`], which prints the seed; `MUSTER_TEST_SEED` gives the same numbers again.

use std::{cell::Cell, io::Write};

use rand::{rngs::OsRng, seq::index, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

pub mod circom;
pub mod schema;
#[cfg(test)]
mod tests;

/// The environment variable that fixes the seed of a run: a `u64` in decimal.
pub const SEED: &str = "MUSTER_TEST_SEED";

/// The environment variable that, set to 1, makes [`sampled`] give all cases.
pub const EXHAUSTIVE: &str = "MUSTER_EXHAUSTIVE";

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

/// One in `share` of the cases, at least one, in their order: others in every run, by [`rng`]. All of them where
/// `MUSTER_EXHAUSTIVE=1`, as `make test-slow` and `make mutants` have it.
pub fn sampled<T>(cases: impl IntoIterator<Item = T>, share: usize) -> Vec<T> {
    let mut cases: Vec<_> = cases.into_iter().collect();
    if !exhaustive() {
        let drawn = index::sample(&mut rng(), cases.len(), cases.len().div_ceil(share)).into_vec();
        let mut number = 0..;
        cases.retain(|_| number.next().is_some_and(|number| drawn.contains(&number)));
    }
    cases
}

/// Whether [`sampled`] takes all cases.
pub fn exhaustive() -> bool {
    std::env::var(EXHAUSTIVE).as_deref() == Ok("1")
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
