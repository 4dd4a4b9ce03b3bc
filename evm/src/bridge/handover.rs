//! How one committee hands over to the next.

use alloy_primitives::keccak256;

use super::{
    committee::Committee,
    digest::{Digest, Scope},
    fault::BridgeFault,
    types::{ProposalHash, Sequence, ValidUntil},
};
use crate::words::{number, word};

const HANDOVER_TAG: &str = "muster/handover/v2";
const ACCEPTANCE_TAG: &str = "muster/acceptance/v2";

/// A proposal of a committee in office to hand over to the next one. The one signs the handover, the other
/// that it accepts, which shows that it can sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    from: Scope,
    to: Scope,
    proposal: ProposalHash,
}

impl Handover {
    /// The proposal of the committee that signs in `scope`. Of two proposals the one with the greater sequence counts.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::LastEpoch`].
    pub fn new(scope: &Scope, next: &Committee, sequence: Sequence) -> Result<Self, BridgeFault> {
        let epoch = scope.epoch.next()?;
        let words = [
            number(sequence.number()),
            number(epoch.number()),
            next.key().word(),
            word(next.root()),
            number(next.threshold()),
            number(next.form().number().into()),
        ];
        let proposal = ProposalHash(keccak256(words.concat()).0);
        let to = Scope { epoch, key: next.key(), root: *next.root(), ..scope.clone() };
        Ok(Self { from: scope.clone(), to, proposal })
    }

    /// Names the proposal.
    pub fn proposal(&self) -> ProposalHash {
        self.proposal
    }

    /// What the next committee signs in.
    pub fn next_scope(&self) -> &Scope {
        &self.to
    }

    /// What the committee in office signs.
    pub fn digest(&self, valid_until: ValidUntil) -> Digest {
        self.from.signed(HANDOVER_TAG, valid_until, self.proposal.0)
    }

    /// What the next committee signs.
    pub fn acceptance_digest(&self, valid_until: ValidUntil) -> Digest {
        self.to.signed(ACCEPTANCE_TAG, valid_until, self.proposal.0)
    }
}
