//! MuSig2.
