//! Forged witnesses.
