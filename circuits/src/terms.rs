//! What decides whether a statement holds, before there is a circuit.

use std::sync::Arc;

use muster_schemes::{
    membership::{min_depth, zero_hashes, KeySetTree, SignerMask},
    signature::{bls::PointMessage, Message, PublicMessage, MAX_PLAIN_BYTES},
};

use crate::{
    committee::Committee,
    encoding::message_to_bytes,
    error::Error,
    scheme::Suite,
    shape::{Request, Shape},
};

/// The part of a [`Shape`] that the native check needs. It is known before the search for a layout,
/// which takes long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    suite: Suite,
    capacity: usize,
    arity: usize,
    depth: usize,
    mask: bool,
}

impl Terms {
    /// The scheme of the signatures, its choices made.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// Capacity of the mask of signers; `None` if statements do not say who signed.
    pub(crate) fn masked(&self) -> Option<usize> {
        self.mask.then_some(self.capacity)
    }

    /// Levels of the tree.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Checks that there is room for so many members.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyMembers`].
    pub fn check_room(&self, members: usize) -> Result<(), Error> {
        let capacity = self.capacity;
        (members <= capacity).then_some(()).ok_or(Error::TooManyMembers { members, capacity })
    }

    /// The tree of a committee, with the requested arity and depth.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyMembers`], [`Error::Tree`], or [`Error::WrongKey`] for a member whom no set of the scheme
    /// holds under its choices.
    pub fn tree(&self, committee: &Committee) -> Result<Arc<KeySetTree>, Error> {
        self.check_room(committee.members().len())?;
        committee.admitted(self.suite)?;
        committee.tree(self.arity, self.depth)
    }
}

/// Checks that a mask can have this many members, if one is asked for.
fn check_mask(mask: bool, capacity: usize) -> Result<(), Error> {
    if mask {
        SignerMask::check(capacity)?;
    }
    Ok(())
}

impl Suite {
    /// A message as statements hold it, in the chosen form.
    ///
    /// # Errors
    ///
    /// [`Error::LongMessage`] for more bytes than can be public, [`Error::OtherLength`] where only 32 can, [`Error::NoPoint`]
    /// for bytes that are not those of a point where one is signed.
    pub fn stated(&self, message: &Message) -> Result<Message, Error> {
        let is_read = matches!(message, Message::Digest(_) | Message::Bytes(_));
        if let (PublicMessage::Point(group), true) = (self.public_message(), is_read) {
            let point = PointMessage::from_bytes(group, &message_to_bytes(message));
            return point.map(Message::Point).map_err(|fault| Error::NoPoint { group, fault });
        }
        let bytes = message.signed_bytes().map_or(0, |signed| signed.bytes().len());
        let error = if self.form().is_public() {
            Error::OtherLength(bytes)
        } else {
            Error::LongMessage { bytes, most: MAX_PLAIN_BYTES }
        };
        message.in_form(self.form()).ok_or(error)
    }
}

impl Request {
    /// The scheme, its choices made.
    ///
    /// # Errors
    ///
    /// [`Error::Keys`] or [`Error::Rule`] for a choice that the scheme does not have.
    pub fn suite(&self) -> Result<Suite, Error> {
        let &Self { scheme, keys, rule, message, hash, .. } = self;
        Suite::new(scheme, keys, rule, message)
            .and_then(|suite| suite.with_hash(hash))
            .map_err(|choice| Error::no_such_choice(scheme, choice))
    }

    /// What decides whether a statement holds in any circuit that is made for this request.
    ///
    /// # Errors
    ///
    /// [`Error::Tree`], [`Error::Mask`], or [`Error::Keys`] or [`Error::Rule`] for a choice that the scheme does not
    /// have.
    pub fn terms(&self) -> Result<Terms, Error> {
        let &Self { capacity, arity, mask, .. } = self;
        let suite = self.suite()?;
        check_mask(mask, capacity)?;
        let format = suite.scheme().leaf_format();
        let least = min_depth(arity, capacity, format)?;
        let depth = self.depth.map_or(least, |depth| depth.max(least));
        zero_hashes(arity, depth, format)?;
        Ok(Terms { suite, capacity, arity, depth, mask })
    }
}

impl Shape {
    /// The scheme, its choices made.
    ///
    /// # Errors
    ///
    /// [`Error::Keys`] or [`Error::Rule`] for a choice that the scheme does not have: never for a
    /// shape that was fitted, but perhaps for one from a file.
    pub fn suite(&self) -> Result<Suite, Error> {
        let &Self { scheme, keys, rule, message, hash, .. } = self;
        let suite = Suite::new(scheme, keys, rule, Some(message));
        let suite = suite.and_then(|suite| suite.with_hash(hash));
        let suite = suite.map_err(|choice| Error::no_such_choice(scheme, choice))?;
        (suite.rule() == rule).then_some(suite).ok_or(Error::Rule(scheme))
    }

    /// What decides whether a statement holds in the circuit of this shape.
    ///
    /// # Errors
    ///
    /// Those of [`Self::suite`], or [`Error::Mask`].
    pub fn terms(&self) -> Result<Terms, Error> {
        let &Self { capacity, arity, depth, mask, .. } = self;
        check_mask(mask, capacity)?;
        Ok(Terms { suite: self.suite()?, capacity, arity, depth, mask })
    }

    /// The tree of a committee, of this shape's arity and depth.
    ///
    /// # Errors
    ///
    /// Those of [`Self::terms`] and of [`Terms::tree`].
    pub fn tree(&self, committee: &Committee) -> Result<Arc<KeySetTree>, Error> {
        self.terms()?.tree(committee)
    }

    /// The scheme in words, with the choices that the shape makes.
    pub fn scheme_name(&self) -> String {
        self.suite().map_or_else(|_| self.scheme.to_string(), |suite| suite.to_string())
    }
}
