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
    scheme::{Embedded, Family},
    threshold::{Inputs, Slot},
    Committee, Error, Message, Mode, Rejection, Shape, Signature, Signatures, Statement,
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
        match shape.terms().family() {
            Family::Foreign(scheme) => Self::Foreign(foreign::Inputs::unused(shape, scheme)),
            Family::Embedded(scheme) => Self::Embedded(Inputs::unused(shape, scheme)),
        }
    }

    /// What `shape` is filled with to prove `statement`.
    pub(crate) fn new(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Self, Error> {
        match shape.terms().family() {
            Family::Foreign(_) => {
                foreign::Inputs::new(shape, statement, committee, signatures).map(Self::Foreign)
            }
            Family::Embedded(_) => {
                Inputs::new(shape, statement, committee, signatures).map(Self::Embedded)
            }
        }
    }
}

impl Inputs {
    /// Every slot unused and no leaf.
    fn unused(shape: &Shape, scheme: Embedded) -> Self {
        Self::padded((shape, scheme), Fr::zero(), vec![], vec![])
    }

    /// Fills up slots and signatures.
    fn padded(
        (shape, scheme): (&Shape, Embedded),
        message: Fr,
        mut slots: Vec<Slot>,
        mut signatures: Vec<RawSignature>,
    ) -> Self {
        slots.extend((slots.len()..shape.slots).map(|number| Slot::unused(shape, number)));
        let count = match scheme {
            Embedded::Schnorr | Embedded::Eddsa => shape.slots,
            Embedded::Musig => 1,
        };
        signatures.resize(count, padding_signature(scheme, &message));
        let leaves = match shape.mode {
            Mode::WholeSet => vec![Leaf::default(); shape.capacity.div_ceil(LEAF_MEMBERS)],
            Mode::Path => vec![],
        };
        let key_set_root = Fr::zero();
        Self { scheme, key_set_root, threshold: 1, message, slots, signatures, leaves }
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
        let wrong_kind = || Error::WrongKind(shape.scheme);
        let Family::Embedded(scheme) = shape.terms().family() else {
            return Err(wrong_kind());
        };
        let tree = shape.tree(committee)?;
        let (mut signers, raw) = match (scheme, signatures) {
            (Embedded::Schnorr | Embedded::Eddsa, Signatures::Independent(list)) => {
                let mut list = list.clone();
                list.sort_by_key(|(member, _)| *member);
                let raw = |(_, signature): &(usize, Signature)| {
                    signature.edwards().copied().map(RawSignature::from)
                };
                let raw: Option<_> = list.iter().map(raw).collect();
                let members = list.iter().map(|(member, _)| *member).collect();
                (members, raw.ok_or_else(wrong_kind)?)
            }
            (Embedded::Musig, Signatures::Aggregate { members, signature }) => {
                (members.clone(), vec![RawSignature::from(*signature)])
            }
            (Embedded::Schnorr | Embedded::Eddsa, Signatures::Aggregate { .. })
            | (Embedded::Musig, Signatures::Independent(_)) => return Err(wrong_kind()),
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
        let mut inputs = Self::padded((shape, scheme), message, slots, raw);
        if shape.mode == Mode::WholeSet {
            let leaves = committee.set().leaves();
            inputs.leaves[..leaves.len()].copy_from_slice(&leaves);
        }
        inputs.key_set_root = statement.key_set_root;
        inputs.threshold = statement.threshold;
        Ok(inputs)
    }
}

fn padding_signature(scheme: Embedded, message: &Fr) -> RawSignature {
    match scheme {
        Embedded::Schnorr => Schnorr::padding_signature(message),
        Embedded::Eddsa => Eddsa::padding_signature(message),
        Embedded::Musig => Musig::padding_signature(message),
    }
}
