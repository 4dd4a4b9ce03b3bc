//! Relations of a gadget under test.

use halo2_base::halo2_proofs::{halo2curves::bn256::Fr, plonk::ConstraintSystem};

use super::{Forged, Place, TestCircuit};
use crate::gate::{foreign::Blocks, forger::Relations, GatesConfig};

impl TestCircuit {
    /// Asserts of all relations that the code in `files` asks for that what they are about, their results and their
    /// ranges are refused by one constraint each if they are rewritten with all that follows ([`Relations`]).
    pub(crate) fn assert_relations_are_bound(&self, files: &str) {
        let complaints = self.complaints_of_relations(files);
        assert!(
            complaints.is_empty(),
            "{} complaints:\n{}",
            complaints.len(),
            complaints.join("\n")
        );
    }
    /// What is not so of them.
    pub(crate) fn complaints_of_relations(&self, files: &str) -> Vec<String> {
        self.relations().complaints(files)
    }

    /// What holds `value`, of a cell and all that copies bind to it, and all that follows, through relations as well;
    /// nothing if that comes to no end.
    pub(crate) fn followed(&self, place: Place, value: Fr) -> Option<Vec<Forged>> {
        self.relations().with_class(&[(place, value)])
    }

    fn relations(&self) -> Relations {
        let mut meta = ConstraintSystem::<Fr>::default();
        let config = GatesConfig::configure(&mut meta, self.0.layout());
        let columns = config.gates.foreign[0].advice().map(|column| column.index()).collect();
        let blocks = Blocks::new(self.gates().chips.foreign(), columns);
        Relations::new(self.0.layout().k, &self.0, blocks)
    }
}
