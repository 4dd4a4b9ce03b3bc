//! What is proven from: a committee and the signatures of some of its members.

use std::{
    collections::HashSet,
    sync::{Arc, OnceLock},
};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gadgets::{
    curve::edwards::SubgroupPoint,
    membership::{KeySet, Member, MerkleTree},
    signature::{
        eddsa::Eddsa,
        musig::{KeyAggregation, Musig},
        schnorr::Schnorr,
        Signature, SignatureScheme,
    },
};
use rayon::prelude::*;

use crate::{Error, Rejection, Scheme, Shape, Statement};

/// Weights and their sums stay below 2 to this power.
pub(crate) const TOTAL_WEIGHT_BITS: u32 = 48;

/// A set of weighted keys.
#[derive(Clone, Debug)]
pub struct Committee {
    set: KeySet,
    /// The first tree that was asked for, by arity and depth; large sets take long to hash.
    tree: OnceLock<((usize, usize), Arc<MerkleTree>)>,
}

impl Committee {
    /// A committee of keys and weights, in the order of their indices.
    ///
    /// # Errors
    ///
    /// [`Error::KeySet`] if there is none, a key stands twice or a weight is not between 1 and 2^32
    /// - 1.
    pub fn new(members: &[(SubgroupPoint, u64)]) -> Result<Self, Error> {
        let entry = |&(public_key, weight): &(SubgroupPoint, u64)| Member { public_key, weight };
        let set = KeySet::new(members.iter().map(entry).collect())?;
        Ok(Self { set, tree: OnceLock::new() })
    }

    pub(crate) fn set(&self) -> &KeySet {
        &self.set
    }

    /// Keys and weights.
    pub fn members(&self) -> &[Member] {
        self.set.members()
    }

    /// The tree whose root commits to the committee.
    ///
    /// # Errors
    ///
    /// [`Error::Tree`] if the committee does not fit it.
    pub fn tree(&self, arity: usize, depth: usize) -> Result<Arc<MerkleTree>, Error> {
        if let Some((_, tree)) = self.tree.get().filter(|(shape, _)| *shape == (arity, depth)) {
            return Ok(tree.clone());
        }
        let tree = Arc::new(self.set.tree(arity, depth)?);
        self.tree.get_or_init(|| ((arity, depth), tree.clone()));
        Ok(tree)
    }
}

/// The signatures under a message.
#[derive(Clone, Debug)]
pub enum Signatures {
    /// One for each signer: the index of the member and its signature.
    Independent(Vec<(usize, Signature)>),
    /// One of all signers.
    Aggregate {
        /// Indices of the members.
        members: Vec<usize>,
        /// Their signature.
        signature: Signature,
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

/// Checks natively what the circuit of `shape` is to prove, in the order in which a user would want
/// to know: every rule that is broken has its own [`Rejection`].
///
/// # Errors
///
/// [`Error::Rejected`] for a false statement, another error for what does not fit the shape.
pub fn verify(
    shape: &Shape,
    statement: &Statement,
    committee: &Committee,
    signatures: &Signatures,
) -> Result<(), Error> {
    let signers = signatures.members();
    if signers.len() > shape.slots {
        return Err(Error::TooManySigners { signers: signers.len(), slots: shape.slots });
    }
    if shape.tree(committee)?.root() != statement.key_set_root {
        return Err(Rejection::Root.into());
    }
    let weight = signing_weight(committee, &signers)?;
    if statement.threshold == 0 || statement.threshold >> TOTAL_WEIGHT_BITS != 0 {
        return Err(Rejection::Threshold(statement.threshold).into());
    }
    match signatures {
        Signatures::Independent(list) if !shape.scheme.is_aggregate() => {
            let verdict = |(member, signature): &(usize, Signature)| {
                verify_one(
                    shape.scheme,
                    &committee.members()[*member].public_key,
                    &statement.message,
                    signature,
                )
                .map_err(|rule| Rejection::Signature { member: *member, rule })
            };
            let verdicts: Vec<_> = list.par_iter().map(verdict).collect();
            verdicts.into_iter().collect::<Result<(), _>>()?;
        }
        Signatures::Aggregate { members, signature } if shape.scheme.is_aggregate() => {
            let mut members = members.clone();
            members.sort_unstable();
            let key = |member: &usize| committee.members()[*member].public_key;
            let keys: Vec<_> = members.iter().map(key).collect();
            let keys = KeyAggregation::new(&statement.key_set_root, &keys)
                .map_err(Rejection::AggregateKey)?;
            Musig::verify(&keys.aggregate(), &statement.message, signature)
                .map_err(Rejection::Aggregate)?;
        }
        _ => return Err(Error::WrongKind(shape.scheme)),
    }
    if weight < statement.threshold {
        return Err(Rejection::Weight { weight, threshold: statement.threshold }.into());
    }
    Ok(())
}

fn verify_one(
    scheme: Scheme,
    key: &SubgroupPoint,
    message: &Fr,
    signature: &Signature,
) -> Result<(), muster_gadgets::signature::SignatureError> {
    match scheme {
        Scheme::Schnorr => Schnorr::verify(key, message, signature),
        Scheme::Eddsa => Eddsa::verify(key, message, signature),
        Scheme::Musig => Musig::verify(key, message, signature),
    }
}

/// The weight of distinct members.
fn signing_weight(committee: &Committee, signers: &[usize]) -> Result<u64, Rejection> {
    let members = committee.members();
    let mut seen = HashSet::new();
    let mut weight = 0;
    for &member in signers {
        let entry = members.get(member);
        let entry = entry.ok_or(Rejection::NotAMember { member, members: members.len() })?;
        if !seen.insert(member) {
            return Err(Rejection::DuplicateSigner(member));
        }
        weight += entry.weight;
    }
    Ok(weight)
}
