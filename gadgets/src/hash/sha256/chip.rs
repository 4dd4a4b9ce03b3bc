//! SHA-256 in circuit.
