//! What circuits are filled with.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gadgets::{
    membership::{Leaf, LEAF_MEMBERS},
    signature::{
        eddsa::Eddsa,
        instructions::{RawPoint, SignatureInstructions},
        musig::Musig,
        schnorr::Schnorr,
        RawSignature,
    },
};

use crate::{
    foreign,
    threshold::{Inputs, Slot},
    Committee, Error, Message, Mode, Rejection, Scheme, Shape, Signature, Signatures, Statement,
};

/// The inputs of either circuit.
#[derive(Debug)]
pub(crate) enum Filling {
    Embedded(Inputs),
    Foreign(foreign::Inputs),
}

impl Filling {
    /// Every slot unused.
    pub(crate) fn unused(shape: &Shape) -> Self {
        match shape.scheme.is_foreign() {
            true => Self::Foreign(foreign::Inputs::unused(shape)),
            false => Self::Embedded(Inputs::unused(shape)),
        }
    }

    /// What `shape` is filled with to prove `statement`.
    pub(crate) fn new(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Self, Error> {
        match shape.scheme.is_foreign() {
            true => {
                foreign::Inputs::new(shape, statement, committee, signatures).map(Self::Foreign)
            }
            false => Inputs::new(shape, statement, committee, signatures).map(Self::Embedded),
        }
    }
}

impl Inputs {
    /// Every slot unused and no leaf.
    fn unused(shape: &Shape) -> Self {
        Self::padded(shape, Fr::zero(), vec![], vec![])
    }

    /// Fills up slots and signatures.
    fn padded(
        shape: &Shape,
        message: Fr,
        mut slots: Vec<Slot>,
        mut signatures: Vec<RawSignature>,
    ) -> Self {
        slots.extend((slots.len()..shape.slots).map(|number| Slot::unused(shape, number)));
        let count = if shape.scheme.is_aggregate() { 1 } else { shape.slots };
        signatures.resize(count, padding_signature(shape.scheme, &message));
        let leaves = match shape.mode {
            Mode::WholeSet => vec![Leaf::default(); shape.capacity.div_ceil(LEAF_MEMBERS)],
            Mode::Path => vec![],
        };
        Self { key_set_root: Fr::zero(), threshold: 1, message, slots, signatures, leaves }
    }

    /// What `shape` is filled with to prove `statement`.
    pub(crate) fn new(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Self, Error> {
        let Message::Field(message) = statement.message else {
            return Err(Error::WrongMessage(shape.scheme));
        };
        let tree = shape.tree(committee)?;
        let (mut signers, raw) = match signatures {
            Signatures::Independent(list) if !shape.scheme.is_aggregate() => {
                let mut list = list.clone();
                list.sort_by_key(|(member, _)| *member);
                let raw = |(_, signature): &(usize, Signature)| {
                    signature.edwards().copied().map(RawSignature::from)
                };
                let raw: Option<_> = list.iter().map(raw).collect();
                let members = list.iter().map(|(member, _)| *member).collect();
                (members, raw.ok_or(Error::WrongKind(shape.scheme))?)
            }
            Signatures::Aggregate { members, signature } if shape.scheme.is_aggregate() => {
                (members.clone(), vec![RawSignature::from(*signature)])
            }
            _ => return Err(Error::WrongKind(shape.scheme)),
        };
        signers.sort_unstable();
        if signers.len() > shape.slots {
            return Err(Error::TooManySigners { signers: signers.len(), slots: shape.slots });
        }
        let members = committee.members();
        let slot = |member: &usize| {
            let not_a_member = Rejection::NotAMember { member: *member, members: members.len() };
            let entry = members.get(*member).ok_or(not_a_member)?;
            let wrong = Error::WrongKeys { scheme: shape.scheme, keys: shape.keys };
            let key = entry.public_key.baby_jubjub().ok_or(wrong)?;
            let public_key = RawPoint { x: key.x(), y: key.y() };
            let path = match shape.mode {
                Mode::WholeSet => None,
                Mode::Path => Some(committee.set().path(&tree, *member)?),
            };
            Ok(Slot { index: *member as u64, public_key, weight: entry.weight, path })
        };
        let slots = signers.iter().map(slot).collect::<Result<Vec<_>, Error>>()?;
        let mut inputs = Self::padded(shape, message, slots, raw);
        if shape.mode == Mode::WholeSet {
            let leaves = committee.set().leaves();
            inputs.leaves[..leaves.len()].copy_from_slice(&leaves);
        }
        inputs.key_set_root = statement.key_set_root;
        inputs.threshold = statement.threshold;
        Ok(inputs)
    }
}

fn padding_signature(scheme: Scheme, message: &Fr) -> RawSignature {
    match scheme {
        Scheme::Schnorr => Schnorr::padding_signature(message),
        Scheme::Eddsa => Eddsa::padding_signature(message),
        Scheme::Musig => Musig::padding_signature(message),
        _ => unreachable!("other schemes have inputs of their own"),
    }
}
