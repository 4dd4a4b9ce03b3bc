//! The bases of ciphertexts, with their tables.
//!
//! Nobody knows a logarithm between any two of G, H and the generator: G and H come from a hash to
//! the curve under tags of their own. These must never be a signature's, since Σₖ Bᵏ⁻¹ Cᵢⱼₖ gives
//! the player that decrypts it sᵢⱼ·G.

use std::sync::{LazyLock, OnceLock};

use ark_bls12_381::{Fq, Fq2};
use group::prime::PrimeCurveAffine;

use crate::pairing_curve::{hash_to_g1, FixedBase, G1Affine, G2Affine};

/// Bytes of a scalar.
const BYTES: usize = 32;

/// G, the base of chunks.
pub(super) fn g() -> G1Affine {
    static POINT: LazyLock<G1Affine> =
        LazyLock::new(|| hash_to_g1(b"chunks", b"MUSTER-PVSS-V1-BASE-G"));
    *POINT
}

/// H, the base of encryption keys.
pub(super) fn h() -> G1Affine {
    static POINT: LazyLock<G1Affine> =
        LazyLock::new(|| hash_to_g1(b"keys", b"MUSTER-PVSS-V1-BASE-H"));
    *POINT
}

/// Multiples of H.
pub(super) static H: LazyLock<FixedBase<Fq>> = LazyLock::new(|| FixedBase::new(&h(), BYTES));
/// Multiples of G by scalars of the field.
pub(super) static G: LazyLock<FixedBase<Fq>> = LazyLock::new(|| FixedBase::new(&g(), BYTES));
/// Multiples of G by integers of 64 bits.
pub(super) static WORDS: LazyLock<FixedBase<Fq>> = LazyLock::new(|| FixedBase::new(&g(), 8));
/// Multiples of the generator of G2.
pub(super) static G2: LazyLock<FixedBase<Fq2>> =
    LazyLock::new(|| FixedBase::new(&G2Affine::generator(), BYTES));

/// Multiples of G by chunks, in two bytes or four.
pub(super) fn chunk_table(bits: u32) -> &'static FixedBase<Fq> {
    static TABLES: [OnceLock<FixedBase<Fq>>; 2] = [OnceLock::new(), OnceLock::new()];
    let wide = usize::from(bits > 16);
    TABLES[wide].get_or_init(|| FixedBase::new(&g(), [2, 4][wide]))
}
