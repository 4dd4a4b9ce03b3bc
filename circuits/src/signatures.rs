//! Signatures on a message.

use muster_schemes::signature::AnySignature;

/// The signatures on a message.
#[derive(Clone, Debug)]
pub enum Signatures {
    /// One for each signer: the index of the member and its signature.
    Independent(Vec<(usize, AnySignature)>),
    /// One by all signers together.
    Aggregate {
        /// Indices of the members.
        members: Vec<usize>,
        /// Their signature.
        signature: AnySignature,
    },
}

impl Signatures {
    /// Indices of the signers.
    pub fn members(&self) -> Vec<usize> {
        match self {
            Self::Independent(signatures) => signatures.iter().map(|(member, _)| *member).collect(),
            Self::Aggregate { members, .. } => members.clone(),
        }
    }
}
