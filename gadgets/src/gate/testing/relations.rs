//! Relations of a gadget under test.

use halo2_base::halo2_proofs::{halo2curves::bn256::Fr, plonk::ConstraintSystem};

use super::TestCircuit;
use crate::gate::{foreign::Blocks, forger::Relations, GatesConfig};

impl TestCircuit {
    /// Asserts of all relations that the code in `files` asks for that what they are about, their results and their
    /// ranges are refused by one constraint each if they are rewritten with all that follows ([`Relations`]).
    pub(crate) fn assert_relations_are_bound(&self, files: &str) {
        let mut meta = ConstraintSystem::<Fr>::default();
        let config = GatesConfig::configure(&mut meta, self.0.layout());
        let columns = config.gates.foreign[0].advice().map(|column| column.index()).collect();
        let blocks = Blocks::new(self.gates().chips.foreign(), columns);
        let complaints = Relations::new(self.0.layout().k, &self.0, blocks).complaints(files);
        assert!(
            complaints.is_empty(),
            "{} complaints:\n{}",
            complaints.len(),
            complaints.join("\n")
        );
    }
}
