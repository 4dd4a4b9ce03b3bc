//! Secret nonces.

use blake2::{Blake2b512, Digest};
use ff::Field;
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use crate::curve::edwards::Scalar;

/// A secret nonce that is not zero: Blake2b-512 of the label, the secret key, 32 fresh bytes and
/// the context, reduced modulo l from 512 bits so that its bias is below 2^-250.
///
/// The nonce is hedged: with a random number generator that repeats itself it is still a secret
/// that differs from context to context, so `context` must hold everything the challenge depends
/// on. All parts have fixed lengths for one label.
pub(super) fn hedged(
    label: &str,
    secret: &Scalar,
    rng: &mut (impl RngCore + CryptoRng),
    context: &[&[u8]],
) -> Zeroizing<Scalar> {
    loop {
        let mut fresh = Zeroizing::new([0; 32]);
        rng.fill_bytes(fresh.as_mut());
        let mut hash = Blake2b512::new_with_prefix(label);
        hash.update(Zeroizing::new(secret.to_bytes()));
        hash.update(fresh);
        context.iter().for_each(|part| hash.update(part));
        let digest = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
        let nonce = Zeroizing::new(Scalar::from_wide(&digest));
        if !bool::from(nonce.is_zero()) {
            return nonce;
        }
    }
}
