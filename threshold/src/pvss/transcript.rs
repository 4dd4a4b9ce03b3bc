//! A dealing's bytes and what they decode to.

use std::ops::Range;

use ff::Field as _;
use group::prime::PrimeCurveAffine;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    field::{Field, Kind},
    keys::SIGNATURE_BYTES,
    session::Session,
    shape::Layout,
    Error, SecretKeys,
};
use crate::pairing_curve::{
    all_in_g1, decode_g2, decode_on_curve, scalar, scalar_bytes, Fr, G1Affine, G2Affine,
    PointFault, G2_BYTES,
};

const SIGNING_TAG: &[u8] = b"muster-pvss-dealing-v1";

/// A dealing that parses: its length is the session's, its points are in their groups and its scalars
/// below the order. Nothing else was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    dealer: usize,
    session: [u8; 32],
    parts: Parts,
}

/// A transcript: its bytes, with the dealer's signature once that is there, and its elements by their
/// kinds. While it is being written, what is not there yet is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    layout: Layout,
    bytes: Vec<u8>,
    g1: Vec<G1Affine>,
    g2: Vec<G2Affine>,
    scalars: Vec<Fr>,
}

impl Parts {
    pub(super) fn bytes_of(&self, field: Field) -> &[u8] {
        &self.bytes[self.layout.part(field).bytes.clone()]
    }

    pub(super) fn g1(&self, field: Field) -> &[G1Affine] {
        &self.g1[self.place(field)]
    }

    pub(super) fn g2(&self, field: Field) -> &[G2Affine] {
        &self.g2[self.place(field)]
    }

    pub(super) fn scalars(&self, field: Field) -> &[Fr] {
        &self.scalars[self.place(field)]
    }

    /// Where a part's elements are among all of their kind.
    pub(super) fn place(&self, field: Field) -> Range<usize> {
        self.layout.part(field).elements.clone()
    }

    pub(super) fn all_g1(&self) -> &[G1Affine] {
        &self.g1
    }

    pub(super) fn all_g2(&self) -> &[G2Affine] {
        &self.g2
    }

    /// Decodes bytes of the right length, with a signature at their end.
    fn decode(layout: &Layout, bytes: &[u8]) -> Result<Self, Error> {
        let (mut g1, mut g2, mut scalars) = (vec![], vec![], vec![]);
        for part in &layout.parts {
            let (field, bytes) = (part.field, &bytes[part.bytes.clone()]);
            match field.kind() {
                Kind::G1 => g1.extend(points(field, bytes, decode_on_curve)?),
                Kind::G2 if field == Field::ShareNonces => {
                    g2.extend(points(field, bytes, decode_g2)?);
                }
                Kind::G2 => g2.extend(points(field, bytes, decode_key)?),
                Kind::Scalar => scalars.extend(read_scalars(field, bytes)?),
            }
        }
        let parts = Self { layout: layout.clone(), bytes: bytes.to_vec(), g1, g2, scalars };
        if all_in_g1(&parts.g1, &Sha256::digest(&bytes[..layout.length]).into()) {
            Ok(parts)
        } else {
            Err(parts.outside())
        }
    }

    /// The first point that is not in the subgroup.
    fn outside(&self) -> Error {
        let place = self.g1.iter().position(|point| !bool::from(point.is_torsion_free()));
        let place = place.unwrap_or_default();
        let mut parts = self.layout.parts.iter();
        let part = parts
            .find(|part| part.field.kind() == Kind::G1 && part.elements.contains(&place))
            .map_or((Field::Ciphertexts, 0), |part| (part.field, part.elements.start));
        Error::Point { field: part.0, index: place - part.1 + 1, fault: PointFault::NotInSubgroup }
    }

    /// A transcript to be written.
    pub(super) fn blank(layout: &Layout) -> Self {
        let [in_g1, in_g2, scalars] = layout.elements;
        Self {
            layout: layout.clone(),
            bytes: vec![0; layout.length],
            g1: vec![G1Affine::default(); in_g1],
            g2: vec![G2Affine::default(); in_g2],
            scalars: vec![Fr::ZERO; scalars],
        }
    }

    /// Writes a part's bytes, and says where its elements belong.
    fn put<T, const N: usize>(
        &mut self,
        field: Field,
        elements: &[T],
        encode: fn(&T) -> [u8; N],
    ) -> Range<usize> {
        let part = self.layout.part(field).clone();
        assert_eq!(part.elements.len(), elements.len(), "{field}");
        let bytes = &mut self.bytes[part.bytes];
        for (bytes, element) in bytes.chunks_exact_mut(N).zip(elements) {
            bytes.copy_from_slice(&encode(element));
        }
        part.elements
    }

    pub(super) fn put_g1(&mut self, field: Field, points: &[G1Affine]) {
        #[cfg(test)]
        let points = &super::tests::tamper::g1(field, points);
        let place = self.put(field, points, G1Affine::to_compressed);
        self.g1[place].copy_from_slice(points);
    }

    pub(super) fn put_g2(&mut self, field: Field, points: &[G2Affine]) {
        #[cfg(test)]
        let points = &super::tests::tamper::g2(field, points);
        let place = self.put(field, points, G2Affine::to_compressed);
        self.g2[place].copy_from_slice(points);
    }

    pub(super) fn put_scalars(&mut self, field: Field, scalars: &[Fr]) {
        #[cfg(test)]
        let scalars = &super::tests::tamper::scalars(field, scalars);
        let place = self.put(field, scalars, scalar_bytes);
        self.scalars[place].copy_from_slice(scalars);
    }

