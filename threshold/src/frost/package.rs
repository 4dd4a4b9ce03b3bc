//! What signers and the coordinator send each other: commitments, the package of them, and signature shares.

use std::collections::BTreeMap;

use blake2::{digest::consts::U32, Blake2b, Digest};
use frost_core::{
    round1::{NonceCommitment, SigningCommitments},
    round2, Group as _, SigningPackage, VerifyingKey,
};

use super::{FrostError, Identifier, Signer, Suite};

/// The identifier of the participant with this number.
///
/// # Errors
///
/// [`FrostError::Identifier`] for zero: at zero the polynomial has the secret itself as its value.
pub fn identifier<C: Suite>(number: u16) -> Result<Identifier<C>, FrostError> {
    Identifier::try_from(number).map_err(|_| FrostError::Identifier(number))
}

/// What participants sent, by participant.
///
/// # Errors
///
/// [`FrostError::Duplicate`] naming a participant that occurs twice.
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
/// bytes, and what arrived as bytes need not be encoded again.
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
        let is_canonical = commitment.bytes == [hiding, binding].concat();
        let other = || FrostError::Protocol("the encoding is not canonical".into());
        is_canonical.then_some(commitment).ok_or_else(other)
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

    /// Both points in one: [`from_bytes`](Self::from_bytes) of the two halves.
    ///
    /// # Errors
    ///
    /// Those of [`from_bytes`](Self::from_bytes).
    pub fn deserialize(bytes: &[u8]) -> Result<Self, FrostError> {
        let (hiding, binding) = bytes.split_at(bytes.len() / 2);
        Self::from_bytes(hiding, binding)
    }

    /// The two encoded points, the hiding commitment first.
    pub fn serialize(&self) -> &[u8] {
        &self.bytes
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

/// Identifies a package and its key: what a signer says that it has signed.
///
/// Blake2b-256 of a label, the suite, the group's public key, and the hashes H4 of the message and H5 of
/// the list of commitments that the binding factors take (RFC 9591, section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackageDigest(pub [u8; 32]);

/// The message and every signer's commitments: the input of the second round.
///
/// Signers take the list from the coordinator: one that signs another list makes a worthless share,
/// though it has not cheated.
#[derive(Clone, Debug)]
pub struct Package<C: Suite> {
    inner: SigningPackage<C>,
    /// `encode_group_commitment_list` of RFC 9591, section 4.3.
    encoded: Vec<u8>,
    /// H4 of the message and H5 of the list, which binding factors and digests take (section 4.4).
    hashes: Vec<u8>,
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
        Self::of(SigningPackage::new(points.collect(), message), encoded)
    }

    fn of(inner: SigningPackage<C>, encoded: Vec<u8>) -> Self {
        let (message, list) = (C::H4(inner.message()), C::H5(&encoded));
        let hashes = [message.as_ref(), list.as_ref()].concat();
        Self { inner, encoded, hashes }
    }

    /// From frost-core's package, whose points are encoded here.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if a commitment is the identity.
    pub fn from_frost(inner: SigningPackage<C>) -> Result<Self, FrostError> {
        let pairs = inner.signing_commitments().values();
        let points = pairs.flat_map(|points| [points.hiding().value(), points.binding().value()]);
        let points: Vec<_> = points.collect();
        let bytes = C::encode(&points)?;
        let mut encoded = vec![];
        for (identifier, pair) in inner.signing_commitments().keys().zip(bytes.chunks(2)) {
            encoded.extend(identifier.serialize());
            pair.iter().for_each(|point| encoded.extend(point));
        }
        Ok(Self::of(inner, encoded))
    }

    /// The package as bytes: the number of signers as 4 big-endian bytes, each one's identifier and
    /// commitments, and the message.
    pub fn serialize(&self) -> Vec<u8> {
        let count = self.inner.signing_commitments().len() as u32;
        [&count.to_be_bytes(), self.encoded.as_slice(), self.message()].concat()
    }

    /// Reads what [`serialize`](Self::serialize) wrote.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if the bytes end early, an identifier or a commitment is invalid,
    /// or the identifiers are not in increasing order.
    pub fn deserialize(bytes: &[u8]) -> Result<Self, FrostError> {
        let short = || FrostError::Protocol("the package ends early".into());
        let (count, rest) = bytes.split_first_chunk().ok_or_else(short)?;
        let count = u32::from_be_bytes(*count) as usize;
        let name = identifier::<C>(1)?.serialize().len();
        let entry = name + 2 * C::Group::serialize(&C::Group::generator())?.as_ref().len();
        let list = count.checked_mul(entry).ok_or_else(short)?;
        let (list, message) = rest.split_at_checked(list).ok_or_else(short)?;
        let read = |entry: &[u8]| {
            let id = Identifier::deserialize(&entry[..name])?;
            Ok((id, Commitment::deserialize(&entry[name..])?))
        };
        let entries = list.chunks(entry).map(read).collect::<Result<Vec<_>, FrostError>>()?;
        let package = Self::new(unique(entries)?, message);
        let unordered = || FrostError::Protocol("the signers are not in order".into());
        (package.encoded == list).then_some(package).ok_or_else(unordered)
    }

    /// The package's digest, for a group's public key.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if the key is the identity.
    pub fn digest(&self, key: &VerifyingKey<C>) -> Result<PackageDigest, FrostError> {
        let key = key.serialize()?;
        let mut hash = Blake2b::<U32>::new_with_prefix(b"muster.frost.package.v1");
        // The suite's name has its length in front; what follows has a length that the suite fixes.
        for part in [&[C::ID.len() as u8], C::ID.as_bytes(), &key] {
            hash.update(part);
        }
        hash.update(&self.hashes);
        Ok(PackageDigest(hash.finalize().into()))
    }

    /// The package in frost-core's type.
    pub fn inner(&self) -> &SigningPackage<C> {
        &self.inner
    }

    /// The message.
    pub fn message(&self) -> &[u8] {
        self.inner.message()
    }

    pub(super) fn hashes(&self) -> &[u8] {
        &self.hashes
    }
}

/// A member's share of a signature, and the package that it belongs to: a coordinator that has
/// another package cannot judge the share, and must not call its maker a cheater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureShare<C: Suite> {
    share: round2::SignatureShare<C>,
    package: PackageDigest,
}

impl<C: Suite> SignatureShare<C> {
    /// The share of frost-core's type, for this package.
    pub fn new(share: round2::SignatureShare<C>, package: PackageDigest) -> Self {
        Self { share, package }
    }

    /// The share in frost-core's type.
    pub fn inner(&self) -> &round2::SignatureShare<C> {
        &self.share
    }

    /// The package that it belongs to.
    pub fn package(&self) -> &PackageDigest {
        &self.package
    }

    /// The digest of the package, and the scalar.
    pub fn serialize(&self) -> Vec<u8> {
        [&self.package.0, self.share.serialize().as_slice()].concat()
    }

    /// Reads what [`serialize`](Self::serialize) wrote.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if there are too few bytes or too many, or if they are not a
    /// scalar.
    pub fn deserialize(bytes: &[u8]) -> Result<Self, FrostError> {
        let short = || FrostError::Protocol("the signature share ends early".into());
        let (package, scalar) = bytes.split_first_chunk().ok_or_else(short)?;
        let share = round2::SignatureShare::deserialize(scalar)?;
        Ok(Self { share, package: PackageDigest(*package) })
    }
}
