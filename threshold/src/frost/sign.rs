//! A member's two rounds.

use frost_core::{round1, round2};
use frost_rerandomized::{sign_with_randomizer_seed, RandomizedParams};
use rand_core::{CryptoRng, RngCore};

use super::{Commitment, FrostError, Group, KeyShare, Nonces, Package, SignatureShare, Suite};

/// The first round: two secret nonces, for one signature and never another, and their commitments,
/// which go to the coordinator. Nonces are hedged with the secret share (RFC 9591, section 4.1).
///
/// # Errors
///
/// [`FrostError::Protocol`] if a nonce is zero, which is not to be expected.
pub fn commit<C: Suite>(
    share: &KeyShare<C>,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(Nonces<C>, Commitment<C>), FrostError> {
    let (nonces, commitments) = round1::commit(share.signing_share(), rng);
    Ok((nonces, Commitment::new(commitments)?))
}

/// The second round: the member's share of the signature. The nonces are taken, and wiped: with a
/// second signature they would give the secret share away.
///
/// # Errors
///
/// [`FrostError::Protocol`] if the package is of fewer signers than the threshold, or does not hold
/// the commitment to these nonces under the member's name.
pub fn sign<C: Suite>(
    package: &Package<C>,
    nonces: Nonces<C>,
    share: &KeyShare<C>,
) -> Result<SignatureShare<C>, FrostError> {
    Ok(round2::sign(package.inner(), &nonces, share)?)
}

/// A randomised key for the signature of this package, and the seed that the coordinator sends to
/// the signers in confidence (Gouvea and Komlo, ePrint 2024/436).
///
/// # Errors
///
/// [`FrostError::Protocol`] if a commitment is the identity.
pub fn randomize<C: Suite>(
    package: &Package<C>,
    group: &Group<C>,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(RandomizedParams<C>, Vec<u8>), FrostError> {
    let commitments = package.inner().signing_commitments();
    Ok(RandomizedParams::new_from_commitments(group.verifying_key(), commitments, rng)?)
}

/// The second round under the randomised key of this seed.
///
/// # Errors
///
/// Those of [`sign`].
pub fn sign_randomized<C: Suite>(
    package: &Package<C>,
    nonces: Nonces<C>,
    share: &KeyShare<C>,
    seed: &[u8],
) -> Result<SignatureShare<C>, FrostError> {
    Ok(sign_with_randomizer_seed(package.inner(), &nonces, share, seed)?)
}
