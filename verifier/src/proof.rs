//! A proof cut into its parts. Section 4 of the specification.

use ark_bn254::G1Affine;

use crate::{
    arrangement::{Arrangement, PIECES},
    encoding::{compressed_point, scalar_from_bytes, Reader, COMPRESSED, SCALAR},
    error::{ProofPoint, VerifyError},
    Scalar,
};

/// The bytes that each round absorbs.
pub(crate) struct Rounds<'a> {
    /// Commitments to advice and multiplicities.
    pub(crate) first: &'a [u8],
    /// Commitments to helpers, sum, product and differences.
    pub(crate) second: &'a [u8],
    /// Commitments to the pieces of the quotient.
    pub(crate) pieces: &'a [u8],
    /// The values.
    pub(crate) values: &'a [u8],
    /// `W`.
    pub(crate) w: &'a [u8; COMPRESSED],
    /// `W′`.
    pub(crate) w_prime: &'a [u8; COMPRESSED],
}

/// The parts of a proof: every point is one, and every scalar is below `r`.
pub(crate) struct Proof<'a> {
    pub(crate) rounds: Rounds<'a>,
    /// The commitments to polynomials, then those to the pieces of the quotient.
    pub(crate) commitments: Vec<G1Affine>,
    pub(crate) values: Vec<Scalar>,
    pub(crate) w: G1Affine,
    pub(crate) w_prime: G1Affine,
}

impl<'a> Proof<'a> {
    /// Reads a proof that is as long as the arrangement says.
    pub(crate) fn read(arrangement: &Arrangement, bytes: &'a [u8]) -> Result<Self, VerifyError> {
        let expected = arrangement.proof_bytes();
        let found = bytes.len();
        let length = VerifyError::Length { found, expected };
        if found != expected {
            return Err(length);
        }
        let rounds = cut(arrangement, bytes).ok_or(length)?;
        let committed = arrangement.committed();
        let encoded = [rounds.first, rounds.second, rounds.pieces].into_iter();
        let encoded = encoded.flat_map(|round| round.as_chunks().0).enumerate();
        let commitments = encoded.map(|(number, bytes)| {
            let name = || match arrangement.polynomials().get(number) {
                Some(opened) if number < committed => ProofPoint::Commitment(opened.polynomial),
                _ => ProofPoint::Piece(number - committed),
            };
            compressed_point(bytes).map_err(|error| VerifyError::Point { point: name(), error })
        });
        let values: &[[u8; SCALAR]] = rounds.values.as_chunks().0;
        let values = values
            .iter()
            .enumerate()
            .map(|(number, bytes)| scalar_from_bytes(bytes).ok_or(VerifyError::Value(number)));
        Ok(Self {
            commitments: commitments.collect::<Result<_, _>>()?,
            values: values.collect::<Result<_, _>>()?,
            w: opening(rounds.w, ProofPoint::W)?,
            w_prime: opening(rounds.w_prime, ProofPoint::WPrime)?,
            rounds,
        })
    }
}

/// The rounds of a proof, if there are as many bytes.
fn cut<'a>(arrangement: &Arrangement, bytes: &'a [u8]) -> Option<Rounds<'a>> {
    let mut reader = Reader::new(bytes);
    Some(Rounds {
        first: reader.slice(arrangement.first().checked_mul(COMPRESSED)?)?,
        second: reader.slice(arrangement.second().checked_mul(COMPRESSED)?)?,
        pieces: reader.slice(PIECES * COMPRESSED)?,
        values: reader.slice(arrangement.values().checked_mul(SCALAR)?)?,
        w: reader.array()?,
        w_prime: reader.array()?,
    })
}

/// One of the two points of the openings.
fn opening(bytes: &[u8; COMPRESSED], name: ProofPoint) -> Result<G1Affine, VerifyError> {
    compressed_point(bytes).map_err(|error| VerifyError::Point { point: name, error })
}
