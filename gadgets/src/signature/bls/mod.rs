//! BLS signatures over BLS12-381 and BN254: keys, signatures, their sums, and checks of many at once. In circuit, the
//! check of one signature by one key, each of which may be a sum.

pub mod chip;
pub mod member;
