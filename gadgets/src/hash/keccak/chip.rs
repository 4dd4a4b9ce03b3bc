//! Keccak-256 in circuit.
