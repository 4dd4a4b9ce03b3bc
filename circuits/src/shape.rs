//! What fixes a verifying key: scheme, capacity, slots, membership mode and layout.

use std::sync::Arc;

use muster_gadgets::{
    gate::{Layout, Usage},
    membership::{min_depth, zero_hashes, MerkleTree},
};
use serde::{Deserialize, Serialize};

use crate::{builder, layout, options::rule_as_name, Committee, Error, KeyKind, Rule, Scheme};

/// Children of a node, unless asked otherwise: the fastest over the sweeps, see the README.
pub const DEFAULT_ARITY: usize = 5;
/// Most slots of a circuit: what the bounds of the batch allow.
pub const MAX_SLOTS: usize = 1 << 14;

/// How a signer is shown to be a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The circuit hashes all leaves once and looks each signer up: cheap for a good part of the
    /// set.
    WholeSet,
    /// Each signer brings a Merkle path: cheap for few signers of a large set.
    Path,
}

/// What a layout is chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Goal {
    /// The fastest proof.
    #[default]
    Speed,
    /// The cheapest verification by a contract: the fewest columns, whatever the rows.
    Gas,
}

/// What is asked of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Scheme of the signatures.
    pub scheme: Scheme,
    /// How a set names its members.
    pub keys: KeyKind,
    /// Rule on s; `None` for the scheme's own.
    pub rule: Option<Rule>,
    /// Most members of a set.
    pub capacity: usize,
    /// Most signers.
    pub slots: usize,
    /// Membership mode; `None` for the cheaper one.
    pub mode: Option<Mode>,
    /// Children of a node: 2, 4, 5, 8 or 16.
    pub arity: usize,
    /// Levels of the tree; `None` for as few as hold `capacity` members.
    pub depth: Option<usize>,
    /// log₂ of the rows; `None` for the one that is best for the goal.
    pub degree: Option<u32>,
    /// What the layout is chosen for.
    pub goal: Goal,
}

impl Request {
    /// A request with every choice left open.
    pub fn new(scheme: Scheme, capacity: usize, slots: usize) -> Self {
        Self {
            scheme,
            keys: KeyKind::default(),
            rule: None,
            capacity,
            slots,
            mode: None,
            arity: DEFAULT_ARITY,
            depth: None,
            degree: None,
            goal: Goal::Speed,
        }
    }
}

/// Everything that a verifying key depends on. Threshold, set and message are not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Scheme of the signatures.
    pub scheme: Scheme,
    /// How a set names its members; left out where it is by coordinates.
    #[serde(default, skip_serializing_if = "KeyKind::is_coordinates")]
    pub keys: KeyKind,
    /// Rule on s; left out for schemes that have no choice of it.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "rule_as_name")]
    pub rule: Option<Rule>,
    /// Most members of a set.
    pub capacity: usize,
    /// Most signers; rounded up from what was asked, so that the batch comes out even.
    pub slots: usize,
    /// Membership mode.
    pub mode: Mode,
    /// Children of a node.
    pub arity: usize,
    /// Levels of the tree.
    pub depth: usize,
    /// Columns and rows.
    pub layout: Layout,
}

impl Shape {
    /// The narrowest layout for `request`: over all degrees the one that is best for its goal, or
    /// that of the degree asked for.
    ///
    /// # Errors
    ///
    /// [`Error::Slots`], [`Error::Tree`], [`Error::DegreeTooSmall`], or [`Error::Keys`],
    /// [`Error::Rule`] or [`Error::Mode`] for a choice that the scheme does not have.
    pub fn fit(request: &Request) -> Result<Self, Error> {
        layout::fit(request)
    }

    /// log₂ of the rows.
    pub fn degree(&self) -> u32 {
        self.layout.k
    }

    /// The tree of a committee, of this shape's arity and depth.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyMembers`], [`Error::Tree`], or [`Error::WrongKeys`] for a committee of
    /// another kind of keys.
    pub fn tree(&self, committee: &Committee) -> Result<Arc<MerkleTree>, Error> {
        self.terms().tree(committee)
    }

    /// The scheme in words, with the choices that the shape makes.
    pub fn scheme_name(&self) -> String {
        let rule = self.rule.map(|rule| format!(", {}", rule.name())).unwrap_or_default();
        match self.keys {
            KeyKind::Coordinates => format!("{}{rule}", self.scheme),
            KeyKind::Address => format!("{} by address{rule}", self.scheme),
        }
    }

    /// Whether the scheme has the choices that the shape makes: true of every shape that
    /// [`Self::fit`] gives, but perhaps not of one out of a file.
    ///
    /// # Errors
    ///
    /// [`Error::Keys`], [`Error::Rule`] or [`Error::Mode`].
    pub(crate) fn check_choices(&self) -> Result<(), Error> {
        let Self { scheme, keys, rule, mode, .. } = *self;
        let known = choices(scheme, keys, rule, Some(mode))?;
        (known == rule).then_some(()).ok_or(Error::Rule(scheme))
    }

    /// Rows and cells that the circuit takes.
    pub fn usage(&self) -> Usage {
        builder::usage(self)
    }
}

/// The rule on s, if the scheme has a choice of it.
pub(crate) fn choices(
    scheme: Scheme,
    keys: KeyKind,
    rule: Option<Rule>,
    mode: Option<Mode>,
) -> Result<Option<Rule>, Error> {
    if !scheme.names_members_by(keys) {
        return Err(Error::Keys { scheme, keys });
    }
    if scheme.is_foreign() && mode == Some(Mode::WholeSet) {
        return Err(Error::Mode(scheme));
    }
    match (scheme.default_rule(), rule) {
        (None, Some(_)) => Err(Error::Rule(scheme)),
        (default, asked) => Ok(asked.or(default)),
    }
}

/// The depth that `request` asks for or needs.
pub(crate) fn depth(request: &Request) -> Result<usize, Error> {
    let least = min_depth(request.arity, request.capacity)?;
    let depth = request.depth.map_or(least, |depth| depth.max(least));
    zero_hashes(request.arity, depth)?;
    Ok(depth)
}
