//! Sums of keys.

use std::slice;

use super::group::PointGroup;
use crate::curve::pairing::PairingEquations;
use muster_gates::{foreign::Equation, Chips};
use muster_schemes::curve::pairing::PairingCurve;

/// The equations for sums of keys, in the group that `G` has coordinates of.
#[derive(Clone, Debug)]
pub struct KeySums<G: PointGroup> {
    pairing: PairingEquations,
    equations: G::Sums,
}

impl<G: PointGroup> KeySums<G> {
    /// The equations over a curve.
    pub fn new(curve: PairingCurve) -> Self {
        Self { pairing: PairingEquations::new(curve), equations: G::sums(curve) }
    }

    /// The equations of sums, besides [those of signatures](super::equations).
    pub fn all(&self) -> Vec<Equation> {
        G::all(&self.equations)
    }

    /// The key that signs for all of these: their sum. `walk` is the addition chain of the keys.
    ///
    /// The keys are taken for granted: whoever committed to their set must have checked that each of them is in its
    /// group, and that its owner has proven knowledge of its secret. A repeated key counts each time. Whoever made up a
    /// key from the others signs for all of them. Owners whose keys cancel have signed everything beforehand. That the
    /// sum is on the curve is constrained.
    ///
    /// # Panics
    /// If there are no keys, or `walk` is for another number of them.
    pub fn sum_of_trusted_keys(
        &self,
        chips: &Chips,
        keys: &[G::Elements],
        walk: &G::Walk,
    ) -> G::Point {
        assert!(!keys.is_empty(), "there is a key");
        let chip = chips.foreign_of(self.pairing.curve().parameters().p.bits() as usize);
        G::trusted(chip, &self.pairing, G::sum(chip, &self.equations, keys, walk))
    }

    /// The key that signs for all of a set but some, and its sum with the keys of these. `walk` is the addition chain
    /// of these keys and then that key.
    ///
    /// The caller must constrain the sum to be that of all keys of the set. The keys are taken for granted as in
    /// [`Self::sum_of_trusted_keys`]: then the key is the sum of the rest, and so in the group as they are. That it is
    /// on the curve is constrained.
    ///
    /// # Panics
    /// If `walk` is for another number of keys.
    pub(crate) fn key_of_rest(
        &self,
        chips: &Chips,
        (keys, rest): (&[G::Elements], &G),
        walk: &G::Walk,
    ) -> (G::Point, G::Elements) {
        let chip = chips.foreign_of(self.pairing.curve().parameters().p.bits() as usize);
        let rest = rest.elements(chip);
        let points = [keys, slice::from_ref(&rest)].concat();
        let sum = G::sum(chip, &self.equations, &points, walk);
        (G::trusted(chip, &self.pairing, rest), sum)
    }
}
