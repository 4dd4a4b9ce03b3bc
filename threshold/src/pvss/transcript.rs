//! A dealing's bytes and what they decode to.

use ff::Field as _;
use group::prime::PrimeCurveAffine;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    field::{Field, Kind},
    keys::SIGNATURE_BYTES,
    layout::Layout,
    rounds::Source,
    session::Session,
    Error, PlayerKeys,
};
use crate::pairing_curve::{
    all_in_g1, decode_g2, decode_on_curve, scalar, scalar_bytes, Fr, G1Affine, G2Affine, PointFault,
};

const SIGNING_TAG: &[u8] = b"muster-pvss-dealing-v1";

/// A dealing that parses: its length is the session's, its points are in their groups and its scalars
/// below the order. Nothing else was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    dealer: usize,
    session: [u8; 32],
    bytes: Vec<u8>,
    parts: Parts,
}

/// The elements of a transcript, by their kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    layout: Layout,
    g1: Vec<G1Affine>,
    g2: Vec<G2Affine>,
    scalars: Vec<Fr>,
}

impl Parts {
    pub(super) fn g1(&self, field: Field) -> &[G1Affine] {
        &self.g1[self.layout.part(field).elements.clone()]
    }

    pub(super) fn g2(&self, field: Field) -> &[G2Affine] {
        &self.g2[self.layout.part(field).elements.clone()]
    }

    pub(super) fn scalars(&self, field: Field) -> &[Fr] {
        &self.scalars[self.layout.part(field).elements.clone()]
    }

    /// Where a part's elements are among all of their kind.
    pub(super) fn place(&self, field: Field) -> std::ops::Range<usize> {
        self.layout.part(field).elements.clone()
    }

    pub(super) fn all_g1(&self) -> &[G1Affine] {
        &self.g1
    }

    pub(super) fn all_g2(&self) -> &[G2Affine] {
        &self.g2
    }

    /// Decodes bytes of the right length.
    fn decode(layout: &Layout, bytes: &[u8]) -> Result<Self, Error> {
        let (mut g1, mut g2, mut scalars) = (vec![], vec![], vec![]);
        for part in layout.parts() {
            let (field, bytes) = (part.field, &bytes[part.bytes.clone()]);
            let elements = || bytes.par_chunks_exact(field.kind().bytes()).enumerate();
            match field.kind() {
                Kind::G1 => {
                    g1.extend(
                        elements()
                            .map(|(i, b)| point(field, i, b, decode_on_curve))
                            .collect::<Result<Vec<_>, _>>()?,
                    )
                }
                Kind::G2 => g2.extend(
                    elements()
                        .map(|(i, b)| commitment(field, i, b))
                        .collect::<Result<Vec<_>, _>>()?,
                ),
                Kind::Scalar => scalars.extend(
                    elements()
                        .map(|(i, b)| decode_scalar(field, i, b))
                        .collect::<Result<Vec<_>, _>>()?,
                ),
            }
        }
        let parts = Self { layout: layout.clone(), g1, g2, scalars };
        if all_in_g1(&parts.g1, &Sha256::digest(bytes).into()) {
            Ok(parts)
        } else {
            Err(parts.outside())
        }
    }
}

impl Parts {
    /// The first point that is not in the subgroup.
    fn outside(&self) -> Error {
        let place = self.g1.iter().position(|point| !bool::from(point.is_torsion_free()));
        let place = place.unwrap_or_default();
        let part = self
            .layout
            .parts()
            .iter()
            .find(|part| part.field.kind() == Kind::G1 && part.elements.contains(&place));
        let (field, start) =
            part.map_or((Field::Ciphertexts, 0), |part| (part.field, part.elements.start));
        Error::Point { field, index: place - start + 1, fault: PointFault::NotInSubgroup }
    }
}

fn point<P, const N: usize>(
    field: Field,
    place: usize,
    bytes: &[u8],
    decode: impl Fn(&[u8; N]) -> Result<P, PointFault>,
) -> Result<P, Error> {
    let bytes = bytes.try_into().map_err(|_| PointFault::NotOnCurve);
    bytes.and_then(decode).map_err(|fault| Error::Point { field, index: place + 1, fault })
}

/// Commitments to the secret and to shares are keys: none of them is the identity.
fn commitment(field: Field, place: usize, bytes: &[u8]) -> Result<G2Affine, Error> {
    let found = point(field, place, bytes, decode_g2)?;
    let key = matches!(field, Field::Secret | Field::Shares);
    if key && bool::from(found.is_identity()) {
        Err(Error::Point { field, index: place + 1, fault: PointFault::Identity })
    } else {
        Ok(found)
    }
}

fn decode_scalar(field: Field, place: usize, bytes: &[u8]) -> Result<Fr, Error> {
    let found = bytes.try_into().ok().and_then(scalar);
    found.ok_or(Error::Scalar { field, index: place + 1 })
}

