//! Running a circuit: for the columns of its key, and for those of its witness.

mod assembly;
mod copies;
#[cfg(test)]
mod tests;
mod witness;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem, Error},
};
use muster_engine::{Backend, Domain};

use crate::polynomial::{powers, Numbers};
use assembly::Assembly;
pub(crate) use witness::{advice, Size};

/// The columns of a circuit's key, as values. Each selector is a fixed column of its own, since combining them would
/// raise the degree of the gates.
pub(crate) struct Made {
    pub(crate) cs: ConstraintSystem<Fr>,
    pub(crate) fixed: Vec<Numbers>,
    pub(crate) permuted: Vec<Numbers>,
}

impl Made {
    /// Runs a circuit on `2^k` rows.
    ///
    /// # Errors
    ///
    /// Those of the circuit, and [`Error::NotEnoughRowsAvailable`].
    ///
    /// # Panics
    ///
    /// As halo2 does, if the circuit writes where it may not in a call that returns no error.
    pub(crate) fn of<C: Circuit<Fr>>(backend: Backend, k: u32, circuit: &C) -> Result<Self, Error> {
        let mut cs = ConstraintSystem::default();
        let config = C::configure_with_params(&mut cs, circuit.params());
        let rows = 1 << k;
        if rows < cs.minimum_rows() {
            return Err(Error::NotEnoughRowsAvailable { current_k: k });
        }
        let domain = Domain::new(backend, k).expect("there are more roots than rows");
        let Assembly { mut fixed, selectors, copies, .. } =
            Assembly::of(circuit, (&cs, config), k)?;
        let (cs, selectors) = cs.directly_convert_selectors_to_fixed(selectors);
        fixed.extend(selectors);
        let points: Numbers = powers(domain.root()).take(rows).collect();
        let permuted = copies.named(backend, &points);
        Ok(Self { cs, fixed, permuted })
    }

    /// The fixed columns with these numbers, then the permuted ones.
    pub(crate) fn columns(&self, kept: &[usize]) -> Vec<&[Fr]> {
        let fixed = kept.iter().map(|place| self.fixed[*place].as_slice());
        fixed.chain(self.permuted.iter().map(Vec::as_slice)).collect()
    }

    /// The same.
    pub(crate) fn into_columns(mut self, kept: &[usize]) -> Vec<Numbers> {
        let fixed = kept.iter().map(|place| std::mem::take(&mut self.fixed[*place]));
        let mut columns: Vec<Numbers> = fixed.collect();
        columns.append(&mut self.permuted);
        columns
    }
}
