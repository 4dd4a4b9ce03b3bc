//! What the tests of several folders share.

pub(crate) mod solc;
