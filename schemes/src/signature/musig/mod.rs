//! MuSig2 over Baby Jubjub: several signers make one signature under one aggregate key.

pub mod native;
pub mod session;

#[cfg(test)]
mod tests;

pub use native::{
    challenge, coefficients, KeyAggregation, Musig, MusigError, CHALLENGE_DOMAIN, KEY_DOMAIN,
    LIST_DOMAIN,
};
pub use session::{
    nonce_coefficient, AggregateNonce, PartialSignature, PublicNonce, SecretNonce, Session,
    NONCE_DOMAIN,
};
