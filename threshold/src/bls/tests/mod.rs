#![allow(clippy::unwrap_used)]

mod cheaters;
mod shares;
mod signing;

use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};

use super::{deal, Ciphersuite, Group, Identities, SecretShare};

const MESSAGE: &[u8] = b"all of one mind";

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

fn dealt<S: Ciphersuite<Signed = [u8]>>(
    identities: Identities,
    threshold: usize,
    signers: usize,
) -> (Group<S>, Vec<SecretShare<S>>) {
    deal(identities, threshold, signers, &mut rng(1)).unwrap()
}

/// Different signers of a committee, drawn at random.
fn drawn(signing: usize, signers: usize, seed: u64) -> Vec<usize> {
    use rand::seq::SliceRandom;
    let mut all: Vec<usize> = (0..signers).collect();
    all.shuffle(&mut rng(seed));
    all.truncate(signing);
    all
}
