//! The validators of Aptos' next epoch.

use halo2curves::bn256::Fr;
use num_bigint::BigUint;

use super::{sync_committee::key, Commitment, CommitmentError, Member};
use crate::{
    hash::sha256::sha256,
    signature::bls::{member::key::parts, Ciphersuite, MinPkPopBls12381, PublicKey, SecretKey},
};

/// The SHA-256 of the keys and powers of a list of validators, in its order: of each `ValidatorConsensusInfo` in BCS, which is the address
/// (32 bytes), the length of the key (`0x30`), the key and the power, the last 56 bytes.
///
/// Aptos has no hash of this list: at the end of an epoch validators sign the list itself, in `next_epoch_state`. So this is what somebody
/// computes who has the signed bytes. Addresses are left out: no signature is checked with them, and no set holds them.
#[derive(Clone, Copy, Debug)]
pub struct AptosValidators;

/// Bytes of a validator: the compressed key, and the power in eight little-endian bytes.
pub const APTOS_LEAF: usize = 56;

impl Commitment for AptosValidators {
    const NAME: &'static str = "aptos-validators";

    /// The compressed key, without a proof of possession, and the power.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        let mut bytes = key(place, member, Self::NAME)?.to_bytes();
        bytes.extend(member.weight.to_le_bytes());
        Ok(bytes)
    }

    fn root(members: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        let commitment = Self::NAME;
        let keys = members.iter().enumerate().map(|(place, one)| key(place, one, commitment));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        // The root of a set names the sum, so there is no set without one.
        PublicKey::sum(&keys).ok_or(CommitmentError::Identity { commitment })?;
        Ok(sha256(&leaves.concat()))
    }
}

/// A known multiple of the generator. A circuit fills empty places with one, and takes them out of a sum with another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConstantKey {
    /// Its coordinates.
    pub coordinates: [BigUint; 2],
    /// What a leaf holds of it, without a weight.
    pub parts: Vec<Fr>,
}

impl ConstantKey {
    /// `times·G`.
    ///
    /// # Panics
    /// For 0, which gives no key.
    pub fn multiple(times: i64) -> Self {
        type Suite = MinPkPopBls12381;
        let scalar = <Suite as Ciphersuite>::Scalar::from(times.unsigned_abs());
        let scalar = if times < 0 { -scalar } else { scalar };
        let secret = SecretKey::<Suite>::from_scalar(&scalar).expect("below the order, and not 0");
        let coordinates = Suite::key_coordinates(secret.public_key().point());
        Self { parts: parts::<Suite>(&coordinates), coordinates }
    }
}
