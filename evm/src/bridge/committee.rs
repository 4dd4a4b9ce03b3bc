//! Committees, as the light client knows them.

use std::{fmt, str::FromStr};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_circuits::{MessageForm, PublicMessage, Shape, Suite};

use super::fault::BridgeFault;
use crate::verifier::KeyName;

/// Thresholds have fewer bits than this, as sums of weights in the circuit have.
const THRESHOLD_BITS: u32 = 60;

/// How a key takes what is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// As a field element.
    Element = 0,
    /// As a digest of 32 bytes.
    Digest = 1,
}

/// A committee, and the key that its proofs are verified under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committee {
    key: KeyName,
    root: Fr,
    threshold: u64,
    form: Form,
}

impl Form {
    /// All forms, by their numbers in the contract.
    pub const ALL: [Self; 2] = [Self::Element, Self::Digest];

    /// The form that keys of this shape take.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::Unfit`] if a light client takes no proofs under them.
    pub fn of(shape: &Shape) -> Result<Self, BridgeFault> {
        if shape.mask {
            return Err(BridgeFault::Unfit("statements say who signed".into()));
        }
        Self::of_message(shape.message, shape.public_message())
    }

    /// The form that keys of this suite take, unless their statements say who signed.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::Unfit`] if a light client takes no proofs under them.
    pub fn of_suite(suite: Suite) -> Result<Self, BridgeFault> {
        Self::of_message(suite.form(), suite.public_message())
    }

    fn of_message(form: MessageForm, message: PublicMessage) -> Result<Self, BridgeFault> {
        // The digest is one of Keccak-256: no hash of anything that somebody knows under another hash
        // function, and no point.
        match message {
            _ if !form.is_public() => Err(BridgeFault::Unfit(format!("the public part is {form}"))),
            PublicMessage::Element => Ok(Self::Element),
            PublicMessage::Digest => Ok(Self::Digest),
            PublicMessage::Plain | PublicMessage::Point(_) => {
                Err(BridgeFault::Unfit("the message is a point".into()))
            }
        }
    }

    /// Its number in the contract.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Its name in text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Digest => "digest",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = BridgeFault;

    fn from_str(text: &str) -> Result<Self, BridgeFault> {
        let named = Self::ALL.into_iter().find(|form| form.name() == text);
        named.ok_or_else(|| BridgeFault::Form(text.into()))
    }
}

impl Committee {
    /// A committee whose proofs are verified under the key of this name.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::ZeroRoot`] and [`BridgeFault::Threshold`]: what the light client refuses.
    pub fn new(key: KeyName, root: Fr, threshold: u64, form: Form) -> Result<Self, BridgeFault> {
        if bool::from(root.is_zero()) {
            return Err(BridgeFault::ZeroRoot);
        }
        if threshold == 0 || threshold >> THRESHOLD_BITS != 0 {
            return Err(BridgeFault::Threshold(threshold));
        }
        Ok(Self { key, root, threshold, form })
    }

    /// The key that its proofs are verified under.
    pub fn key(&self) -> KeyName {
        self.key
    }

    /// Root of the tree over its keys and weights.
    pub fn root(&self) -> &Fr {
        &self.root
    }

    /// Least sum of weights that signs.
    pub fn threshold(&self) -> u64 {
        self.threshold
    }

    /// How its key takes what is signed.
    pub fn form(&self) -> Form {
        self.form
    }
}
