//! What chains themselves commit to their committees with: the hash that a contract or a header has.
//!
//! ```
//! use muster_schemes::{
//!     curve::weierstrass::Address,
//!     membership::{
//!         commitment::{AddressList, Commitment},
//!         Member,
//!     },
//! };
//!
//! let member = |byte| {
//!     let address = Address::from_bytes([byte; 20]).unwrap();
//!     Member { public_key: address.into(), weight: 1 }
//! };
//! let hash = AddressList::hash(&[member(1), member(2)]).unwrap();
//! assert_ne!(hash, AddressList::hash(&[member(2), member(1)]).unwrap());
//! ```

use thiserror::Error;

use super::{EmptyKind, EmptyPlace, Member, MemberKey};
use crate::{
    curve::weierstrass::Address,
    hash::keccak::keccak256,
    signature::{
        cometbft::{validators_root, KeyType, SimpleValidator},
        ed25519,
    },
};

#[cfg(any(test, feature = "bls"))]
mod sync_committee;
#[cfg(test)]
mod tests;
mod trees;
#[cfg(any(test, feature = "bls"))]
mod validator_list;

#[cfg(any(test, feature = "bls"))]
pub use sync_committee::{SyncCommittee, SYNC_COMMITTEE_LEAF};
pub use trees::{BeefyAuthorities, SemaphoreGroup, AUTHORITY_LEAF};
#[cfg(any(test, feature = "bls"))]
pub use validator_list::{AptosValidators, ConstantKey, Listed, SuiValidators, ValidatorList};

/// Why a commitment does not hold a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommitmentError {
    /// There is no member.
    #[error("nobody is committed to")]
    Empty,
    /// The key is of another kind.
    #[error("member {member}: {commitment} holds keys of another kind")]
    OtherKey {
        /// Place of the member.
        member: usize,
        /// Name of the commitment.
        commitment: &'static str,
    },
    /// The commitment has no place for the weight.
    #[error("member {member} weighs {weight}, but in {commitment} everybody weighs 1")]
    Weight {
        /// Place of the member.
        member: usize,
        /// Its weight.
        weight: u64,
        /// Name of the commitment.
        commitment: &'static str,
    },
    /// An empty place has the number of another one in its name.
    #[error("member {member}: the empty place is that of another member")]
    Place {
        /// Place of the member.
        member: usize,
    },
    /// There is no commitment to so many seats.
    #[error("{commitment} has as many seats as a power of two, not {seats}")]
    Seats {
        /// How many there are.
        seats: usize,
        /// Name of the commitment.
        commitment: &'static str,
    },
    /// The keys have no sum, which the commitment holds, too.
    #[error("{commitment} holds the sum of all keys, and they add up to the identity")]
    Identity {
        /// Name of the commitment.
        commitment: &'static str,
    },
}

/// A hash that a chain has of its committee: a string of bytes for each member, and what makes one hash of them.
pub trait Commitment {
    /// The name in files and on the command line.
    const NAME: &'static str;
    /// Whether lists of different lengths have different hashes. If not, whoever verifies takes the number of members from the chain,
    /// as it takes the hash, and not from whoever proves.
    const FIXES_NUMBER: bool = true;

    /// What the chain hashes of the member in this place.
    ///
    /// # Errors
    ///
    /// [`CommitmentError`] for a member whom the commitment cannot hold as it is.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError>;

    /// The hash over all leaves, of which there is at least one: those of these members.
    ///
    /// # Errors
    ///
    /// [`CommitmentError`] for members whom the commitment holds one by one, but not together.
    fn root(members: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError>;

    /// The hash of these members, in their order.
    ///
    /// # Errors
    ///
    /// [`CommitmentError`] with the first member whom the commitment cannot hold as it is, or why it cannot hold all together.
    fn hash(members: &[Member]) -> Result<[u8; 32], CommitmentError> {
        if members.is_empty() {
            return Err(CommitmentError::Empty);
        }
        let leaf = |(place, member)| Self::leaf(place, member);
        let leaves: Result<Vec<_>, _> = members.iter().enumerate().map(leaf).collect();
        Self::root(members, &leaves?)
    }
}

/// The Keccak-256 of a list of addresses in the ABI's words, each alone or with its weight behind it.
#[derive(Clone, Copy, Debug)]
pub struct AbiList<const WEIGHTED: bool>;

/// Addresses of 32 bytes each: in Solidity `keccak256(abi.encodePacked(list))` for an `address[]`. There, elements of an array keep the
/// padding that a single address loses.
pub type AddressList = AbiList<false>;

/// Accounts and weights, a word each, as the encoding of Axelar's `WeightedSigners` has them (`WeightedMultisigTypes.sol`). What stands before
/// the list there is left out, the threshold and the nonce: no set has them.
pub type AxelarSigners = AbiList<true>;

/// Bytes of a word.
pub const ABI_WORD: usize = 32;

impl<const WEIGHTED: bool> Commitment for AbiList<WEIGHTED> {
    const NAME: &'static str = if WEIGHTED { "axelar-signers" } else { "keccak-addresses" };

    /// Zeros and the address; zeros and the weight.
    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        let word = |bytes: &[u8]| [&[0; ABI_WORD][bytes.len()..], bytes].concat();
        let mut leaf = word(&held::<Self, Address>(place, member)?.to_bytes());
        if WEIGHTED {
            leaf.extend(word(&member.weight.to_be_bytes()));
        } else {
            weighs_one::<Self>(place, member)?;
        }
        Ok(leaf)
    }

    fn root(_: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        Ok(keccak256(&leaves.concat()))
    }
}

/// The key of the member in this place, if it is of the kind that the commitment `C` holds.
fn held<C: Commitment, K: MemberKey>(place: usize, member: &Member) -> Result<&K, CommitmentError> {
    let other = CommitmentError::OtherKey { member: place, commitment: C::NAME };
    member.public_key.of().ok_or(other)
}

/// Refuses a member with another weight than 1.
fn weighs_one<C: Commitment>(member: usize, one: &Member) -> Result<(), CommitmentError> {
    let refused = CommitmentError::Weight { member, weight: one.weight, commitment: C::NAME };
    (one.weight == 1).then_some(()).ok_or(refused)
}

/// The `validators_hash` of CometBFT's headers, for validators with keys of Ed25519 and [empty places](EmptyPlace): the tree of
/// RFC 6962, section 2.1, over `SimpleValidator`s in protobuf.
#[derive(Clone, Copy, Debug)]
pub struct CometbftValidators;

impl Commitment for CometbftValidators {
    const NAME: &'static str = "cometbft-validators";

    fn leaf(place: usize, member: &Member) -> Result<Vec<u8>, CommitmentError> {
        let empty = member.public_key.of::<EmptyPlace>();
        let (key_type, key) = match empty.map(|empty| (empty.kind(), empty.key())) {
            Some((EmptyKind::Cometbft(key_type), key)) => (key_type, key.to_vec()),
            // A place of BEEFY's is no key of Ed25519 either.
            Some((EmptyKind::Beefy, _)) | None => {
                let key = held::<Self, ed25519::PublicKey>(place, member)?;
                (KeyType::Ed25519, key.to_bytes().to_vec())
            }
        };
        Ok(SimpleValidator { key_type, key, power: member.weight }.encoded())
    }

    fn root(_: &[Member], leaves: &[Vec<u8>]) -> Result<[u8; 32], CommitmentError> {
        Ok(validators_root(leaves))
    }
}
