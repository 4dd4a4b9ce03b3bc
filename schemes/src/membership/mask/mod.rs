//! Which members of a set signed.

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, fmt};

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use thiserror::Error;

/// Bits of a word.
pub const MASK_WORD_BITS: usize = 248;
/// The most members that a mask has bits for.
pub const MAX_MASKED: usize = 1 << 14;

const _: () = assert!(MASK_WORD_BITS <= Fr::CAPACITY as usize, "a word is one sequence of bits");

/// Which members of a set with room for `capacity` signed. Its words have a bit for each member, lowest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SignerMask {
    capacity: usize,
    signers: BTreeSet<usize>,
}

/// Why something is not a mask.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MaskError {
    /// A capacity of 0, or more members than a mask has bits for.
    #[error("a mask of signers is for sets of 1 to {MAX_MASKED} members, not {0}")]
    Capacity(usize),
    /// A signer beyond the capacity of the set.
    #[error("signer {member} is outside a set with room for {capacity} members")]
    Member {
        /// Index that was given.
        member: usize,
        /// Capacity of the set.
        capacity: usize,
    },
    /// The wrong number of words.
    #[error("expected a mask of {expected} words, found {found}")]
    Words {
        /// As many as a mask of the capacity has.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
    /// A word that has a bit for nobody.
    #[error("word {0} of the mask has a bit that stands for no member")]
    Word(usize),
}

impl SignerMask {
    /// The mask of these signers, by index.
    ///
    /// # Errors
    /// [`MaskError::Capacity`], [`MaskError::Member`].
    pub fn new(
        capacity: usize,
        signers: impl IntoIterator<Item = usize>,
    ) -> Result<Self, MaskError> {
        Self::check(capacity)?;
        let signers: BTreeSet<_> = signers.into_iter().collect();
        match signers.last() {
            Some(&member) if member >= capacity => Err(MaskError::Member { member, capacity }),
            _ => Ok(Self { capacity, signers }),
        }
    }

    /// Checks that sets of this capacity can have masks.
    ///
    /// # Errors
    /// [`MaskError::Capacity`].
    pub fn check(capacity: usize) -> Result<(), MaskError> {
        let has_mask = (1..=MAX_MASKED).contains(&capacity);
        has_mask.then_some(()).ok_or(MaskError::Capacity(capacity))
    }

    /// Words of a mask of this capacity.
    pub fn words_of(capacity: usize) -> usize {
        capacity.div_ceil(MASK_WORD_BITS)
    }

    /// Reads [`Self::words`].
    ///
    /// # Errors
    /// [`MaskError::Capacity`], [`MaskError::Words`], or [`MaskError::Word`] for a word with a bit at or above the capacity.
    pub fn from_words(capacity: usize, words: &[Fr]) -> Result<Self, MaskError> {
        Self::check(capacity)?;
        let (expected, found) = (Self::words_of(capacity), words.len());
        if found != expected {
            return Err(MaskError::Words { expected, found });
        }
        let mut signers = BTreeSet::new();
        for (number, word) in words.iter().enumerate() {
            let bytes = word.to_repr();
            let is_set = |bit: &usize| bytes[bit / 8] >> (bit % 8) & 1 == 1;
            let first = number * MASK_WORD_BITS;
            for bit in (0..8 * bytes.len()).filter(is_set) {
                if bit >= MASK_WORD_BITS || first + bit >= capacity {
                    return Err(MaskError::Word(number));
                }
                signers.insert(first + bit);
            }
        }
        Ok(Self { capacity, signers })
    }

    /// Bit `i mod 248` of word `⌊i / 248⌋` is 1 if member `i` signed.
    pub fn words(&self) -> Vec<Fr> {
        let mut words = vec![Fr::ZERO; Self::words_of(self.capacity)];
        for signer in &self.signers {
            let bit = (signer % MASK_WORD_BITS) as u64;
            words[signer / MASK_WORD_BITS] += Fr::from(2).pow_vartime([bit]);
        }
        words
    }

    /// The most members of the set.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many signed.
    pub fn count(&self) -> usize {
        self.signers.len()
    }

    /// Whether a member signed.
    pub fn contains(&self, member: usize) -> bool {
        self.signers.contains(&member)
    }

    /// Those who signed, by increasing index.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.signers.iter().copied()
    }

    /// The same as a list.
    pub fn to_vec(&self) -> Vec<usize> {
        self.iter().collect()
    }
}

/// Indices, separated by commas.
impl fmt::Display for SignerMask {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(|signer| signer.to_string()).collect();
        out.write_str(&names.join(", "))
    }
}
