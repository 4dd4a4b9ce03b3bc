//! Domain separation tags of signatures: of hashes to the curve (RFC 9380, section 3.1).

/// Signatures in BN254's G1.
pub const BN254_G1: &[u8] = b"BLS_SIG_BN254G1_XMD:SHA-256_SVDW_RO_NUL_";
/// The same for the scheme whose keys come with proofs of possession.
pub(super) const BN254_G1_PROVEN: &[u8] = b"BLS_SIG_BN254G1_XMD:SHA-256_SVDW_RO_POP_";
/// Those proofs.
pub(super) const BN254_G1_POSSESSION: &[u8] = b"BLS_POP_BN254G1_XMD:SHA-256_SVDW_RO_POP_";
/// All of BN254's G1.
pub(super) const ALL_BN254_G1: &[&[u8]] = &[BN254_G1, BN254_G1_PROVEN, BN254_G1_POSSESSION];
/// Signatures in G1 of BLS12-381, basic scheme: threshold signatures.
pub const BLS12381_G1: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/// The same in G2.
pub const BLS12381_G2: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";
/// Signatures in G1 of BLS12-381 of the scheme whose keys come with proofs of possession.
#[cfg(any(test, feature = "bls"))]
pub(super) const BLS12381_G1_PROVEN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
/// Signatures in G2 of that scheme: those of Ethereum.
pub const ETHEREUM: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
/// Proofs of possession by signatures in G1, of keys in G2.
#[cfg(any(test, feature = "bls"))]
pub(super) const BLS12381_G1_POSSESSION: &[u8] = b"BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
/// The same the other way round.
pub const BLS12381_G2_POSSESSION: &[u8] = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
/// All of G1 of BLS12-381.
#[cfg(any(test, feature = "bls"))]
pub(super) const ALL_BLS12381_G1: &[&[u8]] =
    &[BLS12381_G1, BLS12381_G1_PROVEN, BLS12381_G1_POSSESSION];
/// All of G2.
#[cfg(any(test, feature = "bls"))]
pub(super) const ALL_BLS12381_G2: &[&[u8]] = &[BLS12381_G2, ETHEREUM, BLS12381_G2_POSSESSION];
