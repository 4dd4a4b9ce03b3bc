//! Messages that are points.

use ff::PrimeField;
use halo2curves::{
    bn256::{Fr, G2Affine},
    group::{prime::PrimeCurveAffine, Curve, Group},
};
use num_bigint::BigUint;
use rand_core::RngCore;

use super::{
    bn254::{decode_second, encode_second, on_twist, twist_point},
    error::BlsError,
    raw::{public_words, WORD},
};
use crate::curve::pairing::{PairingCurve, TwistPoint};

/// Bytes of a point.
const BYTES: usize = 128;
/// Public inputs that it takes.
pub(crate) const POINT_INPUTS: usize = BYTES / WORD_BYTES;
/// Bytes of each.
const WORD_BYTES: usize = WORD / 8;
/// Words of a part of a coordinate.
const PART: usize = 2;

/// A point of G2 of BN254, in the subgroup and not the identity, that is signed as it is: no standard hashes to that group. A
/// signature says something of a message only to those who have hashed the message to the point themselves, with a hash of
/// which nobody knows logarithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointMessage([u8; BYTES]);

impl PointMessage {
    /// Reads the coordinates in the order of EIP-197.
    ///
    /// # Errors
    ///
    /// [`BlsError::Length`], [`BlsError::NotOnCurve`], [`BlsError::NotInSubgroup`] or [`BlsError::Identity`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlsError> {
        decode_second(bytes).map(|point| Self::of(&point))
    }

    /// The coordinates in the order of EIP-197.
    pub fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// The coordinates.
    pub fn coordinates(&self) -> TwistPoint {
        twist_point(&self.point())
    }

    /// The words of the coordinates as integers, in the order of
    /// [`public_words`](super::public_words): real parts come before imaginary ones.
    pub fn public_inputs(&self) -> Vec<Fr> {
        let element = |word: &BigUint| {
            let word = u128::try_from(word).expect("a word has 128 bits");
            Fr::from_u128(word)
        };
        public_words(PairingCurve::Bn254, &self.coordinates()).iter().map(element).collect()
    }

    /// Reads [`Self::public_inputs`]; `None` if they are not those of such a point.
    pub fn from_public_inputs(inputs: &[Fr; POINT_INPUTS]) -> Option<Self> {
        let parts: Vec<_> = inputs.chunks(PART).map(part).collect::<Option<_>>()?;
        let [x_re, x_im, y_re, y_im] = &parts[..] else { return None };
        Self::from_bytes(&[&x_im[..], x_re, y_im, y_re].concat()).ok()
    }

    /// A multiple of the generator that is drawn: for samples, since whoever drew it knows its logarithm.
    pub(crate) fn random(rng: &mut impl RngCore) -> Self {
        Self::of(&<G2Affine as PrimeCurveAffine>::Curve::random(rng).to_affine())
    }

    pub(super) fn point(&self) -> G2Affine {
        on_twist(&self.0).expect("it was read from these bytes")
    }

    fn of(point: &G2Affine) -> Self {
        Self(encode_second(point).try_into().expect("four coordinates"))
    }
}

/// The generator.
impl Default for PointMessage {
    fn default() -> Self {
        Self::of(&G2Affine::generator())
    }
}

/// The bytes of a number in words.
fn part(words: &[Fr]) -> Option<Vec<u8>> {
    let mut bytes = vec![];
    for word in words {
        let mut repr = word.to_repr();
        repr.reverse();
        let (zeros, word) = repr.split_at(repr.len() - WORD_BYTES);
        if zeros.iter().any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend(word);
    }
    Some(bytes)
}
