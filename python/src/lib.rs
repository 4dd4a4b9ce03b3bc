#![doc = include_str!("../README.md")]

mod committee;
mod error;
mod keys;
mod proof;
mod scheme;
mod shape;
mod srs;
mod statement;
mod sweep;
mod value;
mod work;

/// What `muster_zk` is made of.
#[pyo3::pymodule]
mod _muster {
    #[pymodule_export]
    use crate::{
        committee::{sample, Committee, Signatures},
        keys::{Keys, VerifierKey},
        proof::Proof,
        scheme::{schemes, verify_signature, SecretKey},
        shape::Shape,
        statement::{check, Checked},
        sweep::{sweep_row, SweepPlan},
    };

    use pyo3::{exceptions::PyImportError, prelude::*, types::PyModule};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        if muster_prover::is_asked_to_drop() {
            return Err(PyImportError::new_err(
                "the environment asks to drop constraints, which only tests may",
            ));
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
