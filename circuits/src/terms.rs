//! What decides whether a statement holds, before there is a circuit.

use std::sync::Arc;

use muster_gadgets::membership::{Member, MerkleTree};

use crate::{
    scheme::Family,
    shape::{choices, depth},
    Committee, Error, KeyKind, Request, Rule, Scheme, Shape,
};

/// All of a [`Shape`] that the native check asks for. It is known before a layout is searched for,
/// which takes long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    scheme: Scheme,
    keys: KeyKind,
    rule: Option<Rule>,
    capacity: usize,
    arity: usize,
    depth: usize,
}

impl Terms {
    /// Scheme of the signatures.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// How a set names its members.
    pub fn keys(&self) -> KeyKind {
        self.keys
    }

    /// The scheme with its choices made.
    pub(crate) fn family(&self) -> Family {
        self.scheme.family(self.rule)
    }

    /// The tree of a committee, of the arity and depth asked for.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyMembers`], [`Error::Tree`], or [`Error::WrongKeys`] for a committee of
    /// another kind of keys.
    pub fn tree(&self, committee: &Committee) -> Result<Arc<MerkleTree>, Error> {
        let members = committee.members().len();
        if members > self.capacity {
            return Err(Error::TooManyMembers { members, capacity: self.capacity });
        }
        let admitted = |member: &Member| self.scheme.admits(self.keys, &member.public_key);
        if !committee.members().iter().all(admitted) {
            return Err(Error::WrongKeys { scheme: self.scheme, keys: self.keys });
        }
        committee.tree(self.arity, self.depth)
    }
}

impl Request {
    /// What decides whether a statement holds in any circuit that is made for this request.
    ///
    /// # Errors
    ///
    /// [`Error::Tree`], or [`Error::Keys`], [`Error::Rule`] or [`Error::Mode`] for a choice that the
    /// scheme does not have.
    pub fn terms(&self) -> Result<Terms, Error> {
        let &Self { scheme, keys, rule, capacity, arity, mode, .. } = self;
        let rule = choices(scheme, keys, rule, mode)?;
        Ok(Terms { scheme, keys, rule, capacity, arity, depth: depth(self)? })
    }
}

impl Shape {
    /// What decides whether a statement holds in the circuit of this shape.
    pub fn terms(&self) -> Terms {
        let &Self { scheme, keys, rule, capacity, arity, depth, .. } = self;
        Terms { scheme, keys, rule, capacity, arity, depth }
    }
}
