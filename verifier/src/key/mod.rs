//! Keys of both kinds. Sections 2 and 9 of the specification.

mod bytes;

use std::fmt;

use ark_bn254::{Bn254, G1Affine, G2Affine};
use ark_ec::{pairing::Pairing, AffineRepr};

use crate::{
    arrangement::Polynomial,
    decider::{decider_k, MOST_K},
    encoding::{point_g2, point_or_identity, PointError, Reader, POINT, POINT_G2},
    equation::Equation,
    error::{KeyError, TooManyRows},
    opening::Openings,
    packing::{Packing, Round},
    protocol::Protocol,
    transcript::hash,
};
use bytes::{compact_bytes, fast_bytes, read, Parts, DESCRIPTION};
pub use bytes::{CompactKeyParts, EvmKey, KeyParts};

/// The formats of keys and proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Values are in the proof.
    Fast,
    /// Proofs are short, and made for contracts.
    Compact,
}

/// A verifier's key: a circuit, and commitments to what is fixed in it.
#[derive(Clone)]
pub struct Key {
    parts: Parts,
    digest: [u8; 32],
    pub(crate) tau: <Bn254 as Pairing>::G2Prepared,
    /// The commitments to fixed columns, then those to σ; or those to packs, then that to the decider.
    pub(crate) commitments: Vec<G1Affine>,
    pub(crate) kind: Kind,
}

/// What proofs of a key are verified with, beside its commitments.
#[derive(Clone)]
pub(crate) enum Kind {
    Fast(Box<Fast>),
    Compact(Compact),
}

/// What follows from a key of kind `fast`.
#[derive(Clone)]
pub(crate) struct Fast {
    pub(crate) equation: Equation,
    pub(crate) openings: Openings,
}

/// What follows from a key of kind `compact`.
#[derive(Clone)]
pub(crate) struct Compact {
    pub(crate) decider_k: u32,
    pub(crate) evm_key: EvmKey,
    /// How many packs each round has.
    pub(crate) packs: Packs,
}

/// How many packs are of each round.
#[derive(Clone, Copy)]
pub(crate) struct Packs {
    pub(crate) key: usize,
    pub(crate) first: usize,
    pub(crate) second: usize,
}

impl Packs {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.key + self.first + self.second
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl Key {
    /// The key of kind `fast` of these parts.
    ///
    /// # Errors
    ///
    /// If a point is none, or not one that the specification allows, or if there are not as many as
    /// columns.
    pub fn new(parts: KeyParts) -> Result<Self, KeyError> {
        let protocol = &parts.protocol;
        let fixed = points(&parts.fixed, protocol.fixed(), |number, error| KeyError::Commitment {
            polynomial: Polynomial::Fixed(number),
            error,
        })?;
        let sigma = points(&parts.sigma, protocol.copied().len(), |number, error| {
            KeyError::Commitment { polynomial: Polynomial::Sigma(number), error }
        })?;
        let tau = tau(&parts.tau_g2, &parts.description)?;
        let (equation, openings) = (Equation::new(protocol), Openings::new(protocol));
        let kind = Kind::Fast(Box::new(Fast { equation, openings }));
        let digest = hash(&[&fast_bytes(&parts)]);
        let commitments = [fixed, sigma].concat();
        Ok(Self { parts: Parts::Fast(parts), digest, tau: tau.into(), commitments, kind })
    }

    /// The key of kind `compact` of these parts.
    ///
    /// # Errors
    ///
    /// If a point is none, or not one that the specification allows, if there are not as many as packs of the key, or
    /// if the decider has too many rows.
    pub fn compact(parts: CompactKeyParts) -> Result<Self, KeyError> {
        let decider_k = decider_k(&parts.packing, MOST_K)?;
        Self::with_decider(parts, decider_k)
    }

    /// The key of kind `compact` whose decider has `2^k` rows.
    fn with_decider(parts: CompactKeyParts, decider_k: u32) -> Result<Self, KeyError> {
        let packs = Packs {
            key: parts.packing.count(Round::Key),
            first: parts.packing.count(Round::First),
            second: parts.packing.count(Round::Second),
        };
        let mut commitments =
            points(&parts.packs, packs.key, |pack, error| KeyError::Pack { pack, error })?;
        commitments.push(point_or_identity(&parts.decider).map_err(KeyError::Decider)?);
        let tau = tau(&parts.tau_g2, &parts.description)?;
        let digest = hash(&[&compact_bytes(&parts, decider_k)]);
        let evm_key = EvmKey::new(&parts, decider_k, &digest);
        let kind = Kind::Compact(Compact { decider_k, evm_key, packs });
        let parts = Parts::Compact { parts, decider_k };
        Ok(Self { parts, digest, tau: tau.into(), commitments, kind })
    }

    /// Reads a key of either kind from all of these bytes.
    ///
    /// # Errors
    ///
    /// If they are not what [`Key::to_bytes`] makes of some key.
    pub fn read(bytes: &[u8]) -> Result<Self, KeyError> {
        match read(&mut Reader::new(bytes))? {
            Parts::Fast(parts) => Self::new(parts),
            Parts::Compact { parts, decider_k: found } => {
                if found > MOST_K {
                    return Err(KeyError::DeciderLarge(found));
                }
                let expected = decider_k(&parts.packing, found)
                    .map_err(|TooManyRows| KeyError::DeciderSmall(found))?;
                if found != expected {
                    return Err(KeyError::DeciderK { found, expected });
                }
                Self::with_decider(parts, expected)
            }
        }
    }

    /// The one encoding of the key.
    pub fn to_bytes(&self) -> Vec<u8> {
        match &self.parts {
            Parts::Fast(parts) => fast_bytes(parts),
            Parts::Compact { parts, decider_k } => compact_bytes(parts, *decider_k),
        }
    }

    /// The Keccak-256 of the key's bytes.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The format of the key's proofs.
    pub fn format(&self) -> Format {
        match self.kind {
            Kind::Fast(_) => Format::Fast,
            Kind::Compact(_) => Format::Compact,
        }
    }

    /// The circuit.
    pub fn protocol(&self) -> &Protocol {
        match &self.parts {
            Parts::Fast(parts) => &parts.protocol,
            Parts::Compact { parts, .. } => parts.packing.protocol(),
        }
    }

    /// What the inputs mean.
    pub fn description(&self) -> &[u8] {
        match &self.parts {
            Parts::Fast(parts) => &parts.description,
            Parts::Compact { parts, .. } => &parts.description,
        }
    }

    /// Whether the SRS is a ceremony's. If not, its maker may know `τ`, and prove anything.
    pub fn is_ceremony(&self) -> bool {
        match &self.parts {
            Parts::Fast(parts) => parts.is_ceremony,
            Parts::Compact { parts, .. } => parts.is_ceremony,
        }
    }

    /// `[τ]₂`.
    pub fn tau_g2(&self) -> [u8; 128] {
        match &self.parts {
            Parts::Fast(parts) => parts.tau_g2,
            Parts::Compact { parts, .. } => parts.tau_g2,
        }
    }

    /// The commitment to each fixed column. A key of kind `compact` has none: it commits to packs.
    pub fn fixed(&self) -> &[[u8; 64]] {
        match &self.parts {
            Parts::Fast(parts) => &parts.fixed,
            Parts::Compact { .. } => &[],
        }
    }

    /// The commitment to σ of each copied column. A key of kind `compact` has none: it commits to packs.
    pub fn sigma(&self) -> &[[u8; 64]] {
        match &self.parts {
            Parts::Fast(parts) => &parts.sigma,
            Parts::Compact { .. } => &[],
        }
    }

    /// What a key of kind `compact` has beside those of kind `fast`.
    pub fn as_compact(&self) -> Option<CompactKey<'_>> {
        match (&self.parts, &self.kind) {
            (Parts::Compact { parts, .. }, Kind::Compact(compact)) => {
                Some(CompactKey { key: self, parts, compact })
            }
            _ => None,
        }
    }
}

