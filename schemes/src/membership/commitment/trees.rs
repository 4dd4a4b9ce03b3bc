//! Binary trees over as many members as there are: the authority sets of BEEFY, and the groups of Semaphore.

use halo2curves::bn256::Fr;

use super::{held, weighs_one, Commitment, CommitmentError, EmptyPlace, Member};
use crate::{
    curve::{edwards::SubgroupPoint, weierstrass::Address},
    field::to_big_endian,
    hash::{keccak::keccak256, poseidon},
};

/// The `keyset_commitment` of a BEEFY authority set, of a chain whose leaves are Ethereum addresses (`BeefyEcdsaToEthereum`) and whose
/// hash is Keccak-256: Polkadot and its kin. The binary tree of Substrate's `binary-merkle-tree` over the Keccak-256 of each address, where a node
/// without a neighbour to its right moves up.
#[derive(Clone, Copy, Debug)]
pub struct BeefyAuthorities;

/// Bytes of a member with an address as it is hashed.
pub const AUTHORITY_LEAF: usize = Address::LENGTH;

impl Commitment for BeefyAuthorities {
    const NAME: &'static str = "beefy-authorities";

    /// The address, or what the chain has in [an empty place](EmptyPlace). Its name has the place, so it is empty there and nowhere else.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        let leaf = match member.public_key.of::<EmptyPlace>() {
            Some(empty) if empty.number() == Some(place) => empty.key().to_vec(),
            Some(empty) if empty.number().is_some() => {
                return Err(CommitmentError::Place { member: place });
            }
            _ => held::<Self, Address>(place, member)?.to_bytes().to_vec(),
        };
        weighs_one::<Self>(place, member)?;
        Ok(leaf)
    }

    fn root(_: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        let leaves = leaves.iter().map(|leaf| keccak256(leaf)).collect();
        Ok(root(leaves, |pair| keccak256(&pair.concat())))
    }
}

/// The root of a group of Semaphore, version 4: a lean incremental Merkle tree over identity commitments. That is a binary tree where a
/// node without a neighbour to its right moves up; an identity commitment is circomlib's Poseidon of both coordinates of a key, and a
/// node that of its two children.
#[derive(Clone, Copy, Debug)]
pub struct SemaphoreGroup;

impl Commitment for SemaphoreGroup {
    const NAME: &'static str = "semaphore-group";
    /// A leaf and a node are both the hash of two elements, and contracts take any element for an identity commitment: a member who
    /// brings the node over several commitments is one for the contract, and several in another list with the same root.
    const FIXES_NUMBER: bool = false;

    /// Both coordinates, big-endian, `x` first.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        weighs_one::<Self>(place, member)?;
        Ok(coordinates(place, member)?.iter().flat_map(to_big_endian).collect())
    }

    fn root(members: &[Member], _: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        let commitment = |(place, member)| Ok(poseidon::hash(&coordinates(place, member)?));
        let leaves = members.iter().enumerate().map(commitment).collect::<Result<_, _>>()?;
        Ok(to_big_endian(&root(leaves, poseidon::hash)))
    }
}

/// The coordinates of a member's key.
fn coordinates(member: usize, one: &Member) -> Result<[Fr; 2], CommitmentError> {
    let key = held::<SemaphoreGroup, SubgroupPoint>(member, one)?;
    Ok([key.x(), key.y()])
}

/// The root over leaves, of which there is at least one: a node hashes its two children, and one without a neighbour to its right moves up.
fn root<H: Copy>(leaves: Vec<H>, node: impl Fn(&[H]) -> H) -> H {
    let mut level = leaves;
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| if pair.len() == 2 { node(pair) } else { pair[0] })
            .collect();
    }
    level[0]
}
