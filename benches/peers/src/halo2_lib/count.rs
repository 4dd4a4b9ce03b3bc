//! Counts the advice cells of a circuit of halo2-axiom: halo2-lib's and Muster's.

use halo2_base::halo2_proofs::arithmetic::Field;
use halo2_base::halo2_proofs::plonk::{Circuit, ConstraintSystem};
use muster_benches::each_advice_cell;

use crate::error::PeerError;
use crate::usage::{Filled, Usage};

/// Synthesises `circuit`, which is one to make keys from, and counts.
pub(crate) fn count<F: Field, C: Circuit<F>>(circuit: &C) -> Result<Usage, PeerError> {
    let mut system = ConstraintSystem::default();
    let config = C::configure_with_params(&mut system, circuit.params());
    let mut filled = Filled::default();
    let mark = |column, row, _| filled.mark(column, row);
    each_advice_cell(circuit, (config, system.constants().clone()), mark)
        .map_err(PeerError::at("counting cells"))?;
    Ok(filled.usage())
}
