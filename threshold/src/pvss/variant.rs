//! How a dealing proves that its ciphertexts hold the chunks of its shares.

use std::{fmt, str::FromStr};

/// A variant. A session fixes one; the sum of dealings is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// A Σ-protocol for every ciphertext and the range commitment, and a pairing check of the shares.
    Chunky = 1,
    /// The same with the shares' commitments in the Σ-protocol instead of the pairing check.
    Chunky2 = 2,
    /// The range proof's own evaluation ties the ciphertexts to it. This is our own argument, which
    /// nobody else has reviewed so far.
    #[default]
    Compact = 3,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Chunky, Self::Chunky2, Self::Compact];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunky => "chunky",
            Self::Chunky2 => "chunky2",
            Self::Compact => "compact",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|variant| variant.name() == name);
        found.ok_or_else(|| format!("{name:?} is not one of chunky, chunky2, compact"))
    }
}
