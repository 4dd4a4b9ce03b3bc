//! Messages that are points.

use halo2curves::bn256::Fr;
use num_bigint::BigUint;

use super::{
    message_group::{MessageGroup, WORD_BYTES},
    raw::{first, public_words, second},
    scheme::BlsError,
};
use crate::field::{element, in_bytes};

/// A point that is signed as it is, in its group and not the identity. Its signature says something about a message
/// only to those who have hashed the message to the point themselves, with a hash whose points have logarithms that
/// nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PointMessage {
    group: MessageGroup,
    /// Reduced, in the order of [`Ciphersuite::point_numbers`](super::Ciphersuite::point_numbers).
    numbers: Vec<BigUint>,
}

impl PointMessage {
    /// Reads the coordinates of a point, big-endian, `x` before `y` and imaginary parts before real ones: as in EIP-197
    /// and, over BLS12-381, in the uncompressed encoding.
    ///
    /// # Errors
    ///
    /// [`BlsError::Length`], [`BlsError::NotOnCurve`], [`BlsError::NotInSubgroup`] or [`BlsError::Identity`].
    pub fn from_bytes(group: MessageGroup, bytes: &[u8]) -> Result<Self, BlsError> {
        BlsError::check_length(bytes, group.bytes())?;
        Self::new(group, group.decode(bytes))
    }

    /// The point with these coordinates.
    fn new(group: MessageGroup, numbers: Vec<BigUint>) -> Result<Self, BlsError> {
        if numbers.iter().all(|number| *number == BigUint::ZERO) {
            return Err(BlsError::Identity);
        }
        let curve = group.curve();
        match &numbers[..] {
            [x, y] => first(curve, &[x, y].map(Clone::clone))?,
            [x, x_im, y, y_im] => {
                second(curve, &[[x, x_im], [y, y_im]].map(|parts| parts.map(Clone::clone)))?;
            }
            _ => return Err(BlsError::NotOnCurve),
        }
        Ok(Self { group, numbers })
    }

    /// The generator of a group.
    pub(super) fn generator(group: MessageGroup) -> Self {
        let parameters = group.curve().parameters();
        if group.is_on_twist() {
            Self::known(group, parameters.twist_generator.as_flattened())
        } else {
            Self::known(group, &parameters.generator)
        }
    }

    /// A point that is known to be in the group.
    pub(super) fn known(group: MessageGroup, numbers: &[BigUint]) -> Self {
        Self { group, numbers: numbers.to_vec() }
    }

    /// The group that it is in.
    pub fn group(&self) -> MessageGroup {
        self.group
    }

    /// The coordinates, as [`Self::from_bytes`] reads them.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.group.encode(&self.numbers)
    }

    /// The words of the coordinates as integers, as [`public_words`] gives them: real parts come before imaginary ones.
    pub fn public_inputs(&self) -> Vec<Fr> {
        public_words(self.group.curve(), &self.numbers).iter().map(element).collect()
    }

    /// Reads [`Self::public_inputs`]; `None` if they are not those of a point of the group.
    pub fn from_public_inputs(group: MessageGroup, inputs: &[Fr]) -> Option<Self> {
        if inputs.len() != group.inputs() {
            return None;
        }
        let numbers = inputs.chunks(group.words()).map(number).collect::<Option<_>>()?;
        Self::new(group, numbers).ok()
    }
}

/// The number in words.
fn number(words: &[Fr]) -> Option<BigUint> {
    let bytes = words.iter().map(|word| in_bytes(word, WORD_BYTES)).collect::<Option<Vec<_>>>()?;
    Some(BigUint::from_bytes_be(&bytes.concat()))
}
