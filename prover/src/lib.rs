//! Proves and verifies that enough members of a committed set signed a message.
//!
//! [`Keys`] are made for a [`Shape`] from an SRS and kept in a directory; [`prove`] makes a proof of a
//! [`Statement`] and verifies it before it gives it out. [`VerifierKey::verify`] holds a [`Proof`] to
//! the statement that *you* expect: a proof says nothing of what it proves, and there is no way to ask
//! it. [`files`] holds the formats that the command line reads and writes.
//!
//! # A relayer
//!
//! It knows the committee, the threshold and the message that it is about to act on, out of its own
//! configuration and its own chain. From the prover it takes the proof alone.
//!
//! ```
//! use muster_prover::{prove, Keys, Proof, TranscriptKind, VerifierKey, VerifyError};
//! use muster_prover::{Request, Scheme, Shape, Statement};
//! # use muster_prover::{KeyKind, Srs};
//! # use muster_prover::sample::{Plan, Sample, Source};
//!
//! # let shape = Shape::fit(&Request::new(Scheme::Eddsa, 3, 1))?;
//! # let tree = (shape.arity, shape.depth);
//! # let plan = Plan {
//! #     scheme: Scheme::Eddsa,
//! #     keys: KeyKind::Coordinates,
//! #     signers: 3,
//! #     signing: 1,
//! #     message: None,
//! #     tree,
//! # };
//! # let sample = Sample::new(&plan, Source::from_text("relayer"))?;
//! # let (trusted, signatures, message) = (sample.committee, sample.signatures, sample.message);
//! # // A ceremony's, outside of examples.
//! # let srs = Srs::insecure(shape.degree())?;
//! # let keys = Keys::make(&srs, &shape)?;
//! # let published = keys.vk_digest();
//! # let root = shape.tree(&trusted)?.root();
//! # let claim = Statement { key_set_root: root, threshold: 1, message };
//! # let kind = TranscriptKind::Blake2b;
//! # let witness = shape.terms()?.verify(&claim, &trusted, &signatures)?;
//! # let sent = prove(&srs, &keys, &witness, kind)?.bytes().to_vec();
//! # let key: VerifierKey = keys.verifier();
//! // Once: the key, by `VerifierKey::load(dir)`, held to the digest that is published.
//! assert_eq!(key.digest(), published);
//! // The root of the committee that the relayer trusts, and the quorum that it asks for.
//! let key_set_root = key.shape().tree(&trusted)?.root();
//! let expected = Statement { key_set_root, threshold: 1, message };
//! // Bytes that came over the network.
//! let proof = Proof::new(TranscriptKind::Blake2b, sent);
//! assert_eq!(key.verify(&expected, &proof), Ok(()));
//!
//! // The same bytes prove nothing else: neither a larger quorum nor another committee's word.
//! let more = Statement { threshold: 2, ..expected };
//! assert_eq!(key.verify(&more, &proof), Err(VerifyError::Invalid));
//! # let other = Statement { key_set_root: key_set_root + key_set_root, ..expected };
//! # assert_eq!(key.verify(&other, &proof), Err(VerifyError::Invalid));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "cli")]
pub mod cli;
pub mod commitment;
mod constraints;
mod error;
#[cfg(feature = "cli")]
mod fault;
pub mod files;
mod input;
pub mod keys;
mod output;
#[cfg(feature = "cli")]
pub mod progress;
pub mod proof;
pub mod sample;
#[cfg(feature = "cli")]
pub mod srs;
mod stderr;
#[cfg(feature = "cli")]
pub mod sweep;
#[cfg(test)]
mod tests;

pub use constraints::check_constraints;
pub use error::{Error, BAD_INPUT, REJECTED};
#[cfg(feature = "cli")]
pub use fault::ProofFault;
pub use keys::{Keys, VerifierKey};
// What callers need of the crates below, so that they ask for this one alone.
pub use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
pub use muster_circuits::{
    self, encoding, Committee, Goal, KeyKind, Message, Mode, Rejection, Request, Rule, Scheme,
    Shape, Signature, Signatures, Statement,
};
pub use muster_gadgets::{self, membership::PublicKey, signature::SignatureError};
pub use muster_params::{self, ParamsError, Srs, SrsCache};
pub use proof::{prove, BatchError, Proof, TranscriptKind, VerifyError};
