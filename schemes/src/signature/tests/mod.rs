//! What the tests of several schemes share.

pub(super) mod digest_suite;
pub(super) mod suite;
