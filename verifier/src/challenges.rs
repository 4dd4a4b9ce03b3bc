//! The challenges of a proof, in the order of section 5 of the specification.

use crate::{proof::Rounds, transcript::Transcript, Scalar};

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
    /// The challenges of a proof under the key of this digest, for these inputs.
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
