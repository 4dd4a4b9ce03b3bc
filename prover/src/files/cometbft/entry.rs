//! An entry of a commit: what a validator did, as the node answers.

use serde::Deserialize;

use super::validators::{upper_case, Validators};

/// Where the commit is in an answer.
pub(super) const COMMIT: &str = "result.signed_header.commit";
/// `BlockIDFlagAbsent` of CometBFT's `types/block.go`.
pub(super) const ABSENT: u64 = 1;

/// A validator whose signature is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voter {
    /// Their place in the committee.
    pub member: usize,
    /// Their address, in upper-case hex.
    pub address: String,
}

/// A validator whose key no set can hold, so that it does not matter what they did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unheld {
    /// Their place among the validators.
    pub validator: usize,
    /// Their empty place in the committee; `None` if they are left out of it.
    pub member: Option<usize>,
    /// Their address, in upper-case hex; for keys of secp256k1, as the node gives it.
    pub address: String,
    /// Their power, which counts in the total.
    pub power: u64,
    /// Why no set can hold the key.
    pub reason: String,
}

/// How many of these are left out of the committee.
pub(super) fn not_members(unheld: &[Unheld]) -> usize {
    unheld.iter().filter(|one| one.member.is_none()).count()
}

#[derive(Deserialize)]
pub(super) struct RawSignature {
    pub(super) block_id_flag: u64,
    validator_address: String,
    pub(super) timestamp: String,
    pub(super) signature: Option<String>,
}

impl RawSignature {
    /// Checks whose it is; absent validators do not say.
    pub(super) fn check_address(
        &self,
        validators: &Validators,
        number: usize,
    ) -> Result<(), String> {
        let (found, address) = (&self.validator_address, &validators.list[number].address);
        let found = &upper_case(found);
        if self.block_id_flag == ABSENT || found == address {
            return Ok(());
        }
        let reason = format!("{found:?}, but the validator is {address}");
        Err(match validators.on_another_page(found, number) {
            Some(place) => format!("{reason}; {found} is {place}: the pages are out of order"),
            None => reason,
        })
    }
}
