//! What a proof was not compared with.

use muster_circuits::{MessageForm, PublicMessage, Shape};

/// A part of a statement that nothing was given to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What it is.
    pub(crate) what: &'static str,
    /// The option that gives it.
    pub(crate) option: &'static str,
    /// The option with its value, and with those that may stand in its place.
    pub(crate) usage: &'static str,
}

impl Missing {
    pub(super) const ROOT: Self = Self { what: "root", option: "--root", usage: "--root HEX" };
    pub(super) const THRESHOLD: Self =
        Self { what: "threshold", option: "--threshold", usage: "--threshold T" };
    pub(super) const SIGNERS: Self =
        Self { what: "list of signers", option: "--signers", usage: "--signers I,J,…" };

    /// The message, as schemes have it.
    pub(super) fn message(shape: &Shape) -> Self {
        let (option, usage) = match (shape.message, shape.public_message()) {
            (MessageForm::CometbftPrecommit, _) => ("--precommit", "--precommit FILE"),
            (_, PublicMessage::Digest) => ("--message", "--message HEX (or --digest HEX)"),
            _ => ("--message", "--message HEX"),
        };
        Self { what: "message", option, usage }
    }

    /// Parts, in words.
    pub(crate) fn names(parts: &[Self]) -> String {
        let names: Vec<_> = parts.iter().map(|part| part.what).collect();
        match &names[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            names => names.concat(),
        }
    }
}
