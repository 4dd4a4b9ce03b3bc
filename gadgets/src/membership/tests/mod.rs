//! Trees of every shape, and paths that must not open.

mod tree;
