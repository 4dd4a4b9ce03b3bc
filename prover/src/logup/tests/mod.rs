//! Proofs of the format `fast`.

mod shapes;
