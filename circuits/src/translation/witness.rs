//! A translation that was found to hold, with everything that fills a circuit to prove it; and what provers and verifiers ask of
//! the circuit.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gates::{GateCircuit, Gates, Layout};
use muster_schemes::membership::{commitment::CommitmentError, Whole};

use super::{
    circuit::{record, TranslationInputs},
    plan::check,
    shape::TranslationShape,
    statement::{TranslationStatement, TRANSLATION_INPUTS},
};
use crate::{
    circuit_shape::{CircuitShape, OtherStatement},
    committee::Committee,
    error::Error,
    scheme::Scheme,
};

/// Evidence that a set has the members of a commitment. Only [`TranslationShape::witness`] makes one.
#[derive(Clone, Debug)]
pub struct TranslationWitness {
    statement: TranslationStatement,
    committee: Committee,
    /// What else its root commits to, if keys add up.
    whole: Whole,
    /// Children of a node, and levels, of the tree whose root the statement has.
    tree: (usize, usize),
}

impl TranslationShape {
    /// The statement that holds of a committee, with its witness.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyMembers`], [`Error::OtherSeats`], [`Error::Tree`], or [`Error::Commitment`] for a member whom the commitment
    /// cannot hold.
    pub fn witness(&self, committee: &Committee) -> Result<TranslationWitness, Error> {
        let members = committee.members();
        check_room(self, members.len())?;
        let commitment = self.commitment.hash(members)?;
        let tree = committee.tree(self.arity, self.depth)?;
        let statement = TranslationStatement {
            key_set_root: tree.root(),
            commitment,
            members: members.len() as u64,
            total_weight: committee.set().total_weight(),
        };
        let whole = tree.whole().copied().unwrap_or_default();
        let (committee, tree) = (committee.clone(), (self.arity, self.depth));
        Ok(TranslationWitness { statement, committee, whole, tree })
    }
}

/// Whether the circuit of a shape has a place for each member and, where these are seats, a member for each place.
fn check_room(shape: &TranslationShape, members: usize) -> Result<(), Error> {
    let capacity = shape.capacity;
    if shape.commitment.is_of_seats() && members != capacity {
        return Err(Error::OtherSeats { members, seats: capacity });
    }
    if members > capacity {
        return Err(Error::TooManyMembers { members, capacity });
    }
    Ok(())
}

impl TranslationWitness {
    /// What was found to hold.
    pub fn statement(&self) -> &TranslationStatement {
        &self.statement
    }

    /// What fills the circuit of a shape.
    pub(super) fn inputs(&self, shape: &TranslationShape) -> Result<TranslationInputs, Error> {
        let members = self.committee.members();
        check_room(shape, members.len())?;
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
        Ok(TranslationInputs { public, leaves, whole: self.whole, keys }.padded(shape))
    }
}

impl CircuitShape for TranslationShape {
    type Statement = TranslationStatement;
    type Witness = TranslationWitness;

    fn check(&self) -> Result<(), Error> {
        check(self)
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn scheme(&self) -> Scheme {
        self.commitment.scheme()
    }

    fn public_inputs(&self) -> usize {
        TRANSLATION_INPUTS
    }

    fn check_inputs(&self, inputs: &[Fr]) -> Result<(), String> {
        let read = TranslationStatement::from_public_inputs(inputs);
        read.map(drop).ok_or_else(|| "not a root, 32 bytes in halves, and two numbers".to_owned())
    }

    fn inputs_of(&self, statement: &TranslationStatement) -> Result<Vec<Fr>, OtherStatement> {
        Ok(statement.public_inputs().to_vec())
    }

    fn keygen_circuit(&self) -> GateCircuit {
        record(self, &TranslationInputs::unused(self), Gates::new(&self.layout, false))
    }

    fn circuit(
        &self,
        witness: &TranslationWitness,
        witness_gen_only: bool,
    ) -> Result<GateCircuit, Error> {
        Ok(record(self, &witness.inputs(self)?, Gates::new(&self.layout, witness_gen_only)))
    }

    fn statement(witness: &TranslationWitness) -> &TranslationStatement {
        witness.statement()
    }
}
