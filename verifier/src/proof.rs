//! What a verifier is given: inputs, and a proof of the format `fast`, which is cut into its parts and answered with
//! challenges. Sections 4 and 5 of the specification.

use ark_bn254::G1Affine;

use crate::{
    arrangement::{Arrangement, PIECES},
    encoding::{compressed_point, scalar_from_bytes, Reader, COMPRESSED, SCALAR},
    error::{ProofPoint, VerifyError},
    transcript::Transcript,
    Scalar,
};

/// Inputs that are as many as the key says, each of them below `r`.
pub(crate) struct Inputs<'a> {
    pub(crate) bytes: &'a [[u8; 32]],
    pub(crate) scalars: Vec<Scalar>,
}

impl<'a> Inputs<'a> {
    pub(crate) fn read(expected: usize, bytes: &'a [[u8; 32]]) -> Result<Self, VerifyError> {
        if bytes.len() != expected {
            return Err(VerifyError::InputCount { found: bytes.len(), expected });
        }
        Ok(Self { bytes, scalars: scalars(bytes, VerifyError::Input)? })
    }
}

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
        Ok(Self {
            commitments: commitments.collect::<Result<_, _>>()?,
            values: scalars(rounds.values.as_chunks().0, VerifyError::Value)?,
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

/// Scalars, each of them below `r`, or which one is not.
fn scalars(
    bytes: &[[u8; SCALAR]],
    refusal: fn(usize) -> VerifyError,
) -> Result<Vec<Scalar>, VerifyError> {
    let numbered = bytes.iter().enumerate();
    numbered.map(|(number, bytes)| scalar_from_bytes(bytes).ok_or(refusal(number))).collect()
}

/// One of the two points of the openings.
fn opening(bytes: &[u8; COMPRESSED], name: ProofPoint) -> Result<G1Affine, VerifyError> {
    compressed_point(bytes).map_err(|error| VerifyError::Point { point: name, error })
}

/// All challenges of a proof, and its name.
pub(crate) struct Challenges {
    /// Joins the nodes of a tuple.
    pub(crate) theta: Scalar,
    /// `β_L`: where the fractions of the lookups are taken.
    pub(crate) beta_lookup: Scalar,
    /// Joins a cell's value with its name.
    pub(crate) beta: Scalar,
    /// Where the factors of the copies are taken.
    pub(crate) gamma: Scalar,
    /// Joins the constraints.
    pub(crate) y: Scalar,
    /// Where the polynomials are opened.
    pub(crate) x: Scalar,
    /// Joins the openings.
    pub(crate) alpha: Scalar,
    /// Where the joined openings are checked.
    pub(crate) u: Scalar,
    /// The state in the end, by which batches are weighed.
    pub(crate) name: [u8; 32],
}

impl Challenges {
    /// The challenges of a proof under the key of this digest, for these inputs, in the order of section 5.
    pub(crate) fn new(digest: &[u8; 32], inputs: &[[u8; 32]], rounds: &Rounds) -> Self {
        let mut transcript = Transcript::new();
        transcript.absorb(digest);
        transcript.absorb(inputs.as_flattened());
        transcript.absorb(rounds.first);
        let theta = transcript.squeeze();
        let beta_lookup = transcript.squeeze();
        let beta = transcript.squeeze();
        let gamma = transcript.squeeze();
        transcript.absorb(rounds.second);
        let y = transcript.squeeze();
        transcript.absorb(rounds.pieces);
        let x = transcript.squeeze();
        transcript.absorb(rounds.values);
        let alpha = transcript.squeeze();
        transcript.absorb(rounds.w);
        let u = transcript.squeeze();
        transcript.absorb(rounds.w_prime);
        let name = transcript.state();
        Self { theta, beta_lookup, beta, gamma, y, x, alpha, u, name }
    }
}