/// What a dealer signs: who it is, for which session and epoch, and the whole transcript.
pub(super) fn signed_message(
    session: &Session,
    dealer: usize,
    keys: &PlayerKeys,
    body: &[u8],
) -> Vec<u8> {
    let mut message = SIGNING_TAG.to_vec();
    message.extend(session.digest());
    message.extend((dealer as u64).to_le_bytes());
    message.extend(keys.bytes[1]);
    message.extend(session.epoch().to_le_bytes());
    message.extend(Sha256::digest(body));
    message
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
    let expected = session.layout().length() + SIGNATURE_BYTES;
    if bytes.len() != expected {
        return Err(Error::Length { expected, found: bytes.len() });
    }
    let (body, signature) = bytes.split_at(session.layout().length());
    if keys.verify(&signed_message(session, dealer, keys, body), signature) {
        Ok(Sha256::digest(body).into())
    } else {
        Err(Error::Signature { dealer })
    }
}

/// What the dealer of a transcript would sign.
#[cfg(test)]
pub(crate) fn signed_for_tests(session: &Session, dealer: usize, body: &[u8]) -> Vec<u8> {
    signed_message(session, dealer, session.player(dealer).expect("a player"), body)
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
        let parts = Parts::decode(session.layout(), &bytes[..session.layout().length()])?;
        Ok(Self { dealer, session: *session.digest(), bytes: bytes.to_vec(), parts })
    }

    /// Who dealt, from 1.
    pub fn dealer(&self) -> usize {
        self.dealer
    }

    /// The bytes as they came, with the signature.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// SHA-256 of the bytes without the signature.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.body()).into()
    }

    /// The commitment to the dealt secret, compressed.
    pub fn public_key(&self) -> [u8; 96] {
        self.parts.g2(Field::Secret)[0].to_compressed()
    }

    fn body(&self) -> &[u8] {
        &self.bytes[..self.bytes.len() - SIGNATURE_BYTES]
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
        let mut writer = Writer::new(&self.parts.layout);
        for part in self.parts.layout.parts() {
            match part.field.kind() {
                Kind::G1 => writer.put_g1(part.field, self.parts.g1(part.field)),
                Kind::G2 => writer.put_g2(part.field, self.parts.g2(part.field)),
                Kind::Scalar => writer.put_scalars(part.field, self.parts.scalars(part.field)),
            }
        }
        let mut bytes = writer.bytes;
        bytes.extend(&self.bytes[self.body().len()..]);
        bytes
    }
}

impl Source for Dealt {
    fn bytes_of(&self, field: Field) -> &[u8] {
        &self.bytes[self.parts.layout.part(field).bytes.clone()]
    }
}

/// A transcript that is being written.
pub(super) struct Writer {
    bytes: Vec<u8>,
    parts: Parts,
}

impl Writer {
    pub(super) fn new(layout: &Layout) -> Self {
        let counts = layout.elements();
        let parts = Parts {
            layout: layout.clone(),
            g1: vec![G1Affine::default(); counts[0]],
            g2: vec![G2Affine::default(); counts[1]],
            scalars: vec![Fr::ZERO; counts[2]],
        };
        Self { bytes: vec![0; layout.length()], parts }
    }

    fn put<T, const N: usize>(&mut self, field: Field, elements: &[T], encode: fn(&T) -> [u8; N]) {
        let part = self.parts.layout.part(field);
        assert_eq!(part.elements.len(), elements.len(), "{field}");
        let bytes = &mut self.bytes[part.bytes.clone()];
        for (bytes, element) in bytes.chunks_exact_mut(N).zip(elements) {
            bytes.copy_from_slice(&encode(element));
        }
    }

    pub(super) fn put_g1(&mut self, field: Field, points: &[G1Affine]) {
        #[cfg(test)]
        let points = &super::tests::tamper::g1(field, points);
        self.put(field, points, G1Affine::to_compressed);
        let place = self.parts.layout.part(field).elements.clone();
        self.parts.g1[place].copy_from_slice(points);
    }

    pub(super) fn put_g2(&mut self, field: Field, points: &[G2Affine]) {
        #[cfg(test)]
        let points = &super::tests::tamper::g2(field, points);
        self.put(field, points, G2Affine::to_compressed);
        let place = self.parts.layout.part(field).elements.clone();
        self.parts.g2[place].copy_from_slice(points);
    }

    pub(super) fn put_scalars(&mut self, field: Field, scalars: &[Fr]) {
        #[cfg(test)]
        let scalars = &super::tests::tamper::scalars(field, scalars);
        self.put(field, scalars, scalar_bytes);
        let place = self.parts.layout.part(field).elements.clone();
        self.parts.scalars[place].copy_from_slice(scalars);
    }

    /// The dealing with its dealer's signature. Its points are in their groups: the dealer made them.
    pub(super) fn sign(
        mut self,
        session: &Session,
        dealer: usize,
        keys: &super::SecretKeys,
    ) -> Result<Dealt, Error> {
        let message = signed_message(session, dealer, session.player(dealer)?, &self.bytes);
        self.bytes.extend(keys.sign(&message));
        let (session, bytes, parts) = (*session.digest(), self.bytes, self.parts);
        Ok(Dealt { dealer, session, bytes, parts })
    }
}

impl Source for Writer {
    fn bytes_of(&self, field: Field) -> &[u8] {
        &self.bytes[self.parts.layout.part(field).bytes.clone()]
    }
}
