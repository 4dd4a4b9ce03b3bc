//! The integers modulo the order of the subgroup, as frost-core needs them.

use ff::Field as _;
use frost_core::{Field, FieldError};
use muster_gadgets::curve::edwards::Scalar;
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

/// The integers modulo l, in 32 little-endian bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarField;

impl Field for ScalarField {
    type Scalar = Scalar;
    type Serialization = [u8; 32];

    fn zero() -> Scalar {
        Scalar::ZERO
    }

    fn one() -> Scalar {
        Scalar::ONE
    }

    fn invert(scalar: &Scalar) -> Result<Scalar, FieldError> {
        scalar.invert().into_option().ok_or(FieldError::InvalidZeroScalar)
    }

    /// From 512 random bits, so that the bias is below 2^-250.
    fn random<R: RngCore + CryptoRng>(rng: &mut R) -> Scalar {
        let mut wide = Zeroizing::new([0; 64]);
        rng.fill_bytes(wide.as_mut());
        Scalar::from_wide(&wide)
    }

    fn serialize(scalar: &Scalar) -> [u8; 32] {
        scalar.to_bytes()
    }

    fn little_endian_serialize(scalar: &Scalar) -> [u8; 32] {
        scalar.to_bytes()
    }

    fn deserialize(bytes: &[u8; 32]) -> Result<Scalar, FieldError> {
        Scalar::from_bytes(bytes).ok_or(FieldError::MalformedScalar)
    }
}
