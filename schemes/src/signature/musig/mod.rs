//! MuSig2 over Baby Jubjub: several signers make one signature under one aggregate key.
//!
//! ```
//! use halo2curves::bn256::Fr;
//! use muster_schemes::signature::{
//!     musig::{AggregateNonce, KeyAggregation, Musig, SecretNonce, Session},
//!     SignatureScheme,
//! };
//! use rand::rngs::OsRng;
//!
//! let (root, message) = (Fr::from(1), Fr::from(7));
//! let [alice, bob] = [1, 2].map(|seed| Musig::secret_key_from_seed(&[seed; 32]).unwrap());
//! let keys = KeyAggregation::new(&root, &[alice.public_key(), bob.public_key()]).unwrap();
//!
//! // Round 1: each signer draws nonces, and sends what is public of them.
//! let draw = |secret| SecretNonce::generate(secret, &keys, Some(&message), &mut OsRng);
//! let (a, b) = (draw(&alice), draw(&bob));
//! let public = [a.public(), b.public()];
//!
//! // Round 2: each signer signs, and anyone adds the shares up.
//! let session = Session::new(&keys, &AggregateNonce::new(&public), &message).unwrap();
//! let shares = [session.sign(&alice, a).unwrap(), session.sign(&bob, b).unwrap()];
//! let signature = session.aggregate(&[(public[0], shares[0]), (public[1], shares[1])]).unwrap();
//! assert_eq!(Musig::verify(&keys.aggregate(), &message, &signature), Ok(()));
//! ```

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
