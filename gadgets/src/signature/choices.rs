//! Choices that a scheme may leave open.

use super::{KeyKind, Rule, SignatureScheme};

/// A choice that a scheme does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSuchChoice {
    /// Its members cannot be named in this way.
    Keys(KeyKind),
    /// It has no such rule.
    Rule(Rule),
}

/// Choices that a scheme has: how a set names its members, and the rule by which signatures are accepted.
/// The default ones are those that every scheme has: coordinates, and its own rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    keys: KeyKind,
    rule: Option<Rule>,
}

impl Choices {
    /// The choices of the scheme `S`: its default rule if none is given.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice`].
    pub fn new<S: SignatureScheme>(
        keys: KeyKind,
        rule: Option<Rule>,
    ) -> Result<Self, NoSuchChoice> {
        if !S::KEY_KINDS.contains(&keys) {
            return Err(NoSuchChoice::Keys(keys));
        }
        match rule {
            Some(rule) if !S::RULES.contains(&rule) => Err(NoSuchChoice::Rule(rule)),
            Some(rule) => Ok(Self { keys, rule: Some(rule) }),
            None => Ok(Self { keys, rule: S::RULES.first().copied() }),
        }
    }

    /// How a set names its members.
    pub fn keys(&self) -> KeyKind {
        self.keys
    }

    /// The rule; `None` for the scheme's default, or if there is only one way to accept signatures.
    pub fn rule(&self) -> Option<Rule> {
        self.rule
    }
}
