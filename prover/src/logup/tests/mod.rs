//! Proofs of the format `fast`.

mod circuit;
mod compact;
mod copies;
mod degenerate;
mod degrees;
mod edges;
mod every;
mod hiding;
mod higher;
mod judge;
mod late;
mod linear;
mod lookups;
mod measure;
mod mirror;
mod mutants;
mod openings;
mod pins;
mod random;
mod refused;
mod sample;
mod shipped;
mod transcript;
mod vectors;
