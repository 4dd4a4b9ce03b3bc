//! Choices that a scheme may leave open: how members are named, the rule, and what of a message is public.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{MessageForm, PointHash, SignatureScheme};

/// How a set names its members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyKind {
    /// By the coordinates of their keys.
    #[default]
    Coordinates,
    /// By Ethereum addresses.
    Address,
}

impl KeyKind {
    /// Whether it is by coordinates.
    pub fn is_coordinates(&self) -> bool {
        *self == Self::Coordinates
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coordinates => "coordinates",
            Self::Address => "address",
        })
    }
}

/// Which signatures count where implementations differ. A scheme lists its rules in
/// [`SignatureScheme::RULES`](super::SignatureScheme::RULES); for any other rule, its checks apply the narrowest
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// ECDSA: of (r, s) and (r, n - s) only the one whose s is at most n/2, as in Bitcoin (BIP-146)
    /// and Ethereum (EIP-2).
    LowS,
    /// ECDSA: both, as in the standards.
    AnyS,
    /// Ed25519: the equation times the cofactor, for any encoding of a point (ZIP 215).
    Zip215,
    /// Ed25519: the equation times the cofactor, for canonical encodings (RFC 8032, section 5.1.7).
    Rfc8032,
    /// Ed25519: the equation itself, for canonical encodings of points that are not of small order:
    /// `verify_strict` of the crate `ed25519-dalek`.
    Strict,
    /// BLS: keys whose owners have proven that they know the secrets.
    ProvenKeys,
    /// BLS: any keys. A rogue key, made up from the keys of others, signs for all of them, so whoever commits to a
    /// set must know by other means that it has none.
    TrustedKeys,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 7] = [
        Self::LowS,
        Self::AnyS,
        Self::Zip215,
        Self::Rfc8032,
        Self::Strict,
        Self::ProvenKeys,
        Self::TrustedKeys,
    ];

    /// The name of the rule in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::LowS => "low-s",
            Self::AnyS => "any-s",
            Self::Zip215 => "zip215",
            Self::Rfc8032 => "rfc8032",
            Self::Strict => "strict",
            Self::ProvenKeys => "proven-keys",
            Self::TrustedKeys => "trusted-keys",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::LowS => "s at most n/2",
            Self::AnyS => "any s",
            Self::Zip215 => "8 times the equation, any encoding of R and A",
            Self::Rfc8032 => "8 times the equation, R and A canonical",
            Self::Strict => {
                "the equation itself, R and A canonical, R not of small order, A in the subgroup of \
                 order l"
            }
            Self::ProvenKeys => "each key with a proof of possession",
            Self::TrustedKeys => "keys without proofs of possession, on the word of whoever lists them",
        }
    }
}

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
        if S::hashes(hash, self.form.unwrap_or(S::FORM)) {
            Ok(Self { hash, ..self })
        } else {
            Err(NoSuchChoice::Hash(hash))
        }
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
