//! Lists of the next validators that those in office sign as they are: of Aptos and Sui.

use std::{
    fmt::{self, Debug},
    marker::PhantomData,
};

use halo2curves::bn256::Fr;

use super::{held, Commitment, CommitmentError, Member};
use crate::{
    hash::sha256::sha256,
    signature::bls::{
        member::{key::parts, OwnedKey, Possession},
        MinPkPopBls12381, MinSigPopBls12381, PublicKey, SecretKey,
    },
};

/// The SHA-256 of the keys and powers of a list of validators, in its order: of each entry in BCS, the compressed key and the power, which are
/// its last bytes.
///
/// The chain has no hash of this list: at the end of an epoch validators sign the list itself. So this is what somebody computes who has
/// the signed bytes. What stands before a key is left out: addresses, which no signature is checked with and no set holds, and the key's length.
#[derive(Clone, Copy)]
pub struct ValidatorList<S>(PhantomData<S>);

/// `next_epoch_state` of Aptos: of each `ValidatorConsensusInfo`, which is the address (32 bytes), the length of the key (`0x30`), the key and the
/// power, the last 56 bytes.
pub type AptosValidators = ValidatorList<MinPkPopBls12381>;

/// `next_epoch_committee` of Sui and of IOTA: of each entry, which is the length of the key (`0x60`), the key and the power, the last 104 bytes.
pub type SuiValidators = ValidatorList<MinSigPopBls12381>;

/// Bytes of a power, little-endian.
const POWER: usize = 8;

/// A suite whose keys a chain lists.
pub trait Listed: Possession {
    /// The name of the commitment to a list of them.
    const LIST: &'static str;
}

impl Listed for MinPkPopBls12381 {
    const LIST: &'static str = "aptos-validators";
}

impl Listed for MinSigPopBls12381 {
    const LIST: &'static str = "sui-validators";
}

impl<S: Listed> ValidatorList<S> {
    /// Bytes of a validator: the compressed key, and the power.
    pub const LEAF: usize = S::KEY_BYTES + POWER;
}

impl<S: Listed> Debug for ValidatorList<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(S::LIST)
    }
}

impl<S: Listed> Commitment for ValidatorList<S> {
    const NAME: &'static str = S::LIST;

    /// The compressed key, without a proof of possession, and the power.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        let mut bytes = held::<Self, OwnedKey<S>>(place, member)?.key().to_bytes();
        bytes.extend(member.weight.to_le_bytes());
        Ok(bytes)
    }

    fn root(members: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        // The root of a set names the sum, so there is no set without one.
        sum::<Self, S>(members)?;
        Ok(sha256(&leaves.concat()))
    }
}

/// The sum of all keys.
pub(super) fn sum<C: Commitment, S: Possession>(
    members: &[Member],
) -> Result<PublicKey<S>, CommitmentError> {
    let key = |(place, member)| Ok(*held::<C, OwnedKey<S>>(place, member)?.key());
    let keys = members.iter().enumerate().map(key).collect::<Result<Vec<_>, _>>()?;
    PublicKey::sum(&keys).ok_or(CommitmentError::Identity { commitment: C::NAME })
}

/// A known multiple of the generator. A circuit fills empty places with one, and takes them out of a sum with another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConstantKey<S: Possession> {
    /// Its coordinates.
    pub coordinates: S::RawKey,
    /// What a leaf holds of it, without a weight.
    pub parts: Vec<Fr>,
}

impl<S: Possession> ConstantKey<S> {
    /// The generator.
    pub fn generator() -> Self {
        Self::of(&key_of(S::Scalar::from(1)))
    }

    /// -1, -2, … times the generator: so many of its multiples.
    pub fn negatives(count: usize) -> Vec<Self> {
        let first = key_of(-S::Scalar::from(1));
        let next = |key: &PublicKey<S>| PublicKey::sum(&[*key, first]);
        std::iter::successors(Some(first), next).take(count).map(|key| Self::of(&key)).collect()
    }

    fn of(key: &PublicKey<S>) -> Self {
        let coordinates = S::key_coordinates(key.point());
        Self { parts: parts::<S>(&coordinates), coordinates }
    }
}

fn key_of<S: Possession>(scalar: S::Scalar) -> PublicKey<S> {
    SecretKey::from_scalar(&scalar).expect("not zero").public_key()
}
