#![doc = include_str!("../README.md")]

pub mod apart;
mod error;
pub mod estimate;
pub mod files;
pub mod input;
pub mod keys;
mod logup;
mod number;
pub mod output;
mod polynomial;
mod profile;
pub mod proof;
pub mod sample;
mod synthesis;
pub mod terminal;
#[cfg(test)]
mod tests;

pub use error::{Error, BAD_INPUT, REJECTED};
pub use keys::{
    Keys, KeysOf, Memory, TranslationKeys, TranslationVerifierKey, VerifierKey, VerifierKeyOf,
};
pub use logup::Unsupported;
pub use number::Number;
// What callers need from the crates below, so that they depend on this one alone.
pub use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
pub use muster_circuits::{
    self, encoding, Committee, KeyKind, Message, Mode, Rejection, Request, Rule, Scheme, Shape,
    Signature, Signatures, Statement, Witness,
};
pub use muster_gates::place::is_asked_to_drop;
pub use muster_params::{self, ParamsError, Srs, SrsCache};
pub use muster_schemes::{self, decimal};
pub use muster_schemes::{
    membership::{PublicKey, Seats},
    signature::SignatureError,
};
pub use profile::{Phase, Profile, Spent};
pub use proof::{
    check_constraints, prove, prove_profiled, BatchError, Proof, ProofKind, VerifyError,
};
