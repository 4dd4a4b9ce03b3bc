//! The challenges of a proof of the format `compact`. Section 12 of the specification.

use super::proof::ITEMS;
use crate::{transcript::Transcript, Scalar};

/// All challenges of a proof, and its name.
pub(crate) struct Challenges {
    /// `θ, β_L, β, γ, y, x, α, u`: those that are public inputs of the decider, in its order.
    pub(crate) public: [Scalar; 8],
    /// Where the packs are opened.
    pub(crate) x: Scalar,
    /// Joins the openings.
    pub(crate) alpha: Scalar,
    /// Where the joined openings are checked.
    pub(crate) u: Scalar,
    /// The challenges of the decider's own proof.
    pub(crate) decider: DeciderChallenges,
    /// Joins both proofs.
    pub(crate) rho: Scalar,
    /// The state in the end, by which batches are weighed.
    pub(crate) name: [u8; 32],
}

/// The challenges of the decider's proof, which are numbered 2 in the specification.
#[derive(Clone, Copy)]
pub(crate) struct DeciderChallenges {
    pub(crate) beta: Scalar,
    pub(crate) gamma: Scalar,
    pub(crate) y: Scalar,
    pub(crate) x: Scalar,
    pub(crate) alpha: Scalar,
    pub(crate) u: Scalar,
}

impl Challenges {
    /// The challenges of a proof under the key of this name, for these inputs.
    pub(crate) fn new(name: &[u8; 32], inputs: &[[u8; 32]], items: &[Vec<u8>; ITEMS]) -> Self {
        let mut transcript = Transcript::compact();
        transcript.absorb(name);
        transcript.absorb(inputs.as_flattened());
        let [first, second, quotient, values, w, wires, later @ ..] = items;
        transcript.absorb(first);
        let theta = transcript.squeeze();
        let beta_lookup = transcript.squeeze();
        let beta = transcript.squeeze();
        let gamma = transcript.squeeze();
        let [y, x, alpha, u, beta_2] =
            [second, quotient, values, w, wires].map(|item| answer(&mut transcript, item));
        let gamma_2 = transcript.squeeze();
        let [y_2, x_2, alpha_2, u_2, rho] =
            later.each_ref().map(|item| answer(&mut transcript, item));
        Self {
            public: [theta, beta_lookup, beta, gamma, y, x, alpha, u],
            x,
            alpha,
            u,
            decider: DeciderChallenges {
                beta: beta_2,
                gamma: gamma_2,
                y: y_2,
                x: x_2,
                alpha: alpha_2,
                u: u_2,
            },
            rho,
            name: transcript.state(),
        }
    }
}

/// The first challenge after an item.
fn answer(transcript: &mut Transcript, item: &[u8]) -> Scalar {
    transcript.absorb(item);
    transcript.squeeze()
}
