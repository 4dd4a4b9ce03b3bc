//! Merkle trees of CometBFT's `crypto/merkle`, which are those of RFC 6962, section 2.1; and the hash of a set of validators.

use sha2::{Digest, Sha256};

use super::wire;

/// The prefixes of a leaf, and of the hashes of two children.
const LEAF: [u8; 1] = [0];
const NODE: [u8; 1] = [1];

/// A type of validator keys in CometBFT, with its [number](Self::number).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyType {
    /// Ed25519.
    Ed25519 = 0,
    /// ECDSA over secp256k1.
    Secp256k1 = 1,
    /// BLS over BLS12-381.
    Bls12381 = 2,
}

/// A validator as it is hashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SimpleValidator {
    /// Type of the key.
    pub key_type: KeyType,
    /// The key's bytes, which need not be a key.
    pub key: Vec<u8>,
    /// The power.
    pub power: u64,
}

impl KeyType {
    /// The type that CometBFT's JSON calls by this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "tendermint/PubKeyEd25519" => Some(Self::Ed25519),
            "tendermint/PubKeySecp256k1" => Some(Self::Secp256k1),
            "cometbft/PubKeyBls12_381" => Some(Self::Bls12381),
            _ => None,
        }
    }

    /// The name of the type's field in `PublicKey` of `proto/tendermint/crypto/keys.proto`.
    pub fn field(self) -> &'static str {
        match self {
            Self::Ed25519 => "ed25519",
            Self::Secp256k1 => "secp256k1",
            Self::Bls12381 => "bls12381",
        }
    }

    /// The type of this field.
    pub fn of_field(name: &str) -> Option<Self> {
        let all = [Self::Ed25519, Self::Secp256k1, Self::Bls12381];
        all.into_iter().find(|key_type| key_type.field() == name)
    }

    /// The number of the type in the name of [an empty place](crate::membership::EmptyPlace); keys of Ed25519 have 0 there.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The field of `PublicKey` in `proto/tendermint/crypto/keys.proto`.
    fn tag(self) -> u8 {
        match self {
            Self::Ed25519 => wire::ED25519,
            Self::Secp256k1 => wire::SECP256K1,
            Self::Bls12381 => wire::BLS12_381,
        }
    }
}

impl SimpleValidator {
    /// The bytes that are hashed: `SimpleValidator` of `proto/tendermint/types/validator.proto`.
    pub fn encoded(&self) -> Vec<u8> {
        let key = wire::bytes(self.key_type.tag(), &self.key);
        [wire::bytes(wire::PUB_KEY, &key), wire::number(wire::POWER, self.power)].concat()
    }
}

/// The hash of validators in their order, which a header has as `validators_hash`.
pub fn validators_hash(validators: &[SimpleValidator]) -> [u8; 32] {
    validators_root(&validators.iter().map(SimpleValidator::encoded).collect::<Vec<_>>())
}

/// The same of validators that are [encoded](SimpleValidator::encoded).
pub fn validators_root(encoded: &[Vec<u8>]) -> [u8; 32] {
    root(encoded)
}

/// The root over leaves.
pub(super) fn root(leaves: &[Vec<u8>]) -> [u8; 32] {
    match leaves {
        [] => Sha256::digest(b"").into(),
        [leaf] => Sha256::new().chain_update(LEAF).chain_update(leaf).finalize().into(),
        _ => {
            // The greatest power of 2 below their number.
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            let node = Sha256::new().chain_update(NODE);
            node.chain_update(root(left)).chain_update(root(right)).finalize().into()
        }
    }
}
