//! What a coordinator sends to the signers after the first round.

use std::collections::BTreeMap;

use frost_core::{round1::NonceCommitment, round1::SigningCommitments, SigningPackage};

use super::{FrostError, Identifier, Signer, Suite};

/// The identifier of the participant with this number.
///
/// # Errors
///
/// [`FrostError::Identifier`] for zero: at zero the polynomial has the secret itself.
pub fn identifier<C: Suite>(number: u16) -> Result<Identifier<C>, FrostError> {
    Identifier::try_from(number).map_err(|_| FrostError::Identifier(number))
}

/// What participants sent, by participant.
///
/// # Errors
///
/// [`FrostError::Duplicate`] naming who occurs twice.
pub fn unique<C: Suite, T>(
    sent: impl IntoIterator<Item = (Identifier<C>, T)>,
) -> Result<BTreeMap<Identifier<C>, T>, FrostError> {
    let mut map = BTreeMap::new();
    for (identifier, item) in sent {
        if map.insert(identifier, item).is_some() {
            return Err(FrostError::Duplicate(Signer::of(&identifier)));
        }
    }
    Ok(map)
}

/// A participant's commitments to its two nonces, with their encoding: the binding factors hash the
/// bytes, and what has arrived as bytes need not be written again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment<C: Suite> {
    points: SigningCommitments<C>,
    /// The hiding commitment, then the binding one.
    bytes: Vec<u8>,
}

impl<C: Suite> Commitment<C> {
    /// Reads the two encoded points: the hiding commitment and the binding one.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] with the rule that a point breaks: malformed, not canonical, the
    /// identity, or outside the prime-order group.
    pub fn from_bytes(hiding: &[u8], binding: &[u8]) -> Result<Self, FrostError> {
        let read = |bytes| NonceCommitment::<C>::deserialize(bytes);
        let points = SigningCommitments::new(read(hiding)?, read(binding)?);
        let commitment = Self::new(points)?;
        // Signers hash the one canonical encoding; a coordinator must hash the same.
        match commitment.bytes == [hiding, binding].concat() {
            true => Ok(commitment),
            false => Err(FrostError::Protocol("the encoding is not canonical".into())),
        }
    }

    /// Encodes the two points.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if one of them is the identity.
    pub fn new(points: SigningCommitments<C>) -> Result<Self, FrostError> {
        let bytes = C::encode(&[points.hiding().value(), points.binding().value()])?.concat();
        Ok(Self { points, bytes })
    }

    /// The two points.
    pub fn points(&self) -> &SigningCommitments<C> {
        &self.points
    }

    /// The two encoded points, each half of the bytes.
    pub fn to_bytes(&self) -> (&[u8], &[u8]) {
        self.bytes.split_at(self.bytes.len() / 2)
    }
}

/// The message and every signer's commitments: the input of the second round.
#[derive(Clone, Debug)]
pub struct Package<C: Suite> {
    inner: SigningPackage<C>,
    /// `encode_group_commitment_list` of RFC 9591, section 4.3.
    encoded: Vec<u8>,
}

impl<C: Suite> Package<C> {
    /// The package of these commitments, in the order of the identifiers.
    pub fn new(commitments: BTreeMap<Identifier<C>, Commitment<C>>, message: &[u8]) -> Self {
        let mut encoded = vec![];
        for (identifier, commitment) in &commitments {
            encoded.extend(identifier.serialize());
            encoded.extend(&commitment.bytes);
        }
        let points = commitments.into_iter().map(|(id, commitment)| (id, commitment.points));
        Self { inner: SigningPackage::new(points.collect(), message), encoded }
    }

    /// The package of frost-core, whose points are encoded now.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if a commitment is the identity.
    pub fn from_frost(inner: SigningPackage<C>) -> Result<Self, FrostError> {
        let points: Vec<_> = inner
            .signing_commitments()
            .values()
            .flat_map(|points| [points.hiding().value(), points.binding().value()])
            .collect();
        let bytes = C::encode(&points)?;
        let mut encoded = vec![];
        for (identifier, pair) in inner.signing_commitments().keys().zip(bytes.chunks(2)) {
            encoded.extend(identifier.serialize());
            pair.iter().for_each(|point| encoded.extend(point));
        }
        Ok(Self { inner, encoded })
    }

    /// The package as frost-core has it.
    pub fn inner(&self) -> &SigningPackage<C> {
        &self.inner
    }

    /// The message.
    pub fn message(&self) -> &[u8] {
        self.inner.message()
    }

    pub(super) fn encoded(&self) -> &[u8] {
        &self.encoded
    }
}
