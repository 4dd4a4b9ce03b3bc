//! Random members, for groups that live in one process.

use rand_core::RngCore;

/// `count` of the items, or all if there are fewer. Not for secrets: the first are a little likelier.
pub(super) fn choose<T>(mut items: Vec<T>, count: usize, rng: &mut impl RngCore) -> Vec<T> {
    for i in 0..count.min(items.len()) {
        let other = i + rng.next_u32() as usize % (items.len() - i);
        items.swap(i, other);
    }
    items.truncate(count);
    items
}
