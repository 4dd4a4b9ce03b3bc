//! A toy for tests: a hash for a key, and its preimage for a signature.

mod chip;
mod native;

mod tests;

pub(crate) use native::{Opening, Preimage, PublicKey, SecretKey};
