//! The check of a signature on a point by a key.

use super::message::MessagePoint;
use crate::{
    curve::pairing::{AssignedGroupPoint, PairingEquations},
    field::foreign::integer::Integer,
};
use muster_gates::foreign::Equation;
use muster_schemes::curve::pairing::PairingCurve;

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
