//! All that a proof is made of, and its challenges: a second list of what is absorbed when.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::Backend;
use muster_verifier::{Opened, Polynomial, Transcript};

use super::sample::{tau, Keys, Sample};
use crate::{
    logup::{
        blinded::{number, to_bytes, value_of, Blinded},
        openings::{Openings, Part},
        run::Round,
        trace::polynomials,
    },
    polynomial::{powers, Numbers},
    profile::Stopwatch,
};

/// What a transcript absorbs, in order: digest, inputs, the three rounds of commitments, values, W, W′.
pub(super) type Items = [Vec<u8>; 8];

/// How many items have been absorbed when each challenge is squeezed.
pub(super) const AFTER: [usize; 8] = [3, 3, 3, 3, 4, 5, 6, 7];

/// The challenges of a proof.
#[derive(Clone, Copy, Debug)]
pub(super) struct Challenges {
    /// θ, β_L, β, γ, y: those of the constraints.
    pub(super) rows: [Fr; 5],
    pub(super) x: Fr,
    pub(super) alpha: Fr,
    pub(super) u: Fr,
}

/// Cuts a proof.
pub(super) fn items(keys: &Keys, inputs: &[Fr], proof: &[u8]) -> Items {
    let polynomials = keys.key.protocol().arrangement().polynomials();
    let count = |is: &dyn Fn(&Polynomial) -> bool| {
        polynomials.iter().filter(|opened| is(&opened.polynomial)).count()
    };
    use Polynomial::*;
    let first = count(&|it| matches!(it, Advice(_) | Multiplicity(_)));
    let second = count(&|it| matches!(it, Helper(_) | Sum | Product | Difference(_)));
    let values: usize = polynomials.iter().map(|opened| opened.rotations.len()).sum::<usize>() - 1;
    let mut rest = proof;
    let cut = |words: usize| {
        let (item, after) = rest.split_at(32 * words);
        rest = after;
        item.to_vec()
    };
    let [first, second, pieces, values, w, other] = [first, second, 4, values, 1, 1].map(cut);
    assert!(rest.is_empty(), "a proof has no more");
    let inputs = inputs.iter().flat_map(to_bytes).collect();
    [keys.key.digest().to_vec(), inputs, first, second, pieces, values, w, other]
}

/// The eight challenges.
pub(super) fn squeezed(items: &Items) -> [Fr; 8] {
    let mut transcript = Transcript::new();
    let mut absorbed = 0;
    AFTER.map(|after| {
        items[absorbed..after].iter().for_each(|item| transcript.absorb(item));
        absorbed = after;
        number(&transcript.squeeze())
    })
}

pub(super) fn challenges(items: &Items) -> Challenges {
    let [theta, lookup, beta, gamma, y, x, alpha, u] = squeezed(items);
    Challenges { rows: [theta, lookup, beta, gamma, y], x, alpha, u }
}

/// A proof, and what only its prover knows.
#[derive(Clone, Debug)]
pub(super) struct Insight {
    pub(super) proof: Vec<u8>,
    /// As values: advice, the inputs, multiplicities, then helpers, the sum, the product, differences.
    pub(super) columns: Vec<Blinded>,
    /// The pieces as they are committed to.
    pub(super) pieces: Vec<Numbers>,
    pub(super) challenges: Challenges,
}

impl Insight {
    /// What goes on while a proof is made, whatever `edit` does.
    pub(super) fn of(
        keys: &Keys,
        sample: &Sample,
        seed: u64,
        mut edit: impl FnMut(Round, &mut Vec<Blinded>),
    ) -> Self {
        let (mut columns, mut pieces) = (vec![], vec![]);
        let mut inputs = sample.inputs.clone();
        inputs.resize(sample.protocol.rows(), Fr::ZERO);
        let proof = keys.forge(sample, seed, |round, made| {
            edit(round, made);
            if round == Round::Pieces {
                pieces = made.iter().map(|piece| piece.numbers.clone()).collect();
            } else {
                columns.extend(made.iter().cloned());
            }
            if round == Round::Advice {
                columns.push(Blinded::plain(inputs.clone()));
            }
        });
        let challenges = challenges(&items(keys, &sample.inputs, &proof));
        Self { proof, columns, pieces, challenges }
    }

