//! Proofs of the format `fast`.

mod circuit;
mod every;
mod hiding;
mod judge;
mod linear;
mod mirror;
mod random;
mod sample;
mod shapes;
mod transcript;
