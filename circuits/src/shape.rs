//! What fixes a verifying key: scheme, capacity, slots, membership mode and layout.

use std::ops::{Not, Range};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gates::Layout;
use muster_schemes::{
    membership::{MaskError, SignerMask},
    signature::{KeyKind, MessageForm, PointHash, PublicMessage, Rule},
};
use serde::{Deserialize, Serialize};

use crate::{scheme::Scheme, statement::MESSAGE};

/// The most slots of a circuit: as many as the bounds of the batch allow.
pub const MAX_SLOTS: usize = 1 << 14;

/// Who is in the slots, and how each of them is shown to be a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The circuit hashes all leaves once and looks each signer up: cheap if a good part of the set
    /// signs.
    WholeSet,
    /// Each signer brings a Merkle path: cheap if few members of a large set sign.
    Path,
    /// Each member who did not sign brings a Merkle path: cheap if few did not. For schemes whose keys
    /// add up.
    Complement,
}

impl Mode {
    /// Whether the slots are for the members who did not sign.
    pub fn holds_absent(self) -> bool {
        match self {
            Self::WholeSet | Self::Path => false,
            Self::Complement => true,
        }
    }

    /// Whether each member in a slot brings a Merkle path.
    pub(crate) fn is_by_path(self) -> bool {
        match self {
            Self::WholeSet => false,
            Self::Path | Self::Complement => true,
        }
    }
}

/// What a circuit has to provide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Scheme of the signatures.
    pub scheme: Scheme,
    /// How a set names its members.
    pub keys: KeyKind,
    /// Rule by which signatures are accepted; `None` for the scheme's default.
    pub rule: Option<Rule>,
    /// Which part of a message is public; `None` for the scheme's default.
    pub message: Option<MessageForm>,
    /// How messages are hashed to points.
    pub hash: PointHash,
    /// Most members of a set.
    pub capacity: usize,
    /// Most signers.
    pub slots: usize,
    /// Most members who do not sign: slots of the mode [`Mode::Complement`], which is not chosen without
    /// this.
    pub absent: Option<usize>,
    /// Membership mode; `None` for the cheapest one.
    pub mode: Option<Mode>,
    /// Children of a node: 2, 4, 5, 8 or 16.
    pub arity: usize,
    /// Levels of the tree; `None` for as few as hold `capacity` members.
    pub depth: Option<usize>,
    /// Whether statements say who signed.
    pub mask: bool,
    /// log₂ of the rows; `None` for the one with the fastest proofs.
    pub degree: Option<u32>,
}

impl Request {
    /// A request with every choice left open.
    pub fn new(scheme: Scheme, capacity: usize, slots: usize) -> Self {
        Self {
            scheme,
            keys: KeyKind::default(),
            rule: None,
            message: None,
            hash: PointHash::default(),
            capacity,
            slots,
            absent: None,
            mode: None,
            arity: scheme.default_arity(),
            depth: None,
            mask: false,
            degree: None,
        }
    }
}

/// Everything that a verifying key depends on. Threshold, set and message are not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Scheme of the signatures.
    pub scheme: Scheme,
    /// How a set names its members; omitted if by coordinates.
    #[serde(default, skip_serializing_if = "KeyKind::is_coordinates")]
    pub keys: KeyKind,
    /// Rule by which signatures are accepted; omitted for schemes without a choice.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "rule_as_name")]
    pub rule: Option<Rule>,
    /// Which part of a message is public; omitted if all of it is.
    #[serde(default, skip_serializing_if = "MessageForm::is_public")]
    pub message: MessageForm,
    /// How messages are hashed to points; omitted for the default way, or if they are not hashed.
    #[serde(default, skip_serializing_if = "PointHash::is_default")]
    pub hash: PointHash,
    /// Most members of a set.
    pub capacity: usize,
    /// The most signers or, if the mode [holds the absent](Mode::holds_absent), the most members who did not sign; rounded up
    /// from the request, so that the lanes are filled evenly.
    pub slots: usize,
    /// Membership mode.
    pub mode: Mode,
    /// Children of a node.
    pub arity: usize,
    /// Levels of the tree.
    pub depth: usize,
    /// Whether statements say who signed; omitted if they do not.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub mask: bool,
    /// Columns and rows.
    pub layout: Layout,
}

impl Shape {
    /// log₂ of the rows.
    pub fn degree(&self) -> u32 {
        self.layout.k
    }

    /// The slots in words.
    pub fn slots_in_words(&self) -> String {
        let whose = if self.mode.holds_absent() { " for the absent" } else { "" };
        format!("{} slots{whose}", self.slots)
    }

    /// What kind of message a statement has.
    pub fn public_message(&self) -> PublicMessage {
        self.scheme.public_message(self.message)
    }

    /// Number of public inputs.
    pub fn public_inputs(&self) -> usize {
        self.mask_inputs().end
    }

    /// Places of the mask's words among the public inputs, after the message; none if statements do not say who signed.
    pub fn mask_inputs(&self) -> Range<usize> {
        let start = MESSAGE + self.public_message().inputs();
        let words = if self.mask { SignerMask::words_of(self.capacity) } else { 0 };
        start..start + words
    }

    /// The signers that public inputs name, if the shape says who signed. There must be as many
    /// inputs as the shape has.
    ///
    /// # Errors
    ///
    /// [`MaskError`] if the words are not a mask.
    pub fn signers(&self, public_inputs: &[Fr]) -> Result<Option<SignerMask>, MaskError> {
        let words = public_inputs.get(self.mask_inputs()).unwrap_or_default();
        self.mask.then(|| SignerMask::from_words(self.capacity, words)).transpose()
    }
}

/// Serde for the rule of a shape.
mod rule_as_name {
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    use super::Rule;

    pub(super) fn serialize<S: Serializer>(rule: &Option<Rule>, to: S) -> Result<S::Ok, S::Error> {
        match rule {
            Some(rule) => to.serialize_str(rule.name()),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Rule>, D::Error> {
        let name = String::deserialize(from)?;
        let rule = Rule::ALL.into_iter().find(|rule| rule.name() == name);
        rule.map(Some).ok_or_else(|| D::Error::custom(format!("unknown rule {name:?}")))
    }
}
