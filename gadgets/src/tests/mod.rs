//! Tests of the crate as a whole.

mod golden;
