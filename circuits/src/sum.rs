//! Adding up signatures, where keys add up.

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
        distinct(committee.members(), &members)?;
        if members.is_empty() {
            return Err(Rejection::NoSignatures.into());
        }
        let keys = members.iter().map(|member| &committee.members()[*member].public_key);
        let signature = adds_keys
            .add_up(&keys.collect::<Vec<_>>(), &message, &signatures)
            .map_err(|refusal| rejected(name, &members, refusal))?;
        Ok(Signatures::Aggregate { members, signature })
    }
}