    /// The dealing with its dealer's signature. Its points are in their groups: the dealer made them.
    pub(super) fn sign(
        mut self,
        session: &Session,
        dealer: usize,
        keys: &SecretKeys,
    ) -> Result<Dealt, Error> {
        let message = signed_message(session, dealer, &self.bytes)?;
        self.bytes.extend(keys.sign(&message));
        Ok(Dealt { dealer, session: *session.digest(), parts: self })
    }
}

/// The points of a part.
pub(super) fn points<P: Send, const N: usize>(
    field: Field,
    bytes: &[u8],
    decode: impl Fn(&[u8; N]) -> Result<P, PointFault> + Sync,
) -> Result<Vec<P>, Error> {
    let point = |(place, bytes): (usize, &[u8; N])| {
        decode(bytes).map_err(|fault| Error::Point { field, index: place + 1, fault })
    };
    bytes.as_chunks().0.par_iter().enumerate().map(point).collect()
}

/// Commitments to the secret and to shares are keys: none of them is the identity.
pub(super) fn decode_key(bytes: &[u8; G2_BYTES]) -> Result<G2Affine, PointFault> {
    let point = decode_g2(bytes)?;
    (!bool::from(point.is_identity())).then_some(point).ok_or(PointFault::Identity)
}

fn read_scalars(field: Field, bytes: &[u8]) -> Result<Vec<Fr>, Error> {
    let read = |(place, bytes): (usize, &[u8; 32])| {
        scalar(bytes).ok_or(Error::Scalar { field, index: place + 1 })
    };
    bytes.as_chunks().0.par_iter().enumerate().map(read).collect()
}

/// What a dealer signs: who it is, for which session and epoch, and the whole transcript.
pub(crate) fn signed_message(
    session: &Session,
    dealer: usize,
    body: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut message = SIGNING_TAG.to_vec();
    message.extend(session.digest());
    message.extend((dealer as u64).to_le_bytes());
    message.extend(session.player(dealer)?.bytes[1]);
    message.extend(session.epoch().to_le_bytes());
    message.extend(Sha256::digest(body));
    Ok(message)
}

/// The player that signed a dealing.
///
/// # Errors
///
/// [`Error::Length`], or [`Error::Unsigned`] if no player did.
pub fn dealer_of(session: &Session, bytes: &[u8]) -> Result<usize, Error> {
    for dealer in 1..=session.shape().players() {
        match signed_digest(session, dealer, bytes) {
            Ok(_) => return Ok(dealer),
            Err(Error::Signature { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::Unsigned)
}

/// The digest of a transcript of the right length that player `dealer` has signed, whatever its
/// content.
///
/// # Errors
///
/// [`Error::UnknownPlayer`], [`Error::Length`] or [`Error::Signature`].
pub(crate) fn signed_digest(
    session: &Session,
    dealer: usize,
    bytes: &[u8],
) -> Result<[u8; 32], Error> {
    let keys = session.player(dealer)?;
    let expected = session.layout.length + SIGNATURE_BYTES;
    if bytes.len() != expected {
        return Err(Error::Length { expected, found: bytes.len() });
    }
    let (body, signature) = bytes.split_at(session.layout.length);
    let is_signed = keys.verify(&signed_message(session, dealer, body)?, signature);
    is_signed.then(|| Sha256::digest(body).into()).ok_or(Error::Signature { dealer })
}

impl Dealt {
    /// Reads a dealing of player `dealer`: the length first, then the dealer's signature, so that
    /// bytes from anybody else cost no more than that, and then every point and scalar.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPlayer`], [`Error::Length`], [`Error::Point`], [`Error::Scalar`] or
    /// [`Error::Signature`].
    pub fn from_bytes(session: &Session, dealer: usize, bytes: &[u8]) -> Result<Self, Error> {
        signed_digest(session, dealer, bytes)?;
        let parts = Parts::decode(&session.layout, bytes)?;
        Ok(Self { dealer, session: *session.digest(), parts })
    }

    /// Who dealt, from 1.
    pub fn dealer(&self) -> usize {
        self.dealer
    }

    /// The bytes as they came, with the signature.
    pub fn as_bytes(&self) -> &[u8] {
        &self.parts.bytes
    }

    /// SHA-256 of the bytes without the signature.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.parts.bytes[..self.parts.layout.length]).into()
    }

    /// The commitment to the dealt secret, compressed.
    pub fn public_key(&self) -> [u8; 96] {
        self.parts.g2(Field::Secret)[0].to_compressed()
    }

    pub(super) fn session(&self) -> [u8; 32] {
        self.session
    }

    pub(super) fn is_of(&self, session: &Session) -> bool {
        self.session == *session.digest()
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Encodes all points again: what sending costs a dealer that holds points.
    pub fn encode(&self) -> Vec<u8> {
        let mut again = Parts::blank(&self.parts.layout);
        for field in self.parts.layout.parts.iter().map(|part| part.field) {
            match field.kind() {
                Kind::G1 => again.put_g1(field, self.parts.g1(field)),
                Kind::G2 => again.put_g2(field, self.parts.g2(field)),
                Kind::Scalar => again.put_scalars(field, self.parts.scalars(field)),
            }
        }
        again.bytes.extend(&self.parts.bytes[again.bytes.len()..]);
        again.bytes
    }
}
