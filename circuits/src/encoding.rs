//! `0x` hex, and field elements and messages as 32 big-endian bytes.

use std::borrow::Cow;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};
pub use muster_schemes::decimal;
use muster_schemes::signature::bls::MessageGroup;
use zeroize::Zeroizing;

use crate::{Message, PublicMessage, Scheme};

/// Bytes of a field element.
const FIELD_BYTES: usize = 32;
/// The error for an integer that is not a field element.
const NOT_CANONICAL: &str = "the integer is not below the modulus of the BN254 scalar field";

/// The error for bytes that are not a point that can be signed.
fn not_a_point(group: MessageGroup) -> String {
    format!(
        "not a point of {group} in the subgroup other than the identity: coordinates of {} bytes in all, big-endian, x before \
         y, imaginary parts before real ones",
        group.bytes()
    )
}

/// Bytes as `0x` hex. Leaves no copy of secret bytes but the text.
pub fn to_hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from_digit(digit.into(), 16).unwrap_or_default();
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("0x");
    text.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
    text
}

/// Reads `0x` hex of any length.
///
/// # Errors
///
/// The reason in words.
pub fn from_hex(text: &str) -> Result<Vec<u8>, Cow<'static, str>> {
    let digits = text.strip_prefix("0x").ok_or("hex starts with 0x")?;
    hex::decode(digits).map_err(|error| error.to_string().to_lowercase().into())
}

/// Reads `0x` hex of exactly `N` bytes.
///
/// # Errors
///
/// The reason in words.
pub fn from_hex_exact<const N: usize>(text: &str) -> Result<[u8; N], Cow<'static, str>> {
    // The bytes may be secret.
    let bytes = Zeroizing::new(from_hex(text)?);
    let wrong = || format!("expected {N} bytes, found {}", bytes.len()).into();
    bytes.as_slice().try_into().map_err(|_| wrong())
}

/// A field element as 32 big-endian bytes in `0x` hex.
pub fn field_to_hex(value: &Fr) -> String {
    let mut bytes: [u8; FIELD_BYTES] = value.to_repr();
    bytes.reverse();
    to_hex(&bytes)
}

/// Reads [`field_to_hex`]. The integer must be below the modulus.
///
/// # Errors
///
/// The reason in words.
pub fn field_from_hex(text: &str) -> Result<Fr, Cow<'static, str>> {
    let mut bytes = from_hex_exact::<FIELD_BYTES>(text)?;
    bytes.reverse();
    let value = Fr::from_repr(bytes).into_option();
    value.ok_or(NOT_CANONICAL.into())
}

/// A message in `0x` hex: 32 bytes, all the signed bytes, or the coordinates of a point.
pub fn message_to_hex(message: &Message) -> String {
    to_hex(&message_to_bytes(message))
}

/// The same in bytes.
pub(crate) fn message_to_bytes(message: &Message) -> Vec<u8> {
    let signed = message.signed_bytes();
    signed.map_or_else(|| message.to_bytes(), |signed| signed.bytes().to_vec())
}

/// Reads a message of `scheme`: an integer below the modulus, any 32 bytes where a digest is signed, any
/// bytes at all where bytes are signed, or the coordinates of a point of G2 of BN254.
///
/// # Errors
///
/// The reason in words.
pub fn message_from_hex(scheme: Scheme, text: &str) -> Result<Message, Cow<'static, str>> {
    message_from_bytes(scheme, &from_hex(text)?)
}

/// The same for bytes.
///
/// # Errors
///
/// The reason in words.
pub fn message_from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Message, Cow<'static, str>> {
    match scheme.message_length() {
        Some(length) if length != bytes.len() => {
            Err(format!("expected {length} bytes, found {}", bytes.len()).into())
        }
        _ => {
            scheme.message_from_bytes(bytes).ok_or_else(|| match scheme.suite().public_message() {
                PublicMessage::Point(group) => not_a_point(group).into(),
                PublicMessage::Element | PublicMessage::Digest | PublicMessage::Plain => {
                    NOT_CANONICAL.into()
                }
            })
        }
    }
}

/// Serde for bytes as `0x` hex.
pub mod hex_bytes {
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    /// Writes bytes.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::to_hex(bytes))
    }

    /// Reads exactly `N` bytes.
    ///
    /// # Errors
    ///
    /// For text that is not hex of exactly `N` bytes.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        from: D,
    ) -> Result<[u8; N], D::Error> {
        let text = String::deserialize(from)?;
        super::from_hex_exact(&text).map_err(D::Error::custom)
    }
}
