//! Which modes are worth a layout.

use muster_gadgets::signature::instructions::Needs;
use muster_schemes::membership::LeafFormat;

use crate::{
    error::Error,
    scheme::Suite,
    shape::{Mode, Request, MAX_SLOTS},
};

/// Cost of packing and adding up a key, in the unit of [`cells`].
const ADDED_KEY: usize = 4;

/// Slots that a circuit has in a mode.
///
/// # Errors
/// [`Error::Slots`], or [`Error::NoAbsent`] if it is not known how many members may be absent.
pub(crate) fn slots(request: &Request, mode: Mode) -> Result<usize, Error> {
    let slots = if mode.holds_absent() {
        // A circuit without slots would need gates of its own.
        request.absent.ok_or(Error::NoAbsent)?.max(1)
    } else {
        request.slots
    };
    (1..=MAX_SLOTS).contains(&slots).then_some(slots).ok_or(Error::Slots)
}

/// Checks that circuits of a scheme have a mode.
///
/// # Errors
/// [`Error::Mode`].
pub(crate) fn check(suite: Suite, mode: Mode) -> Result<(), Error> {
    let has_mode = !mode.holds_absent() || suite.scheme().adds_keys();
    has_mode.then_some(()).ok_or(Error::Mode(suite.scheme()))
}

/// The requested mode or, if none was, those that may be the cheapest.
///
/// # Errors
/// Those of [`slots`] and of [`check`].
pub(crate) fn worth_a_layout(
    request: &Request,
    suite: Suite,
    needs: &Needs,
    depth: usize,
) -> Result<Vec<Mode>, Error> {
    if request.capacity == 0 {
        return Err(Error::Slots);
    }
    if let Some(mode) = request.mode {
        check(suite, mode)?;
        return slots(request, mode).map(|_| vec![mode]);
    }
    let is_known = request.absent.is_some() && suite.scheme().adds_keys();
    let modes = [Mode::WholeSet, Mode::Path, Mode::Complement].into_iter();
    let modes = modes.filter(|mode| !mode.holds_absent() || is_known);
    let counted = modes.filter_map(|mode| Some((mode, slots(request, mode).ok()?)));
    let cells = |&(mode, slots): &(Mode, usize)| cells(request, depth, mode, slots);
    let (cheapest, _) = counted.min_by_key(cells).ok_or(Error::Slots)?;
    // It takes a lane that the scheme itself has no use for.
    let takes_a_lane = cheapest == Mode::WholeSet && needs.edwards.is_none();
    Ok(if takes_a_lane { vec![Mode::Path, Mode::WholeSet] } else { vec![cheapest] })
}

/// Estimates the cells, in units of 72, that membership takes, and keys where they are added up: all leaves and nodes
/// of the tree, or a leaf and a path per slot.
fn cells(request: &Request, depth: usize, mode: Mode, slots: usize) -> usize {
    let keys = slots * ADDED_KEY;
    let format = request.scheme.leaf_format();
    let leaf = match format {
        LeafFormat::Names => 3,
        LeafFormat::Keys(_) => 6,
    };
    if mode.is_by_path() {
        // A leaf selects a member on the vertical gate, and a level selects a child, which costs about a third of a
        // node's hash.
        return keys + slots * (leaf + 1 + depth * 4);
    }
    let leaves = request.capacity.div_ceil(format.members()).min(usize::MAX / 16);
    // A member of the set takes a row of six cells, or fewer, and so does a slot's padding entry.
    keys + leaves * leaf
        + leaves / (request.arity - 1) * 3
        + request.capacity.saturating_add(slots) / 12
}
