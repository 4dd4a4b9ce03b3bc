//! (t, n) threshold signatures by BLS.
