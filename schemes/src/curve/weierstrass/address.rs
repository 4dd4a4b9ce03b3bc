//! Addresses: the last 20 bytes of the hash of a key, by which Ethereum names accounts.

use std::fmt;
use std::str::FromStr;

use halo2curves::bn256::Fr;
use sha3::{Digest, Keccak256};
use thiserror::Error;

use super::point::Point;
use crate::{field::of_bytes, hash::keccak};

/// The rule that an address breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The address is zero, which means "nobody" to contracts.
    #[error("the address is zero")]
    Zero,
    /// The text is not 0x and 40 hexadecimal digits.
    #[error("an address is 0x and 40 hexadecimal digits")]
    Format,
    /// The text mixes upper and lower case, and not as EIP-55 does.
    #[error("the letters' case does not match the checksum of EIP-55")]
    Checksum,
}

/// An address that is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address([u8; Address::LENGTH]);

impl Address {
    /// Bytes of an address.
    pub const LENGTH: usize = 20;

    /// Checks 20 bytes.
    ///
    /// # Errors
    ///
    /// [`AddressError::Zero`].
    pub fn from_bytes(bytes: [u8; Address::LENGTH]) -> Result<Self, AddressError> {
        (bytes != [0; Address::LENGTH]).then_some(Self(bytes)).ok_or(AddressError::Zero)
    }

    /// The 20 bytes.
    pub fn to_bytes(&self) -> [u8; Address::LENGTH] {
        self.0
    }

    /// The field element under which a leaf of a key set names this address: the big-endian
    /// integer. It is never zero, the name of an unused place.
    pub fn name(&self) -> Fr {
        of_bytes(&self.0)
    }
}

impl Point {
    /// The last 20 bytes of the Keccak-256 of x and y.
    pub fn address(&self) -> Address {
        let address = Address::from_bytes(keccak::address(&self.x(), &self.y()));
        address.expect("no key is known whose address is zero")
    }
}

impl fmt::Display for Address {
    /// 0x and 40 digits, in the mixed case of EIP-55.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = hex::encode(self.0);
        let hash = hex::encode(Keccak256::digest(&digits));
        let upper = |(digit, check): (char, char)| {
            if check >= '8' {
                digit.to_ascii_uppercase()
            } else {
                digit
            }
        };
        write!(f, "0x{}", digits.chars().zip(hash.chars()).map(upper).collect::<String>())
    }
}

impl FromStr for Address {
    type Err = AddressError;

    /// Reads 0x and 40 digits: all in one case, or in that of EIP-55.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let digits = text.strip_prefix("0x").ok_or(AddressError::Format)?;
        let mut bytes = [0; Address::LENGTH];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| AddressError::Format)?;
        let address = Self::from_bytes(bytes)?;
        let one_case = !digits.contains(|c: char| c.is_ascii_uppercase())
            || !digits.contains(|c: char| c.is_ascii_lowercase());
        (one_case || address.to_string() == text).then_some(address).ok_or(AddressError::Checksum)
    }
}
