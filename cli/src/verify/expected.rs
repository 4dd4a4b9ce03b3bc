//! What the proofs should be about: as much as the command line says of it.

use std::path::PathBuf;

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{Message, MessageForm, PublicMessage, Shape, SignerMask, Statement};
use muster_prover::{
    encoding::{field_to_hex, message_to_hex},
    files::{cometbft::read_precommit, ProofFile},
    VerifierKey,
};
use muster_schemes::decimal;

use crate::{
    fault::{claim, same_key, Missing, ProofFault},
    values::{bytes, field_element, message, proven, word, Bytes},
    Error,
};

/// What the proofs must be about.
#[derive(Debug, clap::Args)]
pub(super) struct ExpectedArgs {
    /// The threshold that the proofs must be about.
    #[arg(long, value_name = "T", value_parser = proven)]
    threshold: Option<u64>,
    /// The key-set root that the proofs must be about.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    root: Option<Fr>,
    #[command(flatten)]
    message: MessageArgs,
    /// Members who must have signed, by index: all of them and nobody else. For keys made with
    /// --mask.
    #[arg(long, value_name = "I,J,…", value_delimiter = ',', value_parser = decimal::read::<usize>)]
    signers: Option<Vec<usize>>,
    /// Accept proofs even if some expected values are not given: those are taken from the proof,
    /// and the verdict says so.
    #[arg(long)]
    unchecked: bool,
}

/// What must have been signed.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct MessageArgs {
    /// The message that the proofs must be about: what was signed or, for precommits, the encoding
    /// of 160 bytes.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Option<Bytes>,
    /// The 32 public bytes of the message, for schemes with digests; for messages of bytes, their
    /// SHA-256.
    #[arg(long, value_name = "HEX", value_parser = word)]
    digest: Option<[u8; 32]>,
    /// File with the precommit that the proofs must be about, with CometBFT's field names: height,
    /// round, block_id, chain_id.
    #[arg(long, value_name = "FILE")]
    precommit: Option<PathBuf>,
}

impl MessageArgs {
    /// What is public of the message, if one was given.
    fn expected(&self, shape: &Shape) -> Result<Option<Message>, Error> {
        if let Some(path) = &self.precommit {
            if shape.message != MessageForm::CometbftPrecommit {
                let reason = "--precommit: the keys are not for CometBFT precommits";
                return Err(Error::usage(reason.into()));
            }
            return Ok(Some(Message::Digest(read_precommit(path)?.digest())));
        }
        if let Some(digest) = self.digest {
            if shape.public_message() != PublicMessage::Digest {
                let reason =
                    format!("--digest: {} has no digest; give --message", shape.scheme_name());
                return Err(Error::usage(reason));
            }
            return Ok(Some(Message::Digest(digest)));
        }
        let read = |bytes| {
            let message = message(shape.scheme, bytes)?;
            Ok(shape.suite()?.stated(&message)?.public())
        };
        self.message.as_ref().map(read).transpose()
    }
}

impl ExpectedArgs {
    /// What the proofs must be about, for keys of this shape. If that is not all, somebody must have said that this will do.
    pub(super) fn of(&self, shape: &Shape) -> Result<Expected, Error> {
        let message = self.message.expected(shape)?;
        let mask = |signers: &Vec<usize>| expected_signers(shape, signers);
        let signers = self.signers.as_ref().map(mask).transpose()?;
        let expected = Expected { root: self.root, threshold: self.threshold, message, signers };
        let missing = expected.missing(shape);
        if missing.is_empty() || self.unchecked {
            Ok(expected)
        } else {
            Err(Error::Uncompared(missing))
        }
    }
}

/// What the proofs should be about.
#[derive(Default)]
pub(super) struct Expected {
    root: Option<Fr>,
    threshold: Option<u64>,
    message: Option<Message>,
    signers: Option<SignerMask>,
}

impl Expected {
    /// A whole statement.
    pub(super) fn whole(statement: &Statement) -> Self {
        let Statement { key_set_root, threshold, message, signers } = statement;
        let (root, threshold) = (Some(*key_set_root), Some(*threshold));
        Self { root, threshold, message: Some(message.public()), signers: signers.clone() }
    }

    /// What was not given: for that the proof's own values are taken, and printed.
    pub(super) fn missing(&self, shape: &Shape) -> Vec<Missing> {
        let parts = [
            (Missing::ROOT, self.root.is_none()),
            (Missing::THRESHOLD, self.threshold.is_none()),
            (Missing::message(shape), self.message.is_none()),
            (Missing::SIGNERS, self.signers.is_none() && shape.mask),
        ];
        parts.into_iter().filter(|(_, is_missing)| *is_missing).map(|(part, _)| part).collect()
    }

    /// The statement that a file's proof is checked against: what the file claims, provided
    /// that it is what is expected and that the file is about these keys.
    pub(super) fn statement(
        &self,
        key: &VerifierKey,
        file: &ProofFile,
    ) -> Result<Statement, ProofFault> {
        same_key(key, file)?;
        let claim = claim(key.shape(), file.claimed_inputs())?;
        let Statement { key_set_root, threshold, message, signers } = &claim;
        let root = self.root.unwrap_or(*key_set_root);
        differs("key-set root", &root, key_set_root, field_to_hex)?;
        let least = self.threshold.unwrap_or(*threshold);
        differs("threshold", &least, threshold, u64::to_string)?;
        differs("message", self.message.as_ref().unwrap_or(message), message, message_to_hex)?;
        if let Some((expected, found)) = self.signers.as_ref().zip(signers.as_ref()) {
            differs("signers", expected, found, SignerMask::to_string)?;
        }
        Ok(claim)
    }
}

/// The mask of those who must have signed.
fn expected_signers(shape: &Shape, signers: &[usize]) -> Result<SignerMask, Error> {
    if !shape.mask {
        let reason =
            "--signers: the keys were made without --mask, so proofs do not say who signed";
        return Err(Error::usage(reason.into()));
    }
    let mask = SignerMask::new(shape.capacity, signers.iter().copied());
    mask.map_err(|fault| Error::usage(format!("--signers: {fault}")))
}

/// Names what a file claims that is not as expected.
fn differs<T: PartialEq>(
    what: &'static str,
    expected: &T,
    found: &T,
    text: impl Fn(&T) -> String,
) -> Result<(), ProofFault> {
    if expected == found {
        Ok(())
    } else {
        Err(ProofFault::OtherStatement { what, expected: text(expected), found: text(found) })
    }
}