    /// The columns by coefficients.
    pub(super) fn coefficients(&self, keys: &Keys) -> Vec<Blinded> {
        let mut columns = self.columns.clone();
        let domain = &keys.prover.system.domain;
        columns.iter_mut().for_each(|column| domain.to_coefficients(&mut column.numbers));
        columns
    }

    /// All columns, those of the key first, as the prover numbers them.
    pub(super) fn polynomials<'a>(keys: &'a Keys, columns: &'a [Blinded]) -> Vec<&'a Blinded> {
        polynomials(&keys.prover.system, &keys.columns, columns)
    }

    /// The proof from its values on, where `change` may change what is opened.
    pub(super) fn reopened(
        &self,
        keys: &Keys,
        inputs: &[Fr],
        change: impl FnOnce(&mut Vec<Part<'_>>),
    ) -> Vec<u8> {
        let columns = self.coefficients(keys);
        let polynomials = Self::polynomials(keys, &columns);
        let mut parts: Vec<Part<'_>> = opened(keys)
            .map(|Opened { polynomial, rotations }| {
                let of = polynomials[keys.prover.system.columns.place(*polynomial)];
                let values = rotations.iter();
                let values = values.map(|rotation| {
                    value(keys, of, keys.prover.system.point(self.challenges.x, *rotation))
                });
                Part { of: vec![of], rotations, values: vec![values.collect()] }
            })
            .collect();
        change(&mut parts);
        let mut items = items(keys, inputs, &self.proof);
        items[5] = parts.iter().flat_map(|part| &part.values[0]).flat_map(to_bytes).collect();
        let Challenges { x, alpha, .. } = challenges(&items);
        let xn = x.pow([keys.key.protocol().rows() as u64]);
        let weights: Numbers = powers(xn).take(4).collect();
        let quotient = Openings::quotient(&keys.prover.system, &weights, &self.pieces);
        let openings = Openings::new(&keys.prover.system, &parts, quotient, (x, alpha));
        let first = openings.first();
        items[6] = point(&first);
        let second = openings.second(&first, challenges(&items).u).unwrap().second;
        items[7] = point(&second);
        items[2..].concat()
    }
}

/// All polynomials but the quotient.
pub(super) fn opened(keys: &Keys) -> impl Iterator<Item = &Opened> {
    let polynomials = keys.key.protocol().arrangement().polynomials();
    polynomials.iter().filter(|opened| opened.polynomial != Polynomial::Quotient)
}

/// The value of a polynomial.
pub(super) fn value(keys: &Keys, of: &Blinded, point: Fr) -> Fr {
    let vanishing = point.pow([keys.key.protocol().rows() as u64]) - Fr::ONE;
    value_of(&of.numbers, point) + vanishing * value_of(&of.blinders, point)
}

/// A commitment to coefficients, as a proof has it.
fn point(coefficients: &[Fr]) -> Vec<u8> {
    crate::logup::blinded::compressed(&super::sample::commit(value_of(coefficients, tau())))
        .to_vec()
}

/// The quotient's pieces, which hide nothing yet.
pub(super) fn quotient(keys: &Keys, columns: &[Blinded], challenges: &[Fr; 5]) -> Vec<Numbers> {
    let polynomials = Insight::polynomials(keys, columns);
    let program = &keys.prover.system.programs.constraints;
    let (backend, mut watch) = (Backend::portable(), Stopwatch::start());
    keys.prover.system.cosets.quotient(backend, program, &polynomials, challenges, &mut watch)
}
