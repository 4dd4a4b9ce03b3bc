//! Domain separation tags that a caller names, RFC 9380 section 3.1.

use std::fmt;

use crate::hash::to_curve::Tag;

/// Most characters of a tag that a caller names: those in use have 40 to 60.
pub const MAX_HASH_TAG: usize = 95;

/// A tag of visible characters of ASCII, as all in use are, so that it has one text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HashTag {
    /// Zeros stand behind the last character.
    bytes: [u8; MAX_HASH_TAG],
    length: u8,
}

impl HashTag {
    /// The tag of this text; `None` if it has no characters, too many, or others than visible ones of ASCII.
    pub fn new(text: &str) -> Option<Self> {
        let (found, mut bytes) = (text.as_bytes(), [0; MAX_HASH_TAG]);
        if found.is_empty() || !found.iter().all(u8::is_ascii_graphic) {
            return None;
        }
        bytes.get_mut(..found.len())?.copy_from_slice(found);
        Some(Self { bytes, length: u8::try_from(found.len()).ok()? })
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length.into()]
    }

    /// As hashes take it.
    pub fn tag(&self) -> Tag<'_> {
        Tag::new(self.bytes()).expect("it has 1 to MAX_HASH_TAG bytes")
    }
}

impl fmt::Display for HashTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.bytes()))
    }
}

impl fmt::Debug for HashTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HashTag({self})")
    }
}
