//! What the steps of FROST have in common on the command line.

use std::path::PathBuf;

use muster_circuits::Scheme;
use muster_prover::encoding::message_from_bytes;
use muster_threshold::frost::{ceremony::StepError, SuiteName};

use crate::{
    files::frost::{read_all, CommitmentFile},
    values::{bytes, Bytes},
    Error,
};

/// The error about the file that a step's document was read from.
pub(crate) fn located<'a>(
    sources: impl AsRef<[(&'static str, &'a [PathBuf])]>,
) -> impl FnOnce(StepError) -> Error {
    move |error| match error {
        StepError::Frost(error) => Error::Frost(error),
        StepError::Field { input, field } => {
            let source = sources.as_ref().iter().find(|(name, _)| *name == input.name);
            match source.and_then(|(_, paths)| paths.get(input.place)) {
                Some(path) => Error::field(path, field.at, field.reason),
                None => Error::usage(format!("--{}: {field}", input.name)),
            }
        }
    }
}

/// What is signed.
#[derive(Debug, clap::Args)]
pub(crate) struct MessageArgs {
    /// The message, in 0x hex: any bytes or, for the suite babyjubjub, a big-endian integer of 32
    /// bytes below the modulus.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Bytes,
}

impl MessageArgs {
    pub(crate) fn read(&self, suite: SuiteName) -> Result<&[u8], Error> {
        let Bytes(message) = &self.message;
        if suite == SuiteName::BabyJubjub {
            // Other bytes would be hashed: no message of the scheme.
            let usage = |reason| Error::usage(format!("--message: {reason}"));
            message_from_bytes(Scheme::Schnorr, message).map_err(usage)?;
        }
        Ok(message)
    }
}

/// What signers and coordinator both read: the message and everybody's commitments.
#[derive(Debug, clap::Args)]
pub(crate) struct PackageArgs {
    /// Commitments of all signers, this member's included: the coordinator's list, the same for
    /// everyone.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(crate) commitments: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) message: MessageArgs,
}

impl PackageArgs {
    pub(crate) fn read(&self, suite: SuiteName) -> Result<(Vec<CommitmentFile>, &[u8]), Error> {
        let message = self.message.read(suite)?;
        Ok((read_all(&self.commitments)?, message))
    }
}

/// The directory that several files go into.
#[derive(Debug, clap::Args)]
pub(crate) struct OutArgs {
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Replace existing files. A secret is replaced only by another of its kind.
    #[arg(long)]
    pub(crate) force: bool,
}