/// What a key of kind `compact` has beside those of kind `fast`.
#[derive(Clone, Copy)]
pub struct CompactKey<'a> {
    pub(crate) key: &'a Key,
    parts: &'a CompactKeyParts,
    pub(crate) compact: &'a Compact,
}

impl fmt::Debug for CompactKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompactKey").field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl<'a> CompactKey<'a> {
    /// The circuit, and which of its polynomials share a commitment.
    pub fn packing(&self) -> &'a Packing {
        &self.parts.packing
    }

    /// The commitment to each pack of fixed columns and σ.
    pub fn packs(&self) -> &'a [[u8; 64]] {
        &self.parts.packs
    }

    /// `k₂`: the decider has `2^k₂` rows.
    pub fn decider_k(&self) -> u32 {
        self.compact.decider_k
    }

    /// `K₂`: the commitment to the decider. Compare it with that to [`Decider::columns`](crate::Decider::columns)
    /// before you trust a key that somebody else made.
    pub fn decider(&self) -> [u8; 64] {
        self.parts.decider
    }

    /// What a contract stores of the key.
    pub fn evm_key(&self) -> &'a EvmKey {
        &self.compact.evm_key
    }
}

/// `[τ]₂`, beside a description that is short enough.
fn tau(tau_g2: &[u8; POINT_G2], description: &[u8]) -> Result<G2Affine, KeyError> {
    if description.len() > DESCRIPTION {
        return Err(KeyError::Description(description.len()));
    }
    let tau = point_g2(tau_g2).map_err(KeyError::Tau)?;
    if tau == G2Affine::generator() {
        return Err(KeyError::TauIsOne);
    }
    Ok(tau)
}

/// As many points as expected, each of which may be the identity.
fn points(
    bytes: &[[u8; POINT]],
    expected: usize,
    refusal: impl Fn(usize, PointError) -> KeyError,
) -> Result<Vec<G1Affine>, KeyError> {
    if bytes.len() != expected {
        return Err(KeyError::Commitments { found: bytes.len(), expected });
    }
    let points = bytes
        .iter()
        .enumerate()
        .map(|(number, bytes)| point_or_identity(bytes).map_err(|error| refusal(number, error)));
    points.collect()
}
