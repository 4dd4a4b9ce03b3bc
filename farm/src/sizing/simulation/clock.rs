//! What is going to happen, the earliest first.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

/// Events by time; of those at the same time, the one announced first comes first.
#[derive(Debug)]
pub(super) struct Clock<T> {
    due: BinaryHeap<Reverse<Due<T>>>,
    announced: u64,
    end: f64,
}

impl<T> Clock<T> {
    /// Nothing happens after `end`.
    pub(super) fn until(end: f64) -> Self {
        Self { due: BinaryHeap::new(), announced: 0, end }
    }

    /// Announces an event.
    pub(super) fn at(&mut self, time: f64, event: T) {
        if time <= self.end {
            self.announced += 1;
            self.due.push(Reverse(Due { time, number: self.announced, event }));
        }
    }

    /// The next event and its time.
    pub(super) fn next(&mut self) -> Option<(f64, T)> {
        self.due.pop().map(|Reverse(due)| (due.time, due.event))
    }
}

#[derive(Debug)]
struct Due<T> {
    time: f64,
    number: u64,
    event: T,
}

impl<T> Ord for Due<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.number.cmp(&other.number))
    }
}

impl<T> PartialOrd for Due<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Due<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Due<T> {}
