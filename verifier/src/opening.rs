//! All openings as one: the weights of the commitments, and what remains. Section 7 of the
//! specification.

use std::collections::{BTreeMap, BTreeSet};

use ark_ff::{batch_inversion, AdditiveGroup, Field, Zero};

use crate::{domain::Domain, proof::Challenges, protocol::Protocol, Scalar};

/// Rotations at which polynomials are opened together.
#[derive(Clone)]
struct Set {
    /// The rotations, by their place among all.
    rotations: Vec<usize>,
    /// For each, one by the product of its `ω^ρ` less the other ones.
    weights: Vec<Scalar>,
}

/// What is opened where: made once for a key.
#[derive(Clone)]
pub(crate) struct Openings {
    /// `ω^ρ` of all rotations.
    powers: Vec<Scalar>,
    sets: Vec<Set>,
    /// The set of each polynomial.
    polynomials: Vec<usize>,
}

/// The sums of section 7, but for the points.
pub(crate) struct Opening {
    /// `w_P` of each polynomial.
    pub(crate) weights: Vec<Scalar>,
    /// `Σ_P w_P·r_P`.
    pub(crate) remainder: Scalar,
}

impl Openings {
    /// The openings of a protocol.
    pub(crate) fn new(protocol: &Protocol) -> Self {
        let domain = Domain::new(protocol.k());
        let opened = protocol.arrangement().polynomials();
        let rotations: BTreeSet<i32> =
            opened.iter().flat_map(|opened| opened.rotations.iter().copied()).collect();
        let powers: Vec<_> = rotations.iter().map(|&rotation| domain.power(rotation)).collect();
        let places: BTreeMap<i32, usize> = rotations.into_iter().zip(0..).collect();
        let mut sets = Vec::new();
        let mut known: BTreeMap<&[i32], usize> = BTreeMap::new();
        let polynomials = opened.iter().map(|opened| {
            *known.entry(&opened.rotations).or_insert_with(|| {
                let places = opened.rotations.iter().filter_map(|rotation| places.get(rotation));
                sets.push(Set::new(places.copied().collect(), &powers));
                sets.len() - 1
            })
        });
        Self { polynomials: polynomials.collect(), powers, sets }
    }

    /// The opening of a proof's values and of the quotient's, unless `u` is degenerate. `x` is not
    /// 0, and there are as many values as the protocol says.
    pub(crate) fn open(
        &self,
        values: &[Scalar],
        quotient: Scalar,
        challenges: &Challenges,
    ) -> Option<Opening> {
        let &Challenges { x, alpha, u, .. } = challenges;
        let mut inverses: Vec<_> = self.powers.iter().map(|power| u - x * power).collect();
        inverses.push(x);
        if inverses.iter().any(Scalar::is_zero) {
            return None;
        }
        batch_inversion(&mut inverses);
        let by_x = inverses.pop()?;
        let sets: Vec<_> = self.sets.iter().map(|set| set.at(&inverses, by_x)).collect();

        let mut values = values.iter().copied().chain([quotient]);
        let mut opening = Opening {
            weights: Vec::with_capacity(self.polynomials.len()),
            remainder: Scalar::ZERO,
        };
        let mut power = Scalar::ONE;
        for &set in &self.polynomials {
            let set = &sets[set];
            opening.weights.push(power * set.by_vanishing);
            let basis = set.basis.iter().zip(&mut values);
            let remainder: Scalar = basis.map(|(basis, value)| value * basis).sum();
            opening.remainder += power * remainder;
            power *= alpha;
        }
        Some(opening)
    }
}

/// A set of rotations at `u`, with `Z = Π (u − x·ω^ρ)` over the set.
struct SetAt {
    /// `1 / Z`.
    by_vanishing: Scalar,
    /// For each rotation, by `Z`: the polynomial that is 1 there and 0 at the others.
    basis: Vec<Scalar>,
}

impl Set {
    fn new(rotations: Vec<usize>, powers: &[Scalar]) -> Self {
        let mut weights = vec![Scalar::ONE; rotations.len()];
        // A set may have 256 rotations, and all weights at once, of which none waits for another, take half as long as one by one.
        for &other in &rotations {
            for (weight, &place) in weights.iter_mut().zip(&rotations) {
                if place != other {
                    *weight *= powers[place] - powers[other];
                }
            }
        }
        batch_inversion(&mut weights);
        Self { rotations, weights }
    }

    /// The set where `inverses` has `1 / (u − x·ω^ρ)` of all rotations, and `by_x` is `1 / x`.
    fn at(&self, inverses: &[Scalar], by_x: Scalar) -> SetAt {
        // The differences of points are `x` times those of `ω^ρ`, so that the key's weights serve
        // all `x`.
        let scale = by_x.pow([self.rotations.len().saturating_sub(1) as u64]);
        let inverses = self.rotations.iter().map(|&place| inverses[place]);
        let basis = self.weights.iter().zip(inverses.clone());
        SetAt {
            by_vanishing: inverses.product(),
            basis: basis.map(|(weight, inverse)| scale * weight * inverse).collect(),
        }
    }
}
