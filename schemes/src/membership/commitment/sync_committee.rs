//! The sync committee of Ethereum's beacon chain.

use super::{held, validator_list::sum, weighs_one, Commitment, CommitmentError, Member};
use crate::{
    hash::ssz::{bytes_root, merkleize},
    signature::bls::{member::OwnedKey, MinPkPopBls12381},
};

/// The hash tree root of a `SyncCommittee` (consensus specifications, `altair/beacon-chain.md`): the tree over all seats' keys, 48
/// compressed bytes each, and beside it the sum of these keys. A key is in it once for each of its seats.
#[derive(Clone, Copy, Debug)]
pub struct SyncCommittee;

/// Bytes of a compressed key.
pub const SYNC_COMMITTEE_LEAF: usize = 48;

impl Commitment for SyncCommittee {
    const NAME: &'static str = "ethereum-sync-committee";

    /// The compressed key, without a proof of possession.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        let key = held::<Self, OwnedKey<MinPkPopBls12381>>(place, member)?.key();
        weighs_one::<Self>(place, member)?;
        Ok(key.to_bytes())
    }

    /// Members are seats, as many as a power of two.
    fn root(members: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        let (seats, commitment) = (members.len(), Self::NAME);
        if !seats.is_power_of_two() {
            return Err(CommitmentError::Seats { seats, commitment });
        }
        let sum = sum::<Self, MinPkPopBls12381>(members)?;
        let leaves: Vec<_> = leaves.iter().map(|leaf| bytes_root(leaf)).collect();
        Ok(merkleize(&[merkleize(&leaves), bytes_root(&sum.to_bytes())]))
    }
}
