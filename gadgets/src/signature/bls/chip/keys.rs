//! Sums of keys.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use halo2curves::{bls12_381, bn256};

use crate::{
    curve::{
        aggregate::{
            prime::{sum_of_slots, Slot, SumEquations},
            Padding, SumWalk,
        },
        pairing::{
            chip::{AssignedBasePoint, AssignedGroupPoint, PairingEquations},
            PairingCurve,
        },
    },
    field::foreign::integer::constant,
    gate::{foreign::Equation, Chips},
};

/// What sums of keys in the first group take.
#[derive(Clone, Debug)]
pub struct KeySums {
    pairing: PairingEquations,
    equations: SumEquations,
    padding: Padding<1>,
}

impl KeySums {
    /// Those over a curve.
    pub fn new(curve: PairingCurve) -> Self {
        let (equations, padding) = match curve {
            PairingCurve::Bn254 => {
                (SumEquations::of::<bn256::G1Affine>(), Padding::of::<bn256::G1Affine>())
            }
            PairingCurve::Bls12381 => {
                (SumEquations::of::<bls12_381::G1Affine>(), Padding::of::<bls12_381::G1Affine>())
            }
        };
        Self { pairing: PairingEquations::new(curve), equations, padding }
    }

    /// The equations of sums, which come with [those of signatures](super::equations).
    pub fn all(&self) -> Vec<Equation> {
        let p = self.equations.modulus();
        [self.equations.all(), vec![constant(p, &(p - 1u8))]].concat()
    }

    /// The key that signs for all keys in slots that are used: their sum. `walk` is that of the
    /// [`addends`](crate::curve::aggregate::addends).
    ///
    /// The keys are taken for granted: that each of them is in its group and that its owner has proven to know its secret
    /// was seen to before the set was committed that they are from. Without that, whoever makes up one of them can sign for
    /// all. That the sum is on the curve is constrained.
    ///
    /// # Panics
    /// If there are no slots, or the walk is one of more or fewer of them.
    pub fn sum_of_trusted_keys(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        slots: &[Slot],
        walk: &SumWalk<1>,
    ) -> AssignedGroupPoint {
        let chip = chips.foreign_of(self.equations.modulus().bits() as usize);
        let of = (&self.equations, &self.padding);
        let sum = sum_of_slots(ctx, chips, chip, of, slots, walk);
        let point = AssignedBasePoint::of(chip, &self.pairing, sum);
        AssignedGroupPoint::taken_for_granted(point)
    }
}
