//! The circuit's shape on the command line: the tree, the choices that are left open, and what keys are made for.

use muster_circuits::{Mode, Request, Scheme, Selection, Shape, Suite, MAX_SLOTS};
use muster_schemes::decimal;
use muster_schemes::membership::{min_depth, MAX_DEPTH};
use muster_sweep::proofs::mode_name;

use crate::{
    options::{warn_of_trust, ChoiceArgs, KeysArgs},
    progress::Progress,
    report::list,
    values::{modes, schemes},
    Error,
};

/// The most members that a set may have room for: no index exceeds 32 bits.
const MAX_CAPACITY: usize = 1 << 32;
/// The most leaves that a circuit may hash: more do not fit any degree.
const MAX_WHOLE_SET: usize = 1 << 24;

/// The tree over a committee.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TreeArgs {
    /// Children per node: 2, 4, 5, 8 or 16 (default: 16 for BLS, 5 for others). The root depends on
    /// it.
    #[arg(long, value_parser = decimal::read::<usize>)]
    pub(crate) arity: Option<usize>,
    /// Levels of the tree (default: as few as hold the members). The root depends on it.
    #[arg(long, value_parser = decimal::within::<usize>(1..=MAX_DEPTH))]
    pub(crate) depth: Option<usize>,
}

/// The choices that a shape leaves open.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ShapeArgs {
    /// How membership is proven, and whose: that of members who sign, or of those who do not
    /// (default: the cheapest mode).
    #[arg(long, value_parser = modes())]
    pub(crate) mode: Option<Mode>,
    #[command(flatten)]
    pub(crate) tree: TreeArgs,
    /// Make statements say which members signed, with one bit per member, for sets of up to 16384
    /// members.
    #[arg(long)]
    pub(crate) mask: bool,
    /// log₂ of the circuit's rows (default: the fastest).
    #[arg(long, value_parser = decimal::read::<u32>)]
    pub(crate) degree: Option<u32>,
}

/// How many members a set may have, and how many of them sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// The most members.
    pub(crate) members: usize,
    /// The most signers.
    pub(crate) slots: usize,
    /// The most members who do not sign, if that is known.
    pub(crate) absent: Option<usize>,
}

/// The most members who do not sign, which only a scheme whose keys add up makes use of.
pub(crate) fn absent(scheme: Scheme, given: Option<usize>) -> Result<Option<usize>, Error> {
    let is_of_use = given.is_none() || scheme.adds_keys();
    let reason = || Error::usage(format!("--absent: keys of {scheme} do not add up"));
    is_of_use.then_some(given).ok_or_else(reason)
}

impl ShapeArgs {
    pub(crate) fn fit(
        &self,
        suite: Suite,
        places: Places,
        progress: &Progress,
    ) -> Result<Shape, Error> {
        Ok(fitted(&self.request(suite, places)?, progress)?)
    }

    /// What the circuit has to provide.
    pub(crate) fn request(&self, suite: Suite, places: Places) -> Result<Request, Error> {
        let Places { members, slots, absent } = places;
        let within = |number: usize, what: &str, from: usize, most: usize| {
            let reason = || format!("{number} {what}: must be from {from} to {most}");
            let is_within = (from..=most).contains(&number);
            is_within.then_some(()).ok_or_else(|| Error::usage(reason()))
        };
        within(members, "members", 1, MAX_CAPACITY)?;
        let mode = self.mode;
        match absent.filter(|_| suite.scheme().adds_keys()) {
            Some(absent) if mode.is_none_or(Mode::holds_absent) => {
                within(absent, "members who do not sign", 0, MAX_SLOTS)?;
            }
            _ => within(slots, "signature slots", 1, MAX_SLOTS)?,
        }
        if mode == Some(Mode::WholeSet) && members > MAX_WHOLE_SET {
            let reason = format!("{members} members, but whole-set takes at most {MAX_WHOLE_SET}");
            return Err(Error::usage(reason));
        }
        Ok(Request {
            keys: suite.keys(),
            rule: suite.rule(),
            message: Some(suite.form()),
            hash: suite.hash(),
            mode,
            arity: self.tree.arity(suite.scheme()),
            depth: self.tree.depth,
            mask: self.mask,
            degree: self.degree,
            absent,
            ..Request::new(suite.scheme(), members, slots)
        })
    }
}

