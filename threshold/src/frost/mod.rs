//! FROST (RFC 9591): a group of signers makes one Schnorr signature.
