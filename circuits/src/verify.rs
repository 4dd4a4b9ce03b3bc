//! The native check of what a circuit proves.

use std::collections::HashSet;

use muster_gadgets::{
    curve::weierstrass::Point,
    membership::PublicKey,
    signature::{
        bip340::{self, Bip340},
        ecdsa::{EcdsaP256, EcdsaSecp256k1},
        eddsa::Eddsa,
        musig::{KeyAggregation, Musig},
        schnorr::Schnorr,
        SignatureError, SignatureScheme,
    },
};
use rayon::prelude::*;

use crate::{
    Committee, Error, Message, Rejection, Scheme, Shape, Signature, Signatures, Statement,
};

/// Weights and their sums stay below 2 to this power.
pub(crate) const TOTAL_WEIGHT_BITS: u32 = 48;

/// Checks natively what the circuit of `shape` is to prove, in the order in which a user would want
/// to know: every rule that is broken has its own [`Rejection`].
///
/// # Errors
///
/// [`Error::Rejected`] for a false statement, another error for what does not fit the shape.
pub fn verify(
    shape: &Shape,
    statement: &Statement,
    committee: &Committee,
    signatures: &Signatures,
) -> Result<(), Error> {
    let signers = signatures.members();
    if signers.len() > shape.slots {
        return Err(Error::TooManySigners { signers: signers.len(), slots: shape.slots });
    }
    if shape.tree(committee)?.root() != statement.key_set_root {
        return Err(Rejection::Root.into());
    }
    if matches!(statement.message, Message::Digest(_)) != shape.scheme.is_foreign() {
        return Err(Error::WrongMessage(shape.scheme));
    }
    let weight = signing_weight(committee, &signers)?;
    if statement.threshold == 0 || statement.threshold >> TOTAL_WEIGHT_BITS != 0 {
        return Err(Rejection::Threshold(statement.threshold).into());
    }
    match signatures {
        Signatures::Independent(list) if !shape.scheme.is_aggregate() => {
            let verdict = |(member, signature): &(usize, Signature)| {
                let key = &committee.members()[*member].public_key;
                verify_one(shape, (*member, key), &statement.message, signature)
            };
            let verdicts: Vec<_> = list.par_iter().map(verdict).collect();
            verdicts.into_iter().collect::<Result<(), _>>()?;
        }
        Signatures::Aggregate { members, signature } if shape.scheme.is_aggregate() => {
            let Message::Field(message) = &statement.message else {
                return Err(Error::WrongMessage(shape.scheme));
            };
            let mut members = members.clone();
            members.sort_unstable();
            let key =
                |member: &usize| committee.members()[*member].public_key.baby_jubjub().copied();
            let keys: Option<Vec<_>> = members.iter().map(key).collect();
            let keys = keys.ok_or(Error::WrongKeys { scheme: shape.scheme, keys: shape.keys })?;
            let keys = KeyAggregation::new(&statement.key_set_root, &keys)
                .map_err(Rejection::AggregateKey)?;
            Musig::verify(&keys.aggregate(), message, signature).map_err(Rejection::Aggregate)?;
        }
        _ => return Err(Error::WrongKind(shape.scheme)),
    }
    if weight < statement.threshold {
        return Err(Rejection::Weight { weight, threshold: statement.threshold }.into());
    }
    Ok(())
}

/// Checks a member's signature.
fn verify_one(
    shape: &Shape,
    (member, key): (usize, &PublicKey),
    message: &Message,
    signature: &Signature,
) -> Result<(), Error> {
    let verdict = match (key, message, signature) {
        (PublicKey::BabyJubjub(key), Message::Field(message), Signature::Edwards(signature)) => {
            match shape.scheme {
                Scheme::Eddsa => Eddsa::verify(key, message, signature),
                _ => Schnorr::verify(key, message, signature),
            }
        }
        (_, Message::Digest(message), _) if shape.scheme.is_foreign() => {
            let key = signing_key(shape.scheme, (member, key), message, signature)?;
            verify_foreign(shape, &key, message, signature)?
        }
        _ => return Err(Error::WrongKind(shape.scheme)),
    };
    verdict.map_err(|rule| Rejection::Signature { member, rule }.into())
}

/// Checks a signature over a curve of another field, by the rule of the shape.
fn verify_foreign(
    shape: &Shape,
    key: &Point,
    message: &[u8; 32],
    signature: &Signature,
) -> Result<Result<(), SignatureError>, Error> {
    let wrong_kind = || Error::WrongKind(shape.scheme);
    let rule = shape.rule.or(shape.scheme.default_rule());
    Ok(match (shape.scheme, signature) {
        (Scheme::SchnorrSecp256k1, Signature::Bip340(signature)) => {
            let key = bip340::PublicKey::from_point(*key);
            key.and_then(|key| Bip340::verify(&key, message, signature))
        }
        (scheme, Signature::Ecdsa(signature) | Signature::Recoverable(signature, _)) => {
            let rule = rule.ok_or_else(wrong_kind)?;
            match scheme {
                Scheme::EcdsaP256 => EcdsaP256::verify_with(rule, key, message, signature),
                _ => EcdsaSecp256k1::verify_with(rule, key, message, signature),
            }
        }
        _ => return Err(wrong_kind()),
    })
}

/// The key that a member signs with: its own, or the one that the signature gives if the set holds
/// its address alone.
pub(crate) fn signing_key(
    scheme: Scheme,
    (member, key): (usize, &PublicKey),
    message: &[u8; 32],
    signature: &Signature,
) -> Result<Point, Error> {
    match (key, signature) {
        (PublicKey::Weierstrass(key), Signature::Ecdsa(_) | Signature::Bip340(_)) => Ok(*key),
        (PublicKey::Address(expected), Signature::Recoverable(signature, id)) => {
            let key = EcdsaSecp256k1::recover(message, signature, *id)
                .map_err(|rule| Rejection::Signature { member, rule })?;
            let (expected, found) = (*expected, key.address());
            match expected == found {
                true => Ok(key),
                false => Err(Rejection::Address { member, expected, found }.into()),
            }
        }
        _ => Err(Error::WrongKind(scheme)),
    }
}

/// The weight of distinct members.
fn signing_weight(committee: &Committee, signers: &[usize]) -> Result<u64, Rejection> {
    let members = committee.members();
    let mut seen = HashSet::new();
    let mut weight = 0;
    for &member in signers {
        let entry = members.get(member);
        let entry = entry.ok_or(Rejection::NotAMember { member, members: members.len() })?;
        if !seen.insert(member) {
            return Err(Rejection::DuplicateSigner(member));
        }
        weight += entry.weight;
    }
    Ok(weight)
}
