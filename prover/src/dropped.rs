//! Signatures that do not count, and where they stand.

use std::{fmt, path::Path, sync::Arc};

use muster_circuits::Dropped;
use serde_json::{json, Value};

/// Where a signature stands: in which file, and its number there.
pub(crate) type Place = (Arc<Path>, usize);

/// Signatures that do not count, in the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DroppedList(Vec<(Place, Dropped)>);

impl DroppedList {
    /// Whether all signatures count.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many do not.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds signatures with the places where they stand.
    pub(crate) fn extend(&mut self, more: impl IntoIterator<Item = (Place, Dropped)>) {
        self.0.extend(more);
        self.0.sort_by(|(left, _), (right, _)| left.cmp(right));
    }

    /// Adds those of another file.
    pub(crate) fn append(&mut self, more: Self) {
        self.extend(more.0);
    }

    /// One object for each.
    pub fn to_json(&self) -> Value {
        let one = |((path, number), Dropped { member, reason, .. }): &(Place, Dropped)| {
            let reason = reason.to_string();
            json!({ "file": **path, "signature": number, "member": member, "reason": reason })
        };
        self.0.iter().map(one).collect()
    }
}

/// A line for each.
impl fmt::Display for DroppedList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|((path, number), Dropped { reason, .. })| {
            writeln!(out, "dropped: {}: signatures[{number}]: {reason}", path.display())
        })
    }
}
