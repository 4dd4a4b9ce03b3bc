//! Sums of keys.

use std::slice;

use super::group::PointGroup;
use crate::{
    curve::pairing::{chip::PairingEquations, PairingCurve},
    gate::{foreign::Equation, Chips},
};

/// What sums of keys take, in the group that `G` has coordinates of.
#[derive(Clone, Debug)]
pub struct KeySums<G: PointGroup> {
    pairing: PairingEquations,
    equations: G::Sums,
}

impl<G: PointGroup> KeySums<G> {
    /// Those over a curve.
    pub fn new(curve: PairingCurve) -> Self {
        Self { pairing: PairingEquations::new(curve), equations: G::sums(curve) }
    }

    /// The equations of sums, which come with [those of signatures](super::equations).
    pub fn all(&self) -> Vec<Equation> {
        G::all(&self.equations)
    }

    /// The key that signs for all of these: their sum. `walk` is that of the keys.
    ///
    /// The keys are taken for granted: that each of them is in its group and that its owner has proven to know its secret
    /// was seen to before the set was committed that they are from. A key that is there twice is added twice. With
    /// a key that somebody made up from the others, that somebody signs for all. Owners whose keys cancel have signed
    /// everything beforehand. That the sum is on the curve is constrained.
    ///
    /// # Panics
    /// If there are no keys, or the walk is one of more or fewer of them.
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

    /// The key that signs for all of a set but some, and the sum of it with the keys of these. `walk` is that of the keys with
    /// the other behind them.
    ///
    /// That the sum is the one of all keys of the set is for the caller to constrain, and the keys are taken for granted as in
    /// [`Self::sum_of_trusted_keys`]: then the key is the sum of the rest, so it is in the group as they are. That it is on
    /// the curve is constrained.
    ///
    /// # Panics
    /// If the walk is one of more or fewer keys.
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
