//! The commitments for which there are circuits.

use std::{fmt, str::FromStr};

use muster_gadgets::membership::translation::{CommitmentInstructions, TranslatedSet};
use muster_gates::{foreign::Equation, GateContext};
use muster_schemes::{
    membership::{
        commitment::{
            AddressList, AptosValidators, AxelarSigners, BeefyAuthorities, CometbftValidators,
            Commitment, CommitmentError, SemaphoreGroup, SuiValidators, SyncCommittee,
        },
        Member, PublicKey,
    },
    signature::KeyKind,
};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::scheme::Scheme;

/// A chain's own commitment, by the name that files and the command line use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(into = "&'static str", try_from = "String")]
pub enum CommitmentKind {
    /// The Keccak-256 of a list of addresses, each in 32 bytes.
    Addresses,
    /// The `validators_hash` of CometBFT.
    Cometbft,
    /// The hash tree root of a sync committee of Ethereum's beacon chain.
    SyncCommittee,
    /// The `keyset_commitment` of a BEEFY authority set.
    Beefy,
    /// The root of a group of Semaphore.
    Semaphore,
    /// The SHA-256 of the keys and powers in the list of validators of Aptos.
    Aptos,
    /// The SHA-256 of the keys and powers in the list of validators of Sui or IOTA.
    Sui,
    /// The Keccak-256 of the accounts and weights of Axelar's signers, a word each.
    Axelar,
}

/// No commitment has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown commitment {name:?}; there are {all}", name = .0, all = names())]
pub struct UnknownCommitment(pub String);

/// The names of all commitments.
fn names() -> String {
    let names = CommitmentKind::ALL.iter().map(|kind| kind.name());
    names.collect::<Vec<_>>().join(", ")
}

/// Evaluates an expression for the type of a commitment. This is the only place that tells them apart.
macro_rules! with_commitment {
    ($kind:expr, $type:ident, $body:expr) => {
        match $kind {
            CommitmentKind::Addresses => with_commitment!(@AddressList, $type, $body),
            CommitmentKind::Cometbft => with_commitment!(@CometbftValidators, $type, $body),
            CommitmentKind::SyncCommittee => with_commitment!(@SyncCommittee, $type, $body),
            CommitmentKind::Beefy => with_commitment!(@BeefyAuthorities, $type, $body),
            CommitmentKind::Semaphore => with_commitment!(@SemaphoreGroup, $type, $body),
            CommitmentKind::Aptos => with_commitment!(@AptosValidators, $type, $body),
            CommitmentKind::Sui => with_commitment!(@SuiValidators, $type, $body),
            CommitmentKind::Axelar => with_commitment!(@AxelarSigners, $type, $body),
        }
    };
    (@$commitment:ty, $type:ident, $body:expr) => {{
        type $type = $commitment;
        $body
    }};
}

impl CommitmentKind {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name.
    pub fn name(self) -> &'static str {
        with_commitment!(self, C, C::NAME)
    }

    /// The scheme of the members' keys.
    pub fn scheme(self) -> Scheme {
        match self {
            Self::Addresses | Self::Beefy | Self::Axelar => Scheme::EcdsaSecp256k1,
            Self::Cometbft => Scheme::Ed25519,
            Self::Semaphore => Scheme::Eddsa,
            Self::SyncCommittee | Self::Aptos => Scheme::BlsBls12381,
            Self::Sui => Scheme::BlsBls12381MinSig,
        }
    }

    /// How members are named.
    pub fn keys(self) -> KeyKind {
        match self {
            Self::Addresses | Self::Beefy | Self::Axelar => KeyKind::Address,
            Self::Cometbft | Self::SyncCommittee | Self::Semaphore | Self::Aptos | Self::Sui => {
                KeyKind::Coordinates
            }
        }
    }

    /// The hash of these members, in their order.
    ///
    /// # Errors
    ///
    /// [`CommitmentError`] with the first member whom the commitment cannot hold as it is.
    pub fn hash(self, members: &[Member]) -> Result<[u8; 32], CommitmentError> {
        with_commitment!(self, C, C::hash(members))
    }

    /// Whether lists of different lengths have different hashes. If not, whoever verifies takes the
    /// [number of members](super::TranslationStatement::members) from the chain, as it takes the hash.
    pub fn fixes_number(self) -> bool {
        with_commitment!(self, C, C::FIXES_NUMBER)
    }

    /// Whether members are seats: each place is taken, and a key may have several. If not, places may be unused, and
    /// keys are distinct unless they add up.
    pub fn is_of_seats(self) -> bool {
        with_commitment!(self, C, C::SEATS)
    }

    /// The most places of a set.
    pub fn max_places(self) -> usize {
        with_commitment!(self, C, C::MAX_PLACES)
    }

    /// Bytes of a key, from which a circuit is filled.
    pub(super) fn key_bytes(self) -> usize {
        with_commitment!(self, C, C::KEY_BYTES)
    }

    /// These bytes; `None` for a key of another kind.
    pub(super) fn key(self, key: &PublicKey) -> Option<Vec<u8>> {
        with_commitment!(self, C, C::key(key))
    }

    /// The equations modulo a foreign prime; none if there is no such prime.
    pub(crate) fn equations(self) -> Vec<Equation> {
        with_commitment!(self, C, C::equations())
    }

    /// The width of the state of Poseidon that the circuit hashes with beside those of the set.
    pub(super) fn poseidon_width(self) -> Option<usize> {
        with_commitment!(self, C, C::poseidon_width())
    }

    /// Whether the circuit hashes with Keccak-256.
    pub(super) fn needs_keccak(self) -> bool {
        with_commitment!(self, C, C::KECCAK)
    }

    /// How many chains of compressions of SHA-256 the circuit has for so many places, and how many compressions are in one.
    pub(super) fn sha256_chains(self, places: usize) -> Vec<(usize, usize)> {
        with_commitment!(self, C, C::sha256_chains(places))
    }

    /// Constrains what is claimed of a set, [in circuit](CommitmentInstructions::assert_translates).
    pub(super) fn assert_translates(self, ctx: &mut GateContext, set: &TranslatedSet<'_>) {
        with_commitment!(self, C, C::assert_translates(ctx, set));
    }
}

impl fmt::Display for CommitmentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<CommitmentKind> for &'static str {
    fn from(kind: CommitmentKind) -> Self {
        kind.name()
    }
}

impl TryFrom<String> for CommitmentKind {
    type Error = UnknownCommitment;

    fn try_from(name: String) -> Result<Self, UnknownCommitment> {
        name.parse()
    }
}

impl FromStr for CommitmentKind {
    type Err = UnknownCommitment;

    fn from_str(name: &str) -> Result<Self, UnknownCommitment> {
        let kind = Self::ALL.iter().find(|kind| kind.name() == name);
        kind.copied().ok_or_else(|| UnknownCommitment(name.to_owned()))
    }
}
