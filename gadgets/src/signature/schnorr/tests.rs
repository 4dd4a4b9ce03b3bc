//! Schnorr.
