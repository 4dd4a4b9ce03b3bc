#![allow(clippy::unwrap_used)]

mod combination;
mod encodings;
mod points;

use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};

const MESSAGE: &[u8] = b"all of one mind";

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}
