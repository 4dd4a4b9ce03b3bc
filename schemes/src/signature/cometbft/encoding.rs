//! Precommits in a fixed number of bytes, whose SHA-256 is public: the README has the table.

use super::{
    error::{PrecommitError, MAX_CHAIN_ID},
    precommit::{BlockId, ChainId, Height, PartSet, Precommit, Round},
    wire::take,
};
use crate::hash::sha256::sha256;

/// Bytes of an encoding.
pub const ENCODED: usize = 160;
/// The tag that says what is encoded.
pub const TAG: &[u8; 11] = b"precommit/1";

/// Bytes that an encoding has for the chain's name.
const NAME: usize = 64;

const _: () = assert!(16 + 32 + 32 + TAG.len() + 4 + 1 + NAME == ENCODED);
const _: () = assert!(MAX_CHAIN_ID <= NAME);

impl Precommit {
    /// The encoding whose SHA-256 is public.
    pub fn encode(&self) -> [u8; ENCODED] {
        let name = self.chain_id.as_str().as_bytes();
        let mut padded = [0; NAME];
        padded[..name.len()].copy_from_slice(name);
        let length = u8::try_from(name.len()).expect("a name has at most 50 bytes");
        let BlockId { hash, parts } = &self.block_id;
        let fields = [
            &self.height.get().to_le_bytes()[..],
            &u64::from(self.round.get()).to_le_bytes(),
            hash,
            &parts.hash,
            TAG,
            &parts.total.get().to_be_bytes(),
            &[length],
            &padded,
        ];
        fields.concat().try_into().expect("the fields fill an encoding")
    }

    /// Reads an encoding.
    ///
    /// # Errors
    ///
    /// [`PrecommitError`] with the field.
    pub fn decode(bytes: &[u8]) -> Result<Self, PrecommitError> {
        let wrong = PrecommitError::Length { expected: ENCODED, found: bytes.len() };
        let mut rest: &[u8] = <&[u8; ENCODED]>::try_from(bytes).map_err(|_| wrong)?;
        let height = Height::new(u64::from_le_bytes(take(&mut rest)))?;
        let round = Round::new(u64::from_le_bytes(take(&mut rest)))?;
        let (hash, parts_hash) = (take(&mut rest), take(&mut rest));
        if take(&mut rest) != *TAG {
            return Err(PrecommitError::Tag);
        }
        let total = u32::from_be_bytes(take(&mut rest));
        let parts = PartSet::new(total.into(), parts_hash)?;
        let [length] = take(&mut rest);
        let name: [u8; NAME] = take(&mut rest);
        let (name, padding) = name
            .split_at_checked(length.into())
            .ok_or(PrecommitError::ChainIdLength(length.into()))?;
        if padding.iter().any(|byte| *byte != 0) {
            return Err(PrecommitError::ChainIdPadding);
        }
        let name = std::str::from_utf8(name).map_err(|_| PrecommitError::ChainIdText)?;
        let block_id = BlockId { hash, parts };
        Ok(Self { height, round, block_id, chain_id: ChainId::new(name)? })
    }

    /// The SHA-256 of the encoding: the public message.
    pub fn digest(&self) -> [u8; 32] {
        sha256(&self.encode())
    }
}
