//! The bases of ciphertexts, with their tables.
//!
//! Nobody knows a logarithm between any two of G, H and the generator: G and H come from a hash to
//! the curve under tags of their own. These must never be a signature's, since Σₖ Bᵏ⁻¹ Cᵢⱼₖ gives
//! the player that decrypts it sᵢⱼ·G.

use std::sync::OnceLock;

use ark_bls12_381::{Fq, Fq2};
use group::prime::PrimeCurveAffine;

use crate::pairing_curve::{hash_to_g1, FixedBase, G1Affine, G2Affine};

/// Bytes of a scalar.
const BYTES: usize = 32;

/// G, the base of chunks.
pub(super) fn g() -> G1Affine {
    static POINT: OnceLock<G1Affine> = OnceLock::new();
    *POINT.get_or_init(|| hash_to_g1(b"chunks", b"MUSTER-PVSS-V1-BASE-G"))
}

/// H, the base of encryption keys.
pub(super) fn h() -> G1Affine {
    static POINT: OnceLock<G1Affine> = OnceLock::new();
    *POINT.get_or_init(|| hash_to_g1(b"keys", b"MUSTER-PVSS-V1-BASE-H"))
}

/// Multiples of H.
pub(super) fn h_table() -> &'static FixedBase<Fq> {
    static TABLE: OnceLock<FixedBase<Fq>> = OnceLock::new();
    TABLE.get_or_init(|| FixedBase::new(&h(), BYTES))
}

/// Multiples of G by scalars of the field.
pub(super) fn g_table() -> &'static FixedBase<Fq> {
    static TABLE: OnceLock<FixedBase<Fq>> = OnceLock::new();
    TABLE.get_or_init(|| FixedBase::new(&g(), BYTES))
}

/// Multiples of G by integers of 64 bits.
pub(super) fn word_table() -> &'static FixedBase<Fq> {
    static TABLE: OnceLock<FixedBase<Fq>> = OnceLock::new();
    TABLE.get_or_init(|| FixedBase::new(&g(), 8))
}

/// Multiples of G by chunks, in two bytes or four.
pub(super) fn chunk_table(bits: u32) -> &'static FixedBase<Fq> {
    static TABLES: [OnceLock<FixedBase<Fq>>; 2] = [OnceLock::new(), OnceLock::new()];
    let wide = usize::from(bits > 16);
    TABLES[wide].get_or_init(|| FixedBase::new(&g(), [2, 4][wide]))
}

/// Multiples of the generator of G2.
pub(super) fn g2_table() -> &'static FixedBase<Fq2> {
    static TABLE: OnceLock<FixedBase<Fq2>> = OnceLock::new();
    TABLE.get_or_init(|| FixedBase::new(&G2Affine::generator(), BYTES))
}
