//! A translation that was found to hold, with everything that fills a circuit to prove it.

use muster_gates::Gates;
use muster_schemes::membership::commitment::CommitmentError;

use super::{
    circuit::{record, TranslationInputs},
    shape::TranslationShape,
    statement::TranslationStatement,
};
use crate::{builder::RecordedCircuit, committee::Committee, error::Error};

/// Evidence that a set has the members of a commitment. Only [`TranslationShape::witness`] makes one.
#[derive(Clone, Debug)]
pub struct TranslationWitness {
    statement: TranslationStatement,
    committee: Committee,
    /// Children of a node, and levels, of the tree whose root the statement has.
    tree: (usize, usize),
}

impl TranslationShape {
    /// The statement that holds of a committee, with its witness.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyMembers`], [`Error::Tree`], or [`Error::Commitment`] for a member whom the commitment cannot hold.
    pub fn witness(&self, committee: &Committee) -> Result<TranslationWitness, Error> {
        let (members, capacity) = (committee.members(), self.capacity);
        if members.len() > capacity {
            return Err(Error::TooManyMembers { members: members.len(), capacity });
        }
        let commitment = self.commitment.hash(members)?;
        let tree = (self.arity, self.depth);
        let statement = TranslationStatement {
            key_set_root: committee.tree(self.arity, self.depth)?.root(),
            commitment,
            members: members.len() as u64,
            total_weight: committee.set().total_weight(),
        };
        Ok(TranslationWitness { statement, committee: committee.clone(), tree })
    }

    /// The circuit with all its constraints, to check them without a proof.
    ///
    /// # Errors
    ///
    /// As [`Self::witness`], if the witness is of another shape.
    pub fn check_circuit(&self, witness: &TranslationWitness) -> Result<RecordedCircuit, Error> {
        Ok(record(self, &witness.inputs(self)?, Gates::new(&self.layout, false)))
    }
}

impl TranslationWitness {
    /// What was found to hold.
    pub fn statement(&self) -> &TranslationStatement {
        &self.statement
    }

    /// What fills the circuit of a shape.
    pub(super) fn inputs(&self, shape: &TranslationShape) -> Result<TranslationInputs, Error> {
        let (members, capacity) = (self.committee.members(), shape.capacity);
        if members.len() > capacity {
            return Err(Error::TooManyMembers { members: members.len(), capacity });
        }
        if (shape.arity, shape.depth) != self.tree {
            return Err(Error::OtherTerms);
        }
        let commitment = shape.commitment.name();
        let keys = members.iter().enumerate().map(|(member, one)| {
            let other = CommitmentError::OtherKey { member, commitment };
            shape.commitment.key(&one.public_key).ok_or(other)
        });
        let keys = keys.collect::<Result<_, _>>()?;
        let leaves = self.committee.set().leaves();
        let public = self.statement.public_inputs();
        Ok(TranslationInputs { public, leaves, keys }.padded(shape))
    }
}
