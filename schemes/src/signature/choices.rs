//! Choices that a scheme may leave open.

use super::{KeyKind, MessageForm, PointHash, Rule, SignatureScheme};

/// A choice that a scheme does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSuchChoice {
    /// Its members cannot be named in this way.
    Keys(KeyKind),
    /// It has no such rule.
    Rule(Rule),
    /// Its signers do not sign messages of this form.
    Form(MessageForm),
    /// Its signers do not hash messages of the chosen form to points in this way.
    Hash(PointHash),
}

/// The choices made for a scheme: how a set names its members, the rule by which signatures are accepted, which part of
/// a message is public, and how it is hashed to a point. The default value takes the defaults of the scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    keys: KeyKind,
    rule: Option<Rule>,
    form: Option<MessageForm>,
    hash: PointHash,
}

impl Choices {
    /// The choices of the scheme `S`: its default rule and form if none are given.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice`].
    pub fn new<S: SignatureScheme>(
        keys: KeyKind,
        rule: Option<Rule>,
        form: Option<MessageForm>,
    ) -> Result<Self, NoSuchChoice> {
        if !S::KEY_KINDS.contains(&keys) {
            return Err(NoSuchChoice::Keys(keys));
        }
        if let Some(rule) = rule.filter(|rule| !S::RULES.contains(rule)) {
            return Err(NoSuchChoice::Rule(rule));
        }
        if let Some(form) = form.filter(|form| !S::takes(form)) {
            return Err(NoSuchChoice::Form(form));
        }
        let rule = rule.or(S::RULES.first().copied());
        let hash = PointHash::default();
        Ok(Self { keys, rule, form: form.or(Some(S::FORM)), hash })
    }

    /// The same choices, with messages hashed to points by `hash`.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice::Hash`].
    pub fn with_hash<S: SignatureScheme>(self, hash: PointHash) -> Result<Self, NoSuchChoice> {
        let has_hash = S::hashes(hash, self.form.unwrap_or(S::FORM));
        has_hash.then_some(Self { hash, ..self }).ok_or(NoSuchChoice::Hash(hash))
    }

    /// How a set names its members.
    pub fn keys(&self) -> KeyKind {
        self.keys
    }

    /// Which part of a message is public; `None` for the scheme's default.
    pub fn form(&self) -> Option<MessageForm> {
        self.form
    }

    /// How messages are hashed to points, where they are.
    pub fn hash(&self) -> PointHash {
        self.hash
    }

    /// The rule; `None` for the scheme's default, or if there is only one way to accept signatures.
    pub fn rule(&self) -> Option<Rule> {
        self.rule
    }
}
