//! Hash functions.
//!
//! ```
//! use muster_schemes::hash::{keccak::keccak256, sha256::sha256};
//!
//! // From the examples of FIPS 180-4, and from Ethereum's Yellow Paper.
//! let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
//! assert_eq!(hex::encode(sha256(b"abc")), abc);
//! let nothing = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
//! assert_eq!(hex::encode(keccak256(b"")), nothing);
//! ```

pub mod keccak;
pub mod poseidon;
pub mod sha256;
pub mod sha512;
pub mod ssz;
pub mod to_curve;