/// The shape for a request.
pub(crate) fn fitted(
    request: &Request,
    progress: &Progress,
) -> Result<Shape, muster_circuits::Error> {
    progress.if_slow("planning the circuit", || Shape::fit(request))
}

/// What keys are to be made for.
#[derive(Clone, Debug, clap::Args)]
pub struct CircuitArgs {
    /// Name of the scheme; see `muster schemes`.
    #[arg(long, value_parser = schemes())]
    scheme: Scheme,
    #[command(flatten)]
    keys: KeysArgs,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// The largest number of members that a committee may have.
    #[arg(long, value_name = "N", value_parser = decimal::read::<usize>)]
    signers: usize,
    /// The largest number of members who sign (default: all, if --absent is given).
    #[arg(long, value_name = "K", required_unless_present = "absent", value_parser = decimal::read::<usize>)]
    slots: Option<usize>,
    /// The largest number of members who do not sign, where keys add up (BLS). The complement mode
    /// has a slot for each of them, and is the cheapest mode if they are few. With --slots as well,
    /// the cheaper mode is chosen.
    #[arg(long, value_name = "A", value_parser = decimal::read::<usize>)]
    absent: Option<usize>,
    #[command(flatten)]
    shape: ShapeArgs,
}

impl CircuitArgs {
    /// The circuit's shape. A search for it that takes long shows in the progress.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] for choices that the scheme does not have; [`muster_prover::Error::Circuit`] if
    /// no circuit is that large.
    pub fn fit(&self, progress: &Progress) -> Result<Shape, Error> {
        let suite = self.choices.suite(self.scheme, self.keys.of(self.scheme)?)?;
        warn_of_trust(suite);
        let absent = absent(self.scheme, self.absent)?;
        let slots = self.slots.unwrap_or(self.signers);
        let places = Places { members: self.signers, slots, absent };
        self.shape.fit(suite, places, progress)
    }
}

impl TreeArgs {
    fn arity(&self, scheme: Scheme) -> usize {
        self.arity.unwrap_or_else(|| scheme.default_arity())
    }

    /// Arity, and the depth for so many members of a set of this scheme.
    pub(crate) fn dimensions(
        &self,
        scheme: Scheme,
        members: usize,
    ) -> Result<(usize, usize), Error> {
        let arity = self.arity(scheme);
        let least = min_depth(arity, members, scheme.leaf_format());
        let least = least.map_err(muster_circuits::Error::from)?;
        // As in a shape: a depth that is too small is raised.
        Ok((arity, self.depth.map_or(least, |depth| depth.max(least))))
    }
}

/// Whose signatures are taken, in one line, if there are more signatures than slots.
pub(crate) fn selected(selection: &Selection, shape: &Shape) -> String {
    if selection.left_out().is_empty() {
        return String::new();
    }
    format!(
        "more signatures than the {} slots: the heaviest, those of members {}, are used; left out: {}\n",
        shape.slots,
        list(selection.taken()),
        list(selection.left_out())
    )
}

/// The shape in a line.
pub(crate) fn describe(shape: &Shape) -> String {
    let signers = if shape.mask { ", says who signed" } else { "" };
    format!(
        "{}: {}, capacity {}, {} (arity {}, depth {}), 2^{} rows{signers}",
        shape.scheme_name(),
        shape.slots_in_words(),
        shape.capacity,
        mode_name(shape.mode),
        shape.arity,
        shape.depth,
        shape.degree()
    )
}
