//! Adding up signatures, where keys add up.

use std::slice;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_gadgets::signature::instructions::SignatureInstructions;
use muster_schemes::signature::{AnySignature, Message, SignedMessage};

use crate::{
    committee::Committee,
    error::{Error, Rejection},
    scheme::{SchemeVisitor, Suite},
    selection::{distinct, Signatures},
    witness::rejected,
};

impl Suite {
    /// Adds up signatures on one message, one by each of these members, after verifying each. Does not check whether a
    /// set of the suite can hold their keys.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] if nobody signs, for a signer who is no member or signs twice, or for a bad signature;
    /// [`Error::WrongMessage`]; [`Error::WrongKind`] for signatures or keys of another scheme, or if those of this one do not add up.
    pub fn add_up(
        &self,
        committee: &Committee,
        message: &Message,
        signed: &[(usize, AnySignature)],
    ) -> Result<Signatures, Error> {
        self.visit(AddUp { suite: self, committee, message, signed })
    }

    /// Checks a signature that these members made together, as a proof would have to. Does not check whether a set of the
    /// suite can hold their keys, nor what they weigh.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] if nobody signs, for a signer who is no member or named twice, or for a bad signature;
    /// [`Error::WrongMessage`]; [`Error::WrongKind`] for a signature or keys of another scheme, or if those of this one do not
    /// add up.
    pub fn check_sum(
        &self,
        committee: &Committee,
        message: &Message,
        members: &[usize],
        signature: &AnySignature,
    ) -> Result<(), Error> {
        self.visit(CheckSum { suite: self, committee, message, members, signature })
    }
}

struct AddUp<'a> {
    suite: &'a Suite,
    committee: &'a Committee,
    message: &'a Message,
    signed: &'a [(usize, AnySignature)],
}

impl SchemeVisitor for AddUp<'_> {
    type Output = Result<Signatures, Error>;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
        let Self { suite, committee, message, signed } = self;
        let name = suite.scheme();
        let adds_keys = scheme.adds_keys().ok_or(Error::WrongKind(name))?;
        let message = S::Message::of(message).ok_or(Error::WrongMessage(name))?;
        let (members, signatures): (Vec<_>, Vec<_>) = signed.iter().cloned().unzip();
        check_signers(committee, &members)?;
        let keys = members.iter().map(|member| &committee.members()[*member].public_key);
        let signature = adds_keys
            .add_up(&keys.collect::<Vec<_>>(), &message, &signatures)
            .map_err(|refusal| rejected(name, &members, refusal))?;
        Ok(Signatures::Aggregate { members, signature })
    }
}

struct CheckSum<'a> {
    suite: &'a Suite,
    committee: &'a Committee,
    message: &'a Message,
    members: &'a [usize],
    signature: &'a AnySignature,
}

impl SchemeVisitor for CheckSum<'_> {
    type Output = Result<(), Error>;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
        let Self { suite, committee, message, members, signature } = self;
        let name = suite.scheme();
        // Others sign something of the root.
        scheme.adds_keys().ok_or(Error::WrongKind(name))?;
        let message = S::Message::of(message).ok_or(Error::WrongMessage(name))?;
        check_signers(committee, members)?;
        let keys = members.iter().map(|member| committee.members()[*member].public_key.clone());
        let keys: Vec<_> = keys.collect();
        let verified = scheme.verify_all(&Fr::ZERO, &keys, &message, slice::from_ref(signature));
        verified.map(drop).map_err(|refusal| rejected(name, members, refusal))
    }
}

/// Checks that there are signers, and that each is another member.
fn check_signers(committee: &Committee, members: &[usize]) -> Result<(), Error> {
    distinct(committee.members(), members)?;
    if members.is_empty() {
        return Err(Rejection::NoSignatures.into());
    }
    Ok(())
}
