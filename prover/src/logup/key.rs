//! The columns of a key.

use std::sync::OnceLock;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::Domain;
use muster_verifier::Protocol;
use rayon::prelude::*;

use crate::polynomial::{powers, Numbers};

/// The columns that all proofs of a key share: fixed, σ, and those that tell rows apart.
#[derive(Clone, Debug)]
pub(crate) struct KeyColumns {
    pub(super) values: Vec<Numbers>,
    /// Made at the first use: keys that are only stored or compared need none.
    coefficients: OnceLock<Vec<Numbers>>,
    /// How many are the key's own.
    own: usize,
}

impl KeyColumns {
    /// The columns of `protocol` with these fixed and σ columns, in this order.
    ///
    /// # Panics
    ///
    /// If there are not as many of them, and as many rows, as the protocol has.
    pub(crate) fn new(domain: &Domain, protocol: &Protocol, own: Vec<Numbers>) -> Self {
        assert_eq!(own.len(), protocol.fixed() + protocol.copied().len(), "columns of a key");
        let rows = protocol.rows();
        assert!(own.iter().all(|column| column.len() == rows), "columns of 2^k rows");
        let is_one = |is_one: &dyn Fn(usize) -> bool| -> Numbers {
            (0..rows).map(|row| if is_one(row) { Fr::ONE } else { Fr::ZERO }).collect()
        };
        let (count, usable) = (own.len(), protocol.usable());
        let points = powers(domain.root()).take(rows).collect();
        let mut values = own;
        values.extend([points, is_one(&|row| row == 0), is_one(&|row| row < usable)]);
        Self { values, coefficients: OnceLock::new(), own: count }
    }

    /// The coefficients of all columns. Whoever prepares a prover asks for them, so that no proof has to wait.
    pub(super) fn coefficients(&self, domain: &Domain) -> &[Numbers] {
        if let Some(coefficients) = self.coefficients.get() {
            return coefficients;
        }
        // Not inside `get_or_init`: a pool thread may pick up a proof meanwhile, which would wait for this one.
        let made = self.values.par_iter().map(|values| {
            let mut coefficients = values.clone();
            domain.to_coefficients(&mut coefficients);
            coefficients
        });
        let made = made.collect();
        self.coefficients.get_or_init(|| made)
    }

    /// The fixed and the σ columns.
    pub(crate) fn own(&self) -> &[Numbers] {
        &self.values[..self.own]
    }
}
