//! Sums of keys.

use halo2curves::{bls12_381, bn256};

use crate::{
    curve::{
        aggregate::{
            prime::{sum, Pair, SumEquations},
            SumWalk,
        },
        pairing::{
            chip::{AssignedBasePoint, AssignedGroupPoint, PairingEquations},
            BasePoint, PairingCurve,
        },
    },
    gate::{foreign::Equation, Chips},
};

/// What sums of keys in the first group take.
#[derive(Clone, Debug)]
pub struct KeySums {
    pairing: PairingEquations,
    equations: SumEquations,
}

impl KeySums {
    /// Those over a curve.
    pub fn new(curve: PairingCurve) -> Self {
        let equations = match curve {
            PairingCurve::Bn254 => SumEquations::of::<bn256::G1Affine>(),
            PairingCurve::Bls12381 => SumEquations::of::<bls12_381::G1Affine>(),
        };
        Self { pairing: PairingEquations::new(curve), equations }
    }

    /// The equations of sums, which come with [those of signatures](super::equations).
    pub fn all(&self) -> Vec<Equation> {
        self.equations.all()
    }

    /// The key that signs for all of these: their sum. `walk` is that of the keys.
    ///
    /// The keys are taken for granted: that each of them is in its group and that its owner has proven to know its secret
    /// was seen to before the set was committed that they are from, and that none is there twice is the caller's concern. With
    /// a key that somebody made up from the others, that somebody signs for all. Owners whose keys cancel have signed
    /// everything beforehand. That the sum is on the curve is constrained.
    ///
    /// # Panics
    /// If there are no keys, or the walk is one of more or fewer of them.
    pub fn sum_of_trusted_keys(
        &self,
        chips: &Chips,
        keys: &[Pair],
        walk: &SumWalk<1>,
    ) -> AssignedGroupPoint {
        assert!(!keys.is_empty(), "there is a key");
        let chip = chips.foreign_of(self.equations.modulus().bits() as usize);
        let sum = sum(chip, &self.equations, keys, walk);
        let point = AssignedBasePoint::of(chip, &self.pairing, sum);
        AssignedGroupPoint::taken_for_granted(point)
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
    pub fn key_of_rest(
        &self,
        chips: &Chips,
        (keys, rest): (&[Pair], &BasePoint),
        walk: &SumWalk<1>,
    ) -> (AssignedGroupPoint, Pair) {
        let chip = chips.foreign_of(self.equations.modulus().bits() as usize);
        let rest = AssignedBasePoint::new(chip, &self.pairing, rest);
        let points = [keys, &[rest.coordinates().clone()]].concat();
        let sum = sum(chip, &self.equations, &points, walk);
        (AssignedGroupPoint::taken_for_granted(rest), sum)
    }
}
