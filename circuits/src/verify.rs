//! The native check of what a circuit proves.

use std::collections::HashSet;

use muster_gadgets::{
    curve::weierstrass::{Curve, Point},
    membership::PublicKey,
    signature::{
        self as edwards,
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
    scheme::{Embedded, Family, Foreign},
    Committee, Error, Message, Rejection, Scheme, Selection, Shape, Signature, Signatures,
    Statement, Terms,
};

/// Weights and their sums stay below 2 to this power.
pub(crate) const TOTAL_WEIGHT_BITS: u32 = 48;

/// Checks natively what the circuit of `shape` is to prove: all signatures, and that those which it
/// has slots for reach the threshold.
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
    select(shape, statement, committee, signatures).map(|_| ())
}

/// The same, and gives the signatures that the circuit is to be filled with.
///
/// # Errors
///
/// Those of [`verify`].
pub fn select<'a>(
    shape: &Shape,
    statement: &Statement,
    committee: &Committee,
    signatures: &'a Signatures,
) -> Result<Selection<'a>, Error> {
    shape.terms().verify(statement, committee, signatures)?;
    Selection::new(shape.slots, statement.threshold, committee, signatures)
}

impl Terms {
    /// Checks natively that a statement holds, in the order in which a user would want to know:
    /// every rule that is broken has its own [`Rejection`].
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] for a false statement, another error for what does not fit the terms.
    pub fn verify(
        &self,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<(), Error> {
        if matches!(statement.message, Message::Digest(_)) != self.scheme().is_foreign() {
            return Err(Error::WrongMessage(self.scheme()));
        }
        let weight = signing_weight(committee, &signatures.members())?;
        if statement.threshold == 0 || statement.threshold >> TOTAL_WEIGHT_BITS != 0 {
            return Err(Rejection::Threshold(statement.threshold).into());
        }
        if self.tree(committee)?.root() != statement.key_set_root {
            return Err(Rejection::Root.into());
        }
        self.verify_signatures(statement, committee, signatures)?;
        if weight < statement.threshold {
            return Err(Rejection::Weight { weight, threshold: statement.threshold }.into());
        }
        Ok(())
    }

    fn verify_signatures(
        &self,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<(), Error> {
        match (self.family(), signatures) {
            (Family::Embedded(Embedded::Musig), Signatures::Aggregate { members, signature }) => {
                self.verify_aggregate(statement, committee, (members, signature))
            }
            (
                Family::Embedded(Embedded::Schnorr | Embedded::Eddsa)
                | Family::Foreign(Foreign::Ecdsa { .. } | Foreign::Bip340),
                Signatures::Independent(list),
            ) => {
                let verdict = |(member, signature): &(usize, Signature)| {
                    let key = &committee.members()[*member].public_key;
                    self.verify_one((*member, key), &statement.message, signature)
                };
                // The first bad signature, whichever thread finds one first.
                let verdicts: Vec<_> = list.par_iter().map(verdict).collect();
                verdicts.into_iter().collect()
            }
            (Family::Embedded(Embedded::Musig), Signatures::Independent(_))
            | (
                Family::Embedded(Embedded::Schnorr | Embedded::Eddsa)
                | Family::Foreign(Foreign::Ecdsa { .. } | Foreign::Bip340),
                Signatures::Aggregate { .. },
            ) => Err(Error::WrongKind(self.scheme())),
        }
    }

    /// Checks the one signature of all signers.
    fn verify_aggregate(
        &self,
        statement: &Statement,
        committee: &Committee,
        (members, signature): (&[usize], &edwards::Signature),
    ) -> Result<(), Error> {
        let Message::Field(message) = &statement.message else {
            return Err(Error::WrongMessage(self.scheme()));
        };
        let mut members = members.to_vec();
        members.sort_unstable();
        let key = |member: &usize| committee.members()[*member].public_key.baby_jubjub().copied();
        let keys: Option<Vec<_>> = members.iter().map(key).collect();
        let keys = keys.ok_or(Error::WrongKeys { scheme: self.scheme(), keys: self.keys() })?;
        let keys =
            KeyAggregation::new(&statement.key_set_root, &keys).map_err(Rejection::AggregateKey)?;
        let verdict = Musig::verify(&keys.aggregate(), message, signature);
        verdict.map_err(|rule| Rejection::Aggregate { members, rule }.into())
    }

    /// Checks a member's own signature.
    fn verify_one(
        &self,
        (member, key): (usize, &PublicKey),
        message: &Message,
        signature: &Signature,
    ) -> Result<(), Error> {
        let scheme = self.scheme();
        let verdict = match (self.family(), message) {
            (Family::Embedded(embedded), Message::Field(message)) => {
                let (PublicKey::BabyJubjub(key), Signature::Edwards(signature)) = (key, signature)
                else {
                    return Err(Error::WrongKind(scheme));
                };
                match embedded {
                    Embedded::Schnorr => Schnorr::verify(key, message, signature),
                    Embedded::Eddsa => Eddsa::verify(key, message, signature),
                    // Its signers have one signature together.
                    Embedded::Musig => return Err(Error::WrongKind(scheme)),
                }
            }
            (Family::Foreign(foreign), Message::Digest(message)) => {
                let key = signing_key(scheme, (member, key), message, signature)?;
                verify_foreign(foreign, &key, message, signature).ok_or(Error::WrongKind(scheme))?
            }
            (Family::Embedded(_), Message::Digest(_)) | (Family::Foreign(_), Message::Field(_)) => {
                return Err(Error::WrongMessage(scheme))
            }
        };
        verdict.map_err(|rule| Rejection::Signature { member, rule }.into())
    }
}

/// Checks a signature over a curve of another field; `None` if it is not of the scheme's kind.
fn verify_foreign(
    scheme: Foreign,
    key: &Point,
    message: &[u8; 32],
    signature: &Signature,
) -> Option<Result<(), SignatureError>> {
    Some(match (scheme, signature) {
        (Foreign::Bip340, Signature::Bip340(signature)) => {
            let key = bip340::PublicKey::from_point(*key);
            key.and_then(|key| Bip340::verify(&key, message, signature))
        }
        (
            Foreign::Ecdsa { curve, rule },
            Signature::Ecdsa(signature) | Signature::Recoverable(signature, _),
        ) => match curve {
            Curve::Secp256k1 => EcdsaSecp256k1::verify_with(rule, key, message, signature),
            Curve::P256 => EcdsaP256::verify_with(rule, key, message, signature),
        },
        (Foreign::Bip340, Signature::Ecdsa(_) | Signature::Recoverable(..))
        | (Foreign::Ecdsa { .. }, Signature::Bip340(_))
        | (Foreign::Bip340 | Foreign::Ecdsa { .. }, Signature::Edwards(_)) => return None,
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
pub(crate) fn signing_weight(committee: &Committee, signers: &[usize]) -> Result<u64, Rejection> {
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
