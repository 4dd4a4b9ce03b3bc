//! Short Weierstrass curves y² = x³ + a·x + b: secp256k1 and P-256, whose orders are prime, and
//! edwards25519 in this form.

pub mod chip;
