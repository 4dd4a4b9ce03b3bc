//! The choices that schemes leave open.

use clap::ValueEnum;
use muster_circuits::{KeyKind, Rule, Scheme};

use crate::Error;

/// How a committee names its members.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct KeysArgs {
    /// How the committee names its members: ecdsa-secp256k1 has addresses, too.
    #[arg(long, value_enum, default_value_t)]
    keys: KeysArg,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum KeysArg {
    /// By their public keys.
    #[default]
    Coordinates,
    /// By the Ethereum addresses of their keys.
    Address,
}

impl KeysArgs {
    /// What was asked for, if the scheme has it.
    pub(crate) fn of(self, scheme: Scheme) -> Result<KeyKind, Error> {
        let keys = match self.keys {
            KeysArg::Coordinates => KeyKind::Coordinates,
            KeysArg::Address => KeyKind::Address,
        };
        match scheme.names_members_by(keys) {
            true => Ok(keys),
            false => Err(Error::Usage(format!("--keys: {scheme} has no sets by {keys}"))),
        }
    }
}

/// The rule on s of ECDSA.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct RuleArgs {
    /// Which s an ECDSA signature may have. Without it low-s for secp256k1, any-s for P-256.
    #[arg(long, value_enum)]
    rule: Option<RuleArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleArg {
    /// At most half the group order, as Bitcoin and Ethereum have it.
    LowS,
    /// Any, as the standards have it.
    AnyS,
}

impl RuleArgs {
    /// The rule, if the scheme has a choice of it.
    pub(crate) fn of(self, scheme: Scheme) -> Result<Option<Rule>, Error> {
        let asked = self.rule.map(|rule| match rule {
            RuleArg::LowS => Rule::LowS,
            RuleArg::AnyS => Rule::AnyS,
        });
        match (scheme.default_rule(), asked) {
            (None, Some(_)) => Err(Error::Usage(format!("--rule: {scheme} has no rule on s"))),
            (default, asked) => Ok(asked.or(default)),
        }
    }
}

/// What a circuit is for: the scheme, and the choices that it leaves open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suite {
    pub(super) scheme: Scheme,
    pub(super) keys: KeyKind,
    pub(super) rule: Option<Rule>,
}

impl Suite {
    /// A scheme and the choices that it has.
    pub(super) fn new(scheme: Scheme, keys: KeyKind, rule: RuleArgs) -> Result<Self, Error> {
        Ok(Self { scheme, keys, rule: rule.of(scheme)? })
    }
}
