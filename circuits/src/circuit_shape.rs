//! What provers and verifiers ask of a circuit, whichever it is.

use std::fmt::Debug;

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gates::{GateCircuit, Gates, Layout, Placement};
use muster_schemes::membership::SignerMask;
use serde::{de::DeserializeOwned, Serialize};

use crate::{error::Error, scheme::Scheme, shape::Shape, statement::Statement, witness::Witness};

/// What fixes the verifying key of a circuit, and what its proofs say: a [`Shape`], or a
/// [`TranslationShape`](crate::translation::TranslationShape). A key holds it as text, so its fields are part of the key's digest.
pub trait CircuitShape:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// What a proof says.
    type Statement: Clone + Debug + PartialEq + Send + Sync;
    /// Evidence that a statement holds, with all that fills the circuit.
    type Witness;

    /// Checks that keys can be made for it. It may come from a file that anyone has written.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    fn check(&self) -> Result<(), Error>;

    /// Columns and rows.
    fn layout(&self) -> &Layout;

    /// The scheme of the keys in the set that proofs are about.
    fn scheme(&self) -> Scheme;

    /// Number of public inputs.
    fn public_inputs(&self) -> usize;

    /// Checks inputs that somebody claims, as many as there are.
    ///
    /// # Errors
    ///
    /// Why no statement has them, in words.
    fn check_inputs(&self, inputs: &[Fr]) -> Result<(), String>;

    /// The public inputs of a statement.
    ///
    /// # Errors
    ///
    /// [`OtherStatement`] for one that proofs of this circuit cannot be about.
    fn inputs_of(&self, statement: &Self::Statement) -> Result<Vec<Fr>, OtherStatement>;

    /// A circuit to make keys from; its witness means nothing.
    ///
    /// # Panics
    ///
    /// For a shape that [`Self::check`] refuses.
    fn keygen_circuit(&self) -> GateCircuit;

    /// The circuit, filled. With `witness_gen_only` no constraint is recorded: for the prover alone.
    ///
    /// # Errors
    ///
    /// What does not fit the shape.
    fn circuit(
        &self,
        witness: &Self::Witness,
        witness_gen_only: bool,
    ) -> Result<GateCircuit, Error>;

    /// A circuit to prove with. `placement` comes from the keys.
    ///
    /// # Errors
    ///
    /// What does not fit the shape.
    fn prover_circuit(
        &self,
        witness: &Self::Witness,
        placement: Placement,
    ) -> Result<GateCircuit, Error> {
        let mut circuit = self.circuit(witness, true)?;
        circuit.gates.set_placement(placement);
        Ok(circuit)
    }

    /// What was found to hold.
    fn statement(witness: &Self::Witness) -> &Self::Statement;
}

/// Why no proof of a circuit is about a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherStatement {
    /// It has a message of a kind that the scheme does not sign.
    Message(Scheme),
    /// It says who signed and proofs do not, or the other way round, or it does so of another set.
    Signers,
}

impl CircuitShape for Shape {
    type Statement = Statement;
    type Witness = Witness;

    fn check(&self) -> Result<(), Error> {
        Self::check(self)
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn scheme(&self) -> Scheme {
        self.scheme
    }

    fn public_inputs(&self) -> usize {
        Self::public_inputs(self)
    }

    fn check_inputs(&self, inputs: &[Fr]) -> Result<(), String> {
        self.signers(inputs).map(drop).map_err(|fault| fault.to_string())
    }

    fn inputs_of(&self, statement: &Statement) -> Result<Vec<Fr>, OtherStatement> {
        let Statement { message, signers, .. } = statement;
        if message.kind() != self.public_message() {
            return Err(OtherStatement::Message(self.scheme));
        }
        let masked = self.mask.then_some(self.capacity);
        let is_said = signers.as_ref().map(SignerMask::capacity) == masked;
        is_said.then(|| statement.public_inputs()).ok_or(OtherStatement::Signers)
    }

    fn keygen_circuit(&self) -> GateCircuit {
        self.unused_circuit(Gates::new(&self.layout, false))
    }

    fn circuit(&self, witness: &Witness, witness_gen_only: bool) -> Result<GateCircuit, Error> {
        witness.circuit(self, witness_gen_only)
    }

    fn statement(witness: &Witness) -> &Statement {
        witness.statement()
    }
}
