//! Tests of key generation.

mod flow;
mod stakes;
