//! A translation as provers and verifiers see it.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gates::{Gates, Layout, Placement};

use super::{
    circuit::{record, TranslationInputs},
    plan::check,
    shape::TranslationShape,
    statement::{TranslationStatement, TRANSLATION_INPUTS},
    witness::TranslationWitness,
};
use crate::{
    builder::RecordedCircuit,
    circuit_shape::{CircuitShape, OtherStatement},
    error::Error,
    scheme::Scheme,
};

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

    fn keygen_circuit(&self) -> RecordedCircuit {
        record(self, &TranslationInputs::unused(self), Gates::new(&self.layout, false))
    }

    fn prover_circuit(
        &self,
        witness: &TranslationWitness,
        placement: Placement,
    ) -> Result<RecordedCircuit, Error> {
        let inputs = witness.inputs(self)?;
        let mut circuit = record(self, &inputs, Gates::new(&self.layout, true));
        circuit.set_placement(placement);
        Ok(circuit)
    }

    fn statement(witness: &TranslationWitness) -> &TranslationStatement {
        witness.statement()
    }
}
