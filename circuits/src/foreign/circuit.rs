//! Filling the circuit.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};
use muster_gadgets::{
    curve::weierstrass::chip::CurveEquations,
    gate::Chips,
    hash::keccak,
    membership::signers::PathSigners,
    signature::{
        bip340, ecdsa,
        foreign::{AssignedKey, Met, RawSignature},
    },
};
use num_bigint::BigUint;

use super::{Inputs, RawPoint};
use crate::{
    scheme::Foreign,
    threshold::{assert_weight, index_bits},
    KeyKind, Message, Shape, Statement, KEY_SET_ROOT, MESSAGE_HIGH, MESSAGE_LOW, THRESHOLD,
};

/// Fills the circuit. Its first cells are the public inputs, in order.
///
/// # Errors
/// [`Met`] where there is no witness for these signatures. The same constraints are recorded.
pub(crate) fn build(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    shape: &Shape,
    inputs: &Inputs,
) -> Result<(), Met> {
    let Inputs { scheme, key_set_root, threshold, message, .. } = *inputs;
    let message = Message::Digest(message);
    let public = Statement { key_set_root, threshold, message }.public_inputs();
    assert_eq!(public.len(), shape.scheme.public_inputs());
    let public = ctx.assign_witnesses(public);
    let equations = CurveEquations::new(scheme.curve());
    let mut keys = vec![];
    for slot in &inputs.slots {
        keys.push(AssignedKey::new(ctx, chips, &equations, &integers(&slot.public_key)));
    }
    let weights = follow_paths(ctx, chips, shape, (public[KEY_SET_ROOT], inputs), &keys);
    let digest = [public[MESSAGE_HIGH], public[MESSAGE_LOW]];
    let signature = |slot: &super::Slot| RawSignature {
        nonce: integers(&slot.signature.nonce),
        s: BigUint::from_bytes_be(&slot.signature.s),
    };
    let signatures: Vec<_> = inputs.slots.iter().map(signature).collect();
    let verdict = match scheme {
        Foreign::Ecdsa { curve, rule } => {
            let rules = (curve, rule);
            ecdsa::chip::assert_verify_all(ctx, chips, rules, digest, &keys, &signatures)
        }
        Foreign::Bip340 => bip340::chip::assert_verify_all(ctx, chips, digest, &keys, &signatures),
    };
    assert_weight(ctx, chips, &weights, public[THRESHOLD]);
    verdict
}

fn integers(point: &RawPoint) -> (BigUint, BigUint) {
    (BigUint::from_bytes_be(&point.x), BigUint::from_bytes_be(&point.y))
}

/// Follows the path of each key's name, with indices that increase from slot to slot; gives the
/// members' weights.
fn follow_paths(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    shape: &Shape,
    (root, inputs): (AssignedValue<Fr>, &Inputs),
    keys: &[AssignedKey],
) -> Vec<AssignedValue<Fr>> {
    let mut signers = PathSigners::new(root, (shape.arity, shape.depth));
    for (slot, key) in inputs.slots.iter().zip(keys) {
        let name = match shape.keys {
            KeyKind::Coordinates => key.name(chips),
            KeyKind::Address => {
                let [x, y] = *key.halves();
                keccak::chip::address(ctx, chips, x, y)
            }
        };
        signers.follow(ctx, chips, name, &slot.path);
    }
    signers.weights(ctx, chips, index_bits(shape))
}
