//! Whose shares do not verify.
//!
//! Signature shares are judged by their makers' public shares. These must make the group's key, Σ
//! λ_i·Y_i = A: if they do not, the coordinator's own file is wrong and nobody is named. If they
//! do, a signature that fails contains a share that fails.
//!
//! A share z_i is good if z_i·B = D_i + ρ_i·E_i + c·λ_i·Y_i. All shares in a set are good, except
//! with probability 2^-128, if the sum of these equations with random coefficients of 128 bits
//! holds (Bellare, Garay, Rabin, "Fast batch verification for modular exponentiation and digital
//! signatures", Eurocrypt 1998), which is one multi-scalar multiplication. A set that fails is
//! split ([`crate::search`]).
//!
//! Usually there is one cheater. Then the error of its equation is that of the whole signature,
//! which is known, and a sum that fails is that error times the cheater's coefficient. Finding
//! whose coefficient that is costs a few additions per share, and the sum without it shows that all
//! others hold. (The shares' errors then add up to the signature's, so that Σ λ_i·Y_i = A is known
//! without a sum of its own.)

use std::{collections::BTreeMap, ops::Range};

use frost_core::{
    keys::VerifyingShare, round2::SignatureShare, Element, Group as _, Scalar, SigningPackage,
};
use rand_core::{OsRng, RngCore};

use super::{lagrange, zero, FrostError, Group, Identifier, Signer, Suite};
use crate::search::{culprits, Errors, Known};

/// Sets smaller than this are halved, others quartered. In groups smaller than this no single
/// culprit is looked for, since that takes a table.
const FEW: usize = 64;
/// Bits of a digit, for multiples of one point.
const DIGIT: u32 = 5;

/// What a failed aggregation leaves behind. Shares and commitments are of the same signers, all of
/// them members, and the binding factors are in their order.
pub(super) struct Evidence<'a, C: Suite> {
    pub(super) package: &'a SigningPackage<C>,
    pub(super) shares: &'a BTreeMap<Identifier<C>, SignatureShare<C>>,
    pub(super) group: &'a Group<C>,
    pub(super) factors: &'a [Scalar<C>],
    pub(super) challenge: Scalar<C>,
    /// The sum of the commitments.
    pub(super) commitment: Element<C>,
    /// Whether nonces were negated, as BIP-340 has it.
    pub(super) negated: bool,
}

/// One signer's equation, times its coefficient: D' + E' + Y' + z·B = 0, where the first three
/// terms are multiples of the points D, E and Y. D's factor is the coefficient, which is short.
struct Equation<C: Suite> {
    coefficient: u128,
    z: Scalar<C>,
    scalars: [Scalar<C>; 3],
    points: [Element<C>; 3],
}

/// Names everybody whose share does not verify, in the order of the identifiers, or says that
/// nobody can be judged.
pub(super) fn blame<C: Suite>(evidence: &Evidence<C>) -> FrostError {
    let signers: Vec<_> = evidence.shares.keys().copied().collect();
    let lambdas = lagrange::at_zero(&signers);
    let equations = equations(evidence, &lambdas);
    let name = |culprits: Vec<usize>| {
        FrostError::BadShares(culprits.iter().map(|i| Signer::of(&signers[*i])).collect())
    };
    let all = 0..signers.len();
    let parts = if all.len() < FEW {
        vec![(all, Known::Guilty)]
    } else {
        let middle = all.len() / 2;
        let halves = [0..middle, middle..all.len()];
        let sums = halves.map(|half| (sum(&equations[half.clone()]), half));
        let failing: Vec<_> =
            sums.into_iter().filter(|(sum, _)| *sum != C::Group::identity()).collect();
        if let [(sum, half)] = &failing[..]
            && let Some(culprit) = alone(&equations, half, sum, &evidence.error())
        {
            return name(vec![culprit]);
        }
        failing.into_iter().map(|(sum, half)| (half, Known::Sum(sum))).collect()
    };
    if !evidence.public_shares_fit(&lambdas) {
        return FrostError::GroupKey;
    }
    let search = |(part, known)| culprits(&mut Sums(&equations), part, known);
    name(parts.into_iter().flat_map(search).collect())
}

impl<C: Suite> Evidence<'_, C> {
    /// Whether the signers' public shares make the group's key.
    fn public_shares_fit(&self, lambdas: &[Scalar<C>]) -> bool {
        let members = self.group.verifying_shares();
        let points = self.shares.keys().filter_map(|signer| members.get(signer));
        let points: Vec<_> = points.map(VerifyingShare::to_element).collect();
        C::msm(lambdas, &points) == self.group.verifying_key().to_element()
    }

    /// The scalar, or its opposite where nonces were negated.
    fn signed(&self, scalar: Scalar<C>) -> Scalar<C> {
        if self.negated {
            zero::<C>() - scalar
        } else {
            scalar
        }
    }

    /// The error of the signature's equation, R + c·A - z·B: the sum of all shares' errors without
    /// coefficients.
    fn error(&self) -> Element<C> {
        let z = self.shares.values().fold(zero::<C>(), |sum, share| sum + share.share().0);
        let scalars = [self.signed(zero::<C>() - z), self.signed(self.challenge)];
        let points = [C::Group::generator(), self.group.verifying_key().to_element()];
        self.commitment + C::msm(&scalars, &points)
    }
}

