//! Commits in which the signatures of validators with BLS keys are added up, as chains have them that fork CometBFT for it
//! (`BlockIDFlagAggCommit` and what follows it).

use std::path::Path;

use muster_circuits::Message;
use muster_schemes::signature::{cometbft::Precommit, SignedBytes};

use super::{
    entry::{Bad, RawSignature, Unheld, Voter, ABSENT, COMMIT},
    validators::{bls_suite, Validators},
};
use crate::{
    files::{bases::from_base64, imported::Together, CommitteeFile, SignaturesFile},
    Error,
};

/// The one for the block who brings the sum, and the others who are in it; the same of those for nil.
pub(super) const FOR_THE_BLOCK: u64 = 4;
const ALSO_FOR_THE_BLOCK: u64 = 5;
const FOR_NONE: u64 = 6;
const ALSO_FOR_NONE: u64 = 7;
/// Bytes of a signature.
const SIGNATURE: usize = 96;

/// What the validators did.
#[derive(Default)]
pub(super) struct Votes {
    pub(super) unheld: Vec<Unheld>,
    pub(super) absent: Vec<Voter>,
    pub(super) nil: Vec<Voter>,
    for_the_block: Sum,
    for_none: Sum,
}

/// A signature that several made, and who they are.
#[derive(Default)]
struct Sum {
    members: Vec<usize>,
    /// With the entry that has it.
    signature: Option<(usize, [u8; SIGNATURE])>,
}

/// Whether a commit has such a signature.
pub(super) fn is_one(signatures: &[RawSignature]) -> bool {
    signatures.iter().any(|one| (FOR_THE_BLOCK..=ALSO_FOR_NONE).contains(&one.block_id_flag))
}

impl Votes {
    /// Adds what the next validator did; an error names the field.
    pub(super) fn add(
        &mut self,
        number: usize,
        one: &RawSignature,
        validators: &Validators,
    ) -> Result<(), Bad> {
        let validator = &validators.list[number];
        let (flag, address) = (one.block_id_flag, validator.address.clone());
        // There are no empty places in sets of BLS.
        let member = number - self.unheld.len();
        if let Err(reason) = &validator.key {
            let (power, reason) = (validator.hashed.power, reason.clone());
            if flag != ABSENT {
                let reason =
                    format!("{flag}, but no set can hold the key, and it is in a sum: {reason}");
                return Err(("block_id_flag", reason));
            }
            self.unheld.push(Unheld { validator: number, member: None, address, power, reason });
            return Ok(());
        }
        let (sum, brings) = match flag {
            ABSENT => {
                self.absent.push(Voter { member, address });
                return Ok(());
            }
            FOR_THE_BLOCK | ALSO_FOR_THE_BLOCK => (&mut self.for_the_block, FOR_THE_BLOCK),
            FOR_NONE | ALSO_FOR_NONE => {
                self.nil.push(Voter { member, address });
                (&mut self.for_none, FOR_NONE)
            }
            other => {
                let reason = format!("{other} is not 1 nor from 4 to 7, as beside others in a sum");
                return Err(("block_id_flag", reason));
            }
        };
        sum.members.push(member);
        match (&one.signature, flag == brings) {
            (None, false) => Ok(()),
            (Some(text), true) if sum.signature.is_none() => {
                let signature = from_base64(text).map_err(|reason| ("signature", reason))?;
                sum.signature = Some((number, signature));
                Ok(())
            }
            (None, true) => Err(("signature", "missing".into())),
            (Some(_), false) => Err(("signature", "there, but it is in the sum of another".into())),
            (Some(_), true) => Err(("block_id_flag", format!("{flag} for the second time"))),
        }
    }

    /// The signature on the block, once both hold.
    pub(super) fn verified(
        &self,
        path: &Path,
        precommit: &Precommit,
        committee: &CommitteeFile,
    ) -> Result<SignaturesFile, Error> {
        let Self { for_the_block, for_none, .. } = self;
        if !for_none.members.is_empty() {
            for_none.verified(path, committee, precommit.signed_bytes_together_for_none())?;
        }
        for_the_block.verified(path, committee, precommit.signed_bytes_together())
    }
}

impl Sum {
    fn verified(
        &self,
        path: &Path,
        committee: &CommitteeFile,
        signed: Vec<u8>,
    ) -> Result<SignaturesFile, Error> {
        let Some((number, signature)) = self.signature else {
            let reason = "none of them has the sum";
            return Err(Error::field(path, format!("{COMMIT}.signatures"), reason));
        };
        let at = format!("{COMMIT}.signatures[{number}].signature");
        let (suite, message) = (bls_suite(signed.len())?, SignedBytes::new(&signed));
        let (signer, members) = ("the validators in the sum", self.members.clone());
        let together = Together { path, at: &at, signer, members, signature: &signature };
        together.verified(committee, suite, Message::Bytes(message))
    }
}
