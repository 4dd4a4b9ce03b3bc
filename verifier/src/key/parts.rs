//! What keys are made of.

use crate::{packing::Packing, protocol::Protocol};

/// What a key of kind `fast` is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyParts {
    /// The circuit.
    pub protocol: Protocol,
    /// What the inputs mean. The verifier does not interpret it.
    pub description: Vec<u8>,
    /// Whether the SRS is a ceremony's. If not, its maker may know `τ`, and prove anything.
    pub is_ceremony: bool,
    /// `[τ]₂`.
    pub tau_g2: [u8; 128],
    /// The commitment to each fixed column.
    pub fixed: Vec<[u8; 64]>,
    /// The commitment to σ of each copied column.
    pub sigma: Vec<[u8; 64]>,
}

/// What a key of kind `compact` is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactKeyParts {
    /// The circuit, and which of its polynomials share a commitment.
    pub packing: Packing,
    /// What the inputs mean. The verifier does not interpret it.
    pub description: Vec<u8>,
    /// Whether the SRS is a ceremony's. If not, its maker may know `τ`, and prove anything.
    pub is_ceremony: bool,
    /// `[τ]₂`.
    pub tau_g2: [u8; 128],
    /// The commitment to each pack of fixed columns and σ.
    pub packs: Vec<[u8; 64]>,
    /// `K₂`: the commitment to [`Decider::columns`](crate::Decider::columns). A key with another one may accept
    /// anything, and no reader of keys can tell.
    pub decider: [u8; 64],
}

/// The parts of a key of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    Fast(KeyParts),
    Compact {
        parts: CompactKeyParts,
        /// `k₂`: the decider has `2^k₂` rows.
        decider_k: u32,
    },
}

impl Parts {
    pub(super) fn protocol(&self) -> &Protocol {
        match self {
            Self::Fast(parts) => &parts.protocol,
            Self::Compact { parts, .. } => parts.packing.protocol(),
        }
    }

    pub(super) fn description(&self) -> &[u8] {
        match self {
            Self::Fast(parts) => &parts.description,
            Self::Compact { parts, .. } => &parts.description,
        }
    }

    pub(super) fn is_ceremony(&self) -> bool {
        match self {
            Self::Fast(parts) => parts.is_ceremony,
            Self::Compact { parts, .. } => parts.is_ceremony,
        }
    }

    pub(super) fn tau_g2(&self) -> &[u8; 128] {
        match self {
            Self::Fast(parts) => &parts.tau_g2,
            Self::Compact { parts, .. } => &parts.tau_g2,
        }
    }
}
