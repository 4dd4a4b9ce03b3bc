//! Other inputs for the same statement.

use muster_gadgets::{
    curve::weierstrass::Curve, membership::LEAF_MEMBERS, signature::foreign::Met,
};
use num_bigint::BigUint;

use super::{Inputs, RawSignature, Slot};
use crate::{scheme::Foreign, Error, Rule, Shape};

/// Inputs that are tried. Keys are made for the digits of one transcript, so that the sums of all of
/// these meet their points has a chance that falls with each.
const VARIANTS: u8 = 64;
/// Signatures of which either form is tried, `2^6` choices in all.
const TURNED: usize = 6;

impl Inputs {
    /// Inputs for the same statement, these first: slots that are not used are signed by others or,
    /// if there are none, signatures are `(r, n - s)` as far as the rule takes both. Each has
    /// coefficients of its own.
    pub(crate) fn variants<'a>(&'a self, shape: &'a Shape) -> impl Iterator<Item = Self> + 'a {
        (0..VARIANTS).map_while(|number| match number {
            0 => Some(self.clone()),
            _ => self.variant(shape, number),
        })
    }

    fn variant(&self, shape: &Shape, number: u8) -> Option<Self> {
        let mut inputs = self.clone();
        let mut unused: Vec<_> = inputs.slots.iter_mut().filter(|slot| !slot.is_used()).collect();
        if !unused.is_empty() {
            let other = Slot::unused_by(shape, self.scheme, &self.message, number + 1);
            unused.iter_mut().for_each(|slot| **slot = other.clone());
            return Some(inputs);
        }
        let Foreign::Ecdsa { curve, rule: Rule::AnyS } = self.scheme else { return None };
        let turned = |(i, slot): (usize, &mut Slot)| {
            if number >> i & 1 == 1 {
                slot.signature.turn(curve);
            }
        };
        let slots = inputs.slots.iter_mut().take(TURNED);
        let is_another = number >> slots.len() == 0;
        slots.enumerate().for_each(turned);
        is_another.then_some(inputs)
    }

    /// What is said of signatures for which there is no witness.
    pub(crate) fn no_witness(&self, met: &Met) -> Error {
        let slots = met.signatures.iter().map(|number| &self.slots[*number]);
        let used = slots.filter(|slot| slot.is_used());
        let member = |slot: &Slot| slot.path.path.index * LEAF_MEMBERS + slot.path.position;
        Error::NoWitness { members: used.map(member).collect() }
    }
}

impl Slot {
    fn is_used(&self) -> bool {
        self.weight > 0
    }
}

impl RawSignature {
    /// `(r, n - s)`, whose nonce point is the opposite one.
    fn turn(&mut self, curve: Curve) {
        self.s = less(curve.n(), &self.s);
        self.nonce.y = less(curve.p(), &self.nonce.y);
    }
}

/// `bound - number`, for a number that is not 0 and below the bound.
fn less(bound: &BigUint, number: &[u8; 32]) -> [u8; 32] {
    let digits = (bound - BigUint::from_bytes_be(number)).to_bytes_be();
    let mut bytes = [0; 32];
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    bytes
}
