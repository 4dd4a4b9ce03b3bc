//! The k-of-n circuit of schemes over curves of other fields.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gadgets::{
    curve::weierstrass::{Curve, Point},
    membership::{Leaf, MemberPath, MerklePath, PublicKey},
    signature::{
        bip340,
        ecdsa::{self, EcdsaP256, EcdsaSecp256k1},
    },
};
use rayon::prelude::*;

use crate::{
    scheme::{Family, Foreign},
    verify::signing_key,
    Committee, Error, KeyKind, Message, Rejection, Shape, Signature, Signatures, Statement,
};

mod circuit;
mod layout;
mod variants;

pub(crate) use circuit::build;
pub(crate) use layout::fit;

/// Coordinates, big-endian, that nothing is known of: what a file or an attacker brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawPoint {
    pub(crate) x: [u8; 32],
    pub(crate) y: [u8; 32],
}

impl From<Point> for RawPoint {
    fn from(point: Point) -> Self {
        Self { x: point.x(), y: point.y() }
    }
}

/// A signature that nothing is known of, with the nonce point R whole. All big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawSignature {
    /// r of ECDSA, x(R) of BIP-340.
    pub(crate) r: [u8; 32],
    pub(crate) s: [u8; 32],
    pub(crate) nonce: RawPoint,
}

/// One slot's part of the witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The member's key, whatever names it in the leaf.
    pub(crate) public_key: RawPoint,
    /// The member's signature.
    pub(crate) signature: RawSignature,
    /// The member's weight; 0 for a slot that is not used.
    pub(crate) weight: u64,
    /// The way to the root; it has the member's index.
    pub(crate) path: MemberPath,
}

/// All that a circuit is filled with. Nothing here is known to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inputs {
    /// The scheme of the shape.
    pub(crate) scheme: Foreign,
    pub(crate) key_set_root: Fr,
    pub(crate) threshold: u64,
    pub(crate) message: [u8; 32],
    /// One a slot, the used ones first, by increasing index.
    pub(crate) slots: Vec<Slot>,
}

impl RawSignature {
    /// What is known of a signature of `message` by `key`. One that does not verify has no nonce
    /// point, and gets the key in its place.
    fn new(key: &Point, message: &[u8; 32], signature: &Signature) -> Option<Self> {
        Some(match signature {
            Signature::Ecdsa(signature) | Signature::Recoverable(signature, _) => {
                let nonce = ecdsa::nonce_point(key, message, signature).unwrap_or(*key);
                Self { r: signature.r(), s: signature.s(), nonce: nonce.into() }
            }
            Signature::Bip340(signature) => {
                let nonce = signature.nonce_point().into();
                Self { r: signature.r(), s: signature.s(), nonce }
            }
            Signature::Edwards(_) => return None,
        })
    }
}

impl Slot {
    /// A slot that is not used: its signer has the secret key 1 and is no member, but its signature
    /// is good.
    pub(crate) fn unused(shape: &Shape, scheme: Foreign, message: &[u8; 32]) -> Self {
        Self::unused_by(shape, scheme, message, 1)
    }

    /// The same by the signer with the secret key `number`, which is not 0.
    fn unused_by(shape: &Shape, scheme: Foreign, message: &[u8; 32], number: u8) -> Self {
        let (key, signature) = padding_signer(scheme, message, number);
        let name = match shape.keys {
            KeyKind::Coordinates => PublicKey::from(key).name(),
            KeyKind::Address => PublicKey::from(key.address()).name(),
        };
        let mut leaf = Leaf::default();
        leaf.x[0] = name;
        let levels = vec![vec![Fr::zero(); shape.arity]; shape.depth];
        let path = MemberPath { leaf, position: 0, path: MerklePath { index: 0, levels } };
        let signature = RawSignature::new(&key, message, &signature);
        let signature = signature.expect("the scheme is over a Weierstrass curve");
        Self { public_key: key.into(), signature, weight: 0, path }
    }
}

/// The key of the secret `number` and its signature of `message`, which every rule on s accepts.
fn padding_signer(scheme: Foreign, message: &[u8; 32], number: u8) -> (Point, Signature) {
    let mut bytes = [0; 32];
    bytes[31] = number;
    let valid = "a small number is a secret key of every curve";
    let low = |signature: ecdsa::Signature| match signature.is_high() {
        true => signature.negate(),
        false => signature,
    };
    match scheme {
        Foreign::Bip340 => {
            let secret = bip340::SecretKey::from_bytes(&bytes).expect(valid);
            (secret.public_key().point(), secret.sign(message, &[0; 32]).into())
        }
        Foreign::Ecdsa { curve: Curve::P256, .. } => {
            let secret = ecdsa::SecretKey::from_bytes(&bytes).expect(valid);
            let (signature, _) = EcdsaP256::sign_recoverable(&secret, message);
            (secret.public_key(), low(signature).into())
        }
        Foreign::Ecdsa { curve: Curve::Secp256k1, .. } => {
            let secret = ecdsa::SecretKey::from_bytes(&bytes).expect(valid);
            let (signature, _) = EcdsaSecp256k1::sign_recoverable(&secret, message);
            (secret.public_key(), low(signature).into())
        }
    }
}

impl Inputs {
    /// Every slot unused.
    pub(crate) fn unused(shape: &Shape, scheme: Foreign) -> Self {
        let message = [0; 32];
        let slots = vec![Slot::unused(shape, scheme, &message); shape.slots];
        Self { scheme, key_set_root: Fr::zero(), threshold: 1, message, slots }
    }

    /// What `shape` is filled with to prove `statement`.
    pub(crate) fn new(
        shape: &Shape,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Self, Error> {
        let Message::Digest(message) = statement.message else {
            return Err(Error::WrongMessage(shape.scheme));
        };
        let wrong_kind = || Error::WrongKind(shape.scheme);
        let (Family::Foreign(scheme), Signatures::Independent(list)) =
            (shape.terms().family(), signatures)
        else {
            return Err(wrong_kind());
        };
        if list.len() > shape.slots {
            return Err(Error::TooManySigners { signers: list.len(), slots: shape.slots });
        }
        let mut list = list.clone();
        list.sort_by_key(|(member, _)| *member);
        let tree = shape.tree(committee)?;
        let members = committee.members();
        let slot = |(member, signature): &(usize, Signature)| {
            let not_a_member = Rejection::NotAMember { member: *member, members: members.len() };
            let entry = members.get(*member).ok_or(not_a_member)?;
            let key = signing_key(shape.scheme, (*member, &entry.public_key), &message, signature)?;
            let signature = RawSignature::new(&key, &message, signature);
            Ok(Slot {
                public_key: key.into(),
                signature: signature.ok_or_else(wrong_kind)?,
                weight: entry.weight,
                path: committee.set().path(&tree, *member)?,
            })
        };
        let slots: Vec<_> = list.par_iter().map(slot).collect();
        let mut slots = slots.into_iter().collect::<Result<Vec<_>, Error>>()?;
        slots.resize(shape.slots, Slot::unused(shape, scheme, &message));
        let Statement { key_set_root, threshold, .. } = *statement;
        Ok(Self { scheme, key_set_root, threshold, message, slots })
    }
}
