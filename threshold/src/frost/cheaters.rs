//! Whose shares do not verify.
//!
//! A share z_i is good if z_i·B = D_i + ρ_i·E_i + c·λ_i·Y_i. All of a set are, but for a chance of
//! 2^-128, if the sum of these equations with random coefficients of 128 bits holds (Bellare, Garay,
//! Rabin, "Fast batch verification for modular exponentiation and digital signatures", Eurocrypt
//! 1998), which is one multi-scalar multiplication. A set that fails is split. Nobody is named but by
//! the equation of one share alone.

use std::{collections::BTreeMap, ops::Range};

use frost_core::{Element, Field, Group as _, Scalar, SigningPackage};
use rand_core::{OsRng, RngCore};

use super::{lagrange, Group, Identifier, SignatureShare, Signer, Suite};

/// Sets below this are halved, others quartered.
const FEW: usize = 64;

/// What an aggregation that failed leaves behind. Shares and commitments are of the same signers,
/// all members, and the binding factors are in their order.
pub(super) struct Evidence<'a, C: Suite> {
    pub(super) package: &'a SigningPackage<C>,
    pub(super) shares: &'a BTreeMap<Identifier<C>, SignatureShare<C>>,
    pub(super) group: &'a Group<C>,
    pub(super) factors: &'a [Scalar<C>],
    pub(super) challenge: Scalar<C>,
    /// Whether nonces were negated, as BIP-340 has it.
    pub(super) negated: bool,
}

/// One signer's equation, with its coefficient: z·B = D' + E' + Y', where each term is a multiple of
/// the point.
struct Equation<C: Suite> {
    z: Scalar<C>,
    scalars: [Scalar<C>; 3],
    points: [Element<C>; 3],
}

/// Everybody whose share does not verify, in the order of the identifiers.
pub(super) fn find<C: Suite>(evidence: &Evidence<C>) -> Vec<Signer> {
    let signers: Vec<_> = evidence.shares.keys().copied().collect();
    let equations = equations(evidence, &signers);
    let mut culprits = vec![];
    // The signature has failed, so all together are guilty, unless the group's key is another: then
    // the search ends at a share that holds.
    search(&equations, 0..signers.len(), true, &mut culprits);
    culprits.iter().map(|i| Signer::of(&signers[*i])).collect()
}

fn equations<C: Suite>(evidence: &Evidence<C>, signers: &[Identifier<C>]) -> Vec<Equation<C>> {
    let lambdas = lagrange::at_zero(signers);
    let mut random = vec![[0; 16]; signers.len()];
    OsRng.fill_bytes(random.as_flattened_mut());
    // Members are in the order of the signers, and more of them.
    let mut members = evidence.group.verifying_shares().iter();
    let parts = evidence.package.signing_commitments().values().zip(evidence.shares);
    let equation = |(i, (commitment, (signer, share)))| {
        let i: usize = i;
        let (_, member) = members.find(|(member, _)| *member == signer)?;
        let coefficient = coefficient::<C>(&random[i]);
        let nonce = match evidence.negated {
            true => <<C::Group as frost_core::Group>::Field>::zero() - coefficient,
            false => coefficient,
        };
        let commitment: &frost_core::round1::SigningCommitments<C> = commitment;
        let share: &SignatureShare<C> = share;
        Some(Equation {
            z: coefficient * share.share().0,
            scalars: [
                nonce,
                nonce * evidence.factors[i],
                coefficient * evidence.challenge * lambdas[i],
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

/// Adds the culprits among `range` to the list. `guilty` says that there is one for sure.
fn search<C: Suite>(
    equations: &[Equation<C>],
    range: Range<usize>,
    guilty: bool,
    culprits: &mut Vec<usize>,
) {
    if range.len() < 2 || !guilty {
        if holds(&equations[range.clone()]) {
            return;
        }
        if range.len() == 1 {
            culprits.push(range.start);
            return;
        }
    }
    // Asking a part of f of a set with one culprit takes 1/(2 - 2f) of the set's cost on average, all
    // the way down: small parts are better, as long as they are enough for the sums to be quick.
    let part = if range.len() < FEW { range.len() / 2 } else { range.len() / 4 };
    let middle = range.start + part;
    let before = culprits.len();
    search(equations, range.start..middle, false, culprits);
    // If the first part is innocent the second is guilty: it need not be asked as a whole.
    search(equations, middle..range.end, culprits.len() == before, culprits);
}

/// Whether the equations' sum holds.
fn holds<C: Suite>(equations: &[Equation<C>]) -> bool {
    let zero = <<C::Group as frost_core::Group>::Field>::zero();
    let z = equations.iter().fold(zero, |sum, equation| sum + equation.z);
    let mut scalars = vec![zero - z];
    let mut points = vec![C::Group::generator()];
    scalars.extend(equations.iter().flat_map(|equation| equation.scalars));
    points.extend(equations.iter().flat_map(|equation| equation.points));
    C::msm(&scalars, &points) == C::Group::identity()
}

/// The coefficient of 16 random bytes. One in 2^128 is zero.
fn coefficient<C: Suite>(random: &[u8; 16]) -> Scalar<C> {
    C::scalar(u128::from_le_bytes(*random))
}
