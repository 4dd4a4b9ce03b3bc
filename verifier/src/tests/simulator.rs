//! Proofs of anything, from whoever knows `τ`. They hold the verifier to sections 4, 5 and 7 by
//! formulas that share nothing with it but the quotient's value.

use ark_ff::{AdditiveGroup, Field};

use super::sample::{commit, logarithms, numbers, TAU};
use crate::{
    domain::Domain, key::Kind, proof::Challenges, scalar_to_bytes, Key, Polynomial, Scalar,
    Transcript,
};

/// A proof that is accepted for these inputs if `error` is 0. If not, the left point is the right
/// one and `[error]₁`.
pub(crate) fn simulate(
    key: &Key,
    tau: Scalar,
    inputs: &[Scalar],
    seed: &str,
    error: Scalar,
) -> Vec<u8> {
    let mut random = numbers(seed);
    let polynomials = key.protocol().arrangement().polynomials();
    let domain = Domain::new(key.protocol().k());
    let mut transcript = Transcript::new();
    transcript.absorb(&key.digest());
    transcript.absorb(&inputs.iter().map(scalar_to_bytes).collect::<Vec<_>>().concat());

    let mut proof = Vec::new();
    let mut logs = Vec::new();
    let mut round = |transcript: &mut Transcript, count: usize| {
        let scalars: Vec<Scalar> = (0..count).map(|_| random()).collect();
        let bytes: Vec<u8> = scalars.iter().flat_map(|&scalar| commit(scalar)).collect();
        transcript.absorb(&bytes);
        proof.extend(bytes);
        scalars
    };
    let count = |is: fn(&Polynomial) -> bool| {
        polynomials.iter().filter(|opened| is(&opened.polynomial)).count()
    };
    use Polynomial::*;
    let first = count(|it| matches!(it, Advice(_) | Multiplicity(_)));
    let second = count(|it| matches!(it, Helper(_) | Sum | Product | Difference(_)));
    logs.extend(round(&mut transcript, first));
    let [theta, beta_lookup, beta, gamma] = [(); 4].map(|()| transcript.squeeze());
    logs.extend(round(&mut transcript, second));
    let y = transcript.squeeze();
    let pieces = round(&mut transcript, 4);
    let x = transcript.squeeze();
    let values: usize = polynomials.iter().map(|opened| opened.rotations.len()).sum::<usize>() - 1;
    let values: Vec<Scalar> = (0..values).map(|_| random()).collect();
    let bytes: Vec<u8> = values.iter().flat_map(scalar_to_bytes).collect();
    transcript.absorb(&bytes);
    proof.extend(bytes);
    let alpha = transcript.squeeze();
    let w = random();
    transcript.absorb(&commit(w));
    proof.extend(commit(w));
    let u = transcript.squeeze();

    logs.extend(logarithms(key));
    let powers = (0..).map(|piece| x.pow([piece << key.protocol().k()]));
    logs.push(pieces.iter().zip(powers).map(|(piece, power)| *piece * power).sum());
    let name = [0; 32];
    let Kind::Fast(fast) = &key.kind else { panic!("the key is not fast") };
    let challenges = Challenges { theta, beta_lookup, beta, gamma, y, x, alpha, u, name };
    let quotient = fast.equation.quotient(key.protocol(), inputs, &values, &challenges);
    let mut values = values.into_iter().chain(quotient);
    let mut left = -w;
    for ((opened, log), power) in polynomials.iter().zip(logs).zip(0..) {
        let points: Vec<_> = opened.rotations.iter().map(|&it| x * domain.power(it)).collect();
        let values: Vec<_> = values.by_ref().take(points.len()).collect();
        let vanishing: Scalar = points.iter().map(|point| u - point).product();
        left += alpha.pow([power]) / vanishing * (log - interpolate(&points, &values, u));
    }
    // left + u·w′ = τ·w′ + error.
    proof.extend(commit((left - error) / (tau - u)));
    proof
}

/// The value at `u` of the polynomial of least degree with these values.
fn interpolate(points: &[Scalar], values: &[Scalar], u: Scalar) -> Scalar {
    let mut sum = Scalar::ZERO;
    for (point, value) in points.iter().zip(values) {
        let others = points.iter().filter(|&other| other != point);
        sum += others.map(|other| (u - other) / (*point - other)).product::<Scalar>() * value;
    }
    sum
}

/// A proof that is accepted.
pub(crate) fn accepted(key: &Key, inputs: &[Scalar], seed: &str) -> Vec<u8> {
    simulate(key, Scalar::from(TAU), inputs, seed, Scalar::ZERO)
}
