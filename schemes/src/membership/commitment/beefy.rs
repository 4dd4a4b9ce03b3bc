//! The authority sets of BEEFY, Substrate's finality for bridges.

use super::{address_of_one, Commitment, CommitmentError, Member};
use crate::hash::keccak::keccak256;

/// The `keyset_commitment` of a BEEFY authority set, of a chain whose leaves are Ethereum addresses (`BeefyEcdsaToEthereum`) and whose
/// hash is Keccak-256: Polkadot and its kin. The binary tree of Substrate's `binary-merkle-tree` over the Keccak-256 of each address, where a node
/// without a neighbour to its right moves up.
#[derive(Clone, Copy, Debug)]
pub struct BeefyAuthorities;

/// Bytes of a member as it is hashed: its address.
pub const AUTHORITY_LEAF: usize = 20;

impl Commitment for BeefyAuthorities {
    const NAME: &'static str = "beefy-authorities";

    /// The address.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        Ok(address_of_one(place, member, Self::NAME)?.to_vec())
    }

    fn root(_: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        let mut level: Vec<_> = leaves.iter().map(|leaf| keccak256(leaf)).collect();
        while level.len() > 1 {
            let parents = level.chunks(2).map(|pair| match pair {
                [left, right] => keccak256(&[*left, *right].concat()),
                alone => alone[0],
            });
            level = parents.collect();
        }
        Ok(level[0])
    }
}
