//! The check of a signature on a point by a key.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::message::MessagePoint;
use crate::{
    curve::pairing::chip::{
        assert_product_is_one, AssignedArguments, AssignedGroupPoint, AssignedTwistPoint,
        PairingEquations, SecondPoint,
    },
    field::foreign::integer::Integer,
};
use muster_gates::{foreign::Equation, Chips};
use muster_schemes::curve::pairing::{NotOne, PairingCurve};

/// The equations of signatures over a curve. [Hashes](super::PointGroup::hash_equations) need theirs besides.
pub fn equations(curve: PairingCurve) -> Vec<Equation> {
    let mut all = PairingEquations::new(curve).all();
    all.extend(AssignedGroupPoint::equations(curve));
    all.push(Integer::any());
    all
}

/// A key, the point that its owner signed, and the signature.
///
/// The key and the signature may be sums: of keys, and of signatures on one message. Whoever adds keys up must make
/// sure, by proofs of possession, that somebody knows the secret of each.
#[derive(Clone, Debug)]
pub struct AssignedSigned<K, P> {
    /// The key.
    pub key: K,
    /// What the message was hashed to.
    pub message: MessagePoint<P>,
    /// The signature.
    pub signature: P,
}

impl AssignedSigned<AssignedGroupPoint, AssignedTwistPoint> {
    /// Constrains the signature to be one by a key in the first group (`min-pk`): `e(key, message)·e(-g, signature) = 1`.
    /// That the message and the signature are in the second group is constrained, too.
    ///
    /// # Errors
    /// [`NotOne`] if it is none; then not all constraints hold. Code that lays out a circuit must not return early on it,
    /// since whatever it would constrain afterwards is a part of the circuit.
    pub fn assert_verifies(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
    ) -> Result<(), NotOne> {
        let chip = chips.foreign_of(equations.curve().parameters().p.bits() as usize);
        let generator = AssignedGroupPoint::negative_generator(chip, equations);
        let pairs = [(&self.key, self.message.point()), (&generator, &self.signature)];
        let arguments = pairs.map(|(first, second)| AssignedArguments {
            first,
            second: SecondPoint::Variable(second),
        });
        assert_product_is_one(ctx, chips, equations, &arguments).1
    }
}

impl AssignedSigned<AssignedTwistPoint, AssignedGroupPoint> {
    /// Constrains the signature to be one by a key in the second group (`min-sig`): `e(message, key)·e(signature, -g) = 1`.
    /// That the key is in the second group is constrained, too.
    ///
    /// # Errors
    /// [`NotOne`] if it is none; then not all constraints hold. Code that lays out a circuit must not return early on it,
    /// since whatever it would constrain afterwards is a part of the circuit.
    pub fn assert_verifies(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
    ) -> Result<(), NotOne> {
        let generator = equations.curve().parameters().negative_twist_generator();
        let arguments = [
            AssignedArguments {
                first: self.message.point(),
                second: SecondPoint::Variable(&self.key),
            },
            AssignedArguments { first: &self.signature, second: SecondPoint::Fixed(generator) },
        ];
        assert_product_is_one(ctx, chips, equations, &arguments).1
    }
}
