//! Forged witnesses: cells that are overwritten after an honest witness was written.
//!
//! A test of soundness writes what a cheating prover would and expects a refusal. Production code has no
//! use for it, so it exists only in tests and with the feature `forgery`, which nothing but a
//! dev-dependency may ask for.

use halo2_base::halo2_proofs::{
    circuit::{Region, Value},
    halo2curves::bn256::Fr,
    plonk::{Advice, Column},
};

pub(super) mod drops;
mod freedom;

pub use freedom::freedom;

use super::{
    edwards::EdwardsConfig, foreign::ForeignConfig, keccak::KeccakConfig, poseidon::PoseidonConfig,
    sha256::Sha256Config, GatesConfig,
};

/// A cell to overwrite, and its new value.
#[derive(Clone, Copy, Debug)]
pub struct Forged {
    /// Index of the advice column.
    pub column: usize,
    /// Row.
    pub row: usize,
    /// New value.
    pub value: Fr,
}

impl GatesConfig {
    /// Overwrites an advice cell; call it after all rows were written.
    pub fn forge(&self, region: &mut Region<Fr>, forged: &Forged) {
        let column = self.advice()[forged.column];
        region.assign_advice(column, forged.row, Value::known(forged.value));
    }

    /// Indices of the columns of each gate, those that gates copy from first.
    fn groups(&self) -> Vec<(&'static str, Vec<usize>)> {
        let indices = |columns: Vec<Column<Advice>>| columns.iter().map(Column::index).collect();
        vec![
            ("edwards", indices(self.edwards.iter().flat_map(EdwardsConfig::advice).collect())),
            ("poseidon", indices(self.poseidon.iter().flat_map(PoseidonConfig::advice).collect())),
            ("keccak", indices(self.keccak.iter().flat_map(KeccakConfig::advice).collect())),
            ("sha256", indices(self.sha256.iter().flat_map(Sha256Config::advice).collect())),
            ("foreign", indices(self.foreign.iter().flat_map(ForeignConfig::advice).collect())),
            ("range", indices(self.range.advice().collect())),
            ("vertical", indices(self.vertical.iter().map(|column| column.value).collect())),
        ]
    }

    /// Advice columns in the order of their creation.
    fn advice(&self) -> Vec<Column<Advice>> {
        let vertical = self.vertical.iter().map(|column| column.value);
        let poseidon = self.poseidon.iter().flat_map(PoseidonConfig::advice);
        let keccak = self.keccak.iter().flat_map(KeccakConfig::advice);
        let sha256 = self.sha256.iter().flat_map(Sha256Config::advice);
        let edwards = self.edwards.iter().flat_map(EdwardsConfig::advice);
        let foreign = self.foreign.iter().flat_map(ForeignConfig::advice);
        let hashes = keccak.chain(sha256).chain(edwards).chain(poseidon);
        hashes.chain(self.range.advice()).chain(foreign).chain(vertical).collect()
    }
}
