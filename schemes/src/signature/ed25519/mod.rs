//! Ed25519 (RFC 8032, section 5.1, without prehashing), under one of three rules.
//!
//! ```
//! use muster_schemes::signature::{
//!     ed25519::{native, Ed25519, SecretKey},
//!     Rule, SignatureScheme, SignedBytes,
//! };
//!
//! // The second test of RFC 8032, section 7.1.
//! let seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
//! let secret = SecretKey::from_bytes(&hex::decode(seed).unwrap()).unwrap();
//! let key = secret.public_key();
//! let expected = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
//! assert_eq!(hex::encode(key.to_bytes()), expected);
//!
//! let signature = native::sign(&secret, b"r");
//! assert_eq!(Ed25519::verify(&key, &SignedBytes::new(b"r"), &signature), Ok(()));
//! // A good signature of a good key passes under every rule.
//! assert_eq!(native::verify(Rule::Strict, &key, b"r", &signature), Ok(()));
//! ```

mod key;
pub mod native;
pub(crate) mod point;
mod rule;
mod scheme;

#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "tests/vectors.rs"]
pub(crate) mod vectors;

pub(crate) use key::{is_small_order, name_of, published_seeds};
pub use key::{PublicKey, SecretKey, NAME_DOMAIN};
pub use native::{challenge, Signature, SIGNATURE_LENGTH};
pub(crate) use point::WIDTH;
pub use point::{EncodedPoint, PointError};
pub use scheme::Ed25519;
