//! Tests of key generation.

mod flow;
mod rushing;
mod stakes;
