//! A stand-in for the prover: it stores a circuit's witness and does nothing with it.

use std::fmt;

use halo2_base::halo2_proofs::{
    circuit::Value,
    halo2curves::bn256::Fr,
    plonk::{Assigned, Circuit, ConstraintSystem},
};
use muster_gates::{GateCircuit, GateContext, Layout, Placement};

use crate::each_advice_cell;

/// Advice columns that a circuit writes its witness to.
pub struct Sheet<C: Circuit<Fr>> {
    config: C::Config,
    advice: Vec<Vec<Fr>>,
}

impl<C: Circuit<Fr>> fmt::Debug for Sheet<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet").field("columns", &self.advice.len()).finish_non_exhaustive()
    }
}

impl<C: Circuit<Fr>> Sheet<C> {
    /// The columns of `circuit`, `2^k` rows each.
    pub fn new(circuit: &C, k: u32) -> Self {
        let mut meta = ConstraintSystem::default();
        let config = C::configure_with_params(&mut meta, circuit.params());
        let advice = vec![vec![Fr::zero(); 1 << k]; meta.num_advice_columns()];
        Self { config, advice }
    }

    /// Writes the witness of `circuit`.
    pub fn fill(&mut self, circuit: &C) {
        let advice = &mut self.advice;
        let write = |column: usize, row: usize, to: Value<Assigned<Fr>>| {
            to.map(|value| advice[column][row] = value.evaluate());
        };
        each_advice_cell(circuit, (self.config.clone(), vec![]), write)
            .expect("the circuit has a witness");
    }
}

/// Records what `build` does, for a witness alone. The vertical gate must have one column.
pub fn recorded(layout: &Layout, build: impl FnOnce(&mut GateContext)) -> GateCircuit {
    let mut circuit = GateCircuit::new(layout, true, build);
    circuit.gates.set_placement(Placement::default());
    circuit
}