/// The one equation of a part whose error is the whole of the signature's, if there is one: then
/// all others hold.
fn alone<C: Suite>(
    equations: &[Equation<C>],
    part: &Range<usize>,
    found: &Element<C>,
    error: &Element<C>,
) -> Option<usize> {
    let multiples = Multiples::<C>::new(*error);
    let has_all = |i: &usize| multiples.times(equations[*i].coefficient) == *found;
    let culprit = part.clone().find(has_all)?;
    // Its equation alone has the part's whole error: it fails, and nothing is left for the others.
    (sum(&equations[culprit..=culprit]) == *found).then_some(culprit)
}

/// Multiples of a point by digits: at place w, by multiples of 2^(w·DIGIT).
pub(super) struct Multiples<C: Suite>(Vec<Vec<Element<C>>>);

impl<C: Suite> Multiples<C> {
    pub(super) fn new(mut point: Element<C>) -> Self {
        let row = |_| {
            let mut row = vec![point];
            (2..1 << DIGIT).for_each(|i: usize| row.push(row[i - 2] + point));
            point = row[row.len() - 1] + point;
            row
        };
        Self((0..u128::BITS.div_ceil(DIGIT)).map(row).collect())
    }

    pub(super) fn times(&self, scalar: u128) -> Element<C> {
        let digit = |place: usize| (scalar >> (DIGIT as usize * place)) as usize % (1 << DIGIT);
        let rows = self.0.iter().enumerate();
        rows.fold(C::Group::identity(), |sum, (place, row)| match digit(place) {
            0 => sum,
            digit => sum + row[digit - 1],
        })
    }
}

fn equations<C: Suite>(evidence: &Evidence<C>, lambdas: &[Scalar<C>]) -> Vec<Equation<C>> {
    let mut random = vec![[0; 16]; lambdas.len()];
    OsRng.fill_bytes(random.as_flattened_mut());
    // Members are in the same order as the signers, and there may be more of them.
    let mut members = evidence.group.verifying_shares().iter();
    let parts = evidence.package.signing_commitments().values().zip(evidence.shares);
    let equation = |(i, (commitment, (signer, share)))| {
        let i: usize = i;
        let (_, member) = members.find(|(member, _)| *member == signer)?;
        let drawn = u128::from_le_bytes(random[i]);
        let coefficient = C::scalar(drawn);
        let commitment: &frost_core::round1::SigningCommitments<C> = commitment;
        let share: &SignatureShare<C> = share;
        Some(Equation {
            coefficient: drawn,
            z: evidence.signed(zero::<C>() - coefficient * share.share().0),
            scalars: [
                coefficient,
                coefficient * evidence.factors[i],
                evidence.signed(coefficient * evidence.challenge * lambdas[i]),
            ],
            points: [
                commitment.hiding().value(),
                commitment.binding().value(),
                member.to_element(),
            ],
        })
    };
    parts.enumerate().filter_map(equation).collect()
}

/// The equations of all signers.
struct Sums<'a, C: Suite>(&'a [Equation<C>]);

impl<C: Suite> Errors for Sums<'_, C> {
    type Sum = Element<C>;

    fn sum(&mut self, set: Range<usize>) -> Element<C> {
        sum(&self.0[set])
    }

    fn split(&mut self, set: &Element<C>, first: Range<usize>) -> (Element<C>, Element<C>) {
        let first = sum(&self.0[first]);
        (first, *set - first)
    }

    fn is_zero(&self, sum: &Element<C>) -> bool {
        *sum == C::Group::identity()
    }

    /// Asking a fraction f of a set with one culprit first takes 1/(2 - 2f) of the set's cost on
    /// average, all the way down. Small parts are better, as long as they are large enough for the
    /// sums to be quick.
    fn first(&self, length: usize) -> usize {
        if length < FEW {
            length / 2
        } else {
            length / 4
        }
    }
}

/// The sum of equations, zero if they hold. One coefficient in 2^128 is zero.
fn sum<C: Suite>(equations: &[Equation<C>]) -> Element<C> {
    let z = equations.iter().fold(zero::<C>(), |sum, equation| sum + equation.z);
    let mut scalars = vec![z];
    let mut points = vec![C::Group::generator()];
    scalars.extend(equations.iter().flat_map(|equation| equation.scalars));
    points.extend(equations.iter().flat_map(|equation| equation.points));
    C::msm(&scalars, &points)
}
