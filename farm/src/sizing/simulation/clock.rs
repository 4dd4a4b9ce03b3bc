//! What happens on a farm, the earliest first.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::server::Poller;

/// Events by time; of those at the same time, the one announced first comes first.
#[derive(Debug)]
pub(super) struct Clock {
    /// The bits of its time, its number, and the event.
    due: BinaryHeap<Reverse<(u64, u64, Event)>>,
    announced: u64,
    end: f64,
}

impl Clock {
    /// Nothing happens after `end`.
    pub(super) fn until(end: f64) -> Self {
        Self { due: BinaryHeap::new(), announced: 0, end }
    }

    /// Announces an event, at a time that is not below 0.
    pub(super) fn at(&mut self, time: f64, event: Event) {
        if time <= self.end {
            self.announced += 1;
            // From 0 on, numbers and their bits have the same order; the sum turns -0 into 0.
            self.due.push(Reverse(((time + 0.0).to_bits(), self.announced, event)));
        }
    }

    /// The next event and its time.
    pub(super) fn next(&mut self) -> Option<(f64, Event)> {
        self.due.pop().map(|Reverse((time, _, event))| (f64::from_bits(time), event))
    }
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// Counting begins.
    Counted,
    /// A workflow comes.
    Came,
    /// A workflow's activity waits for a worker.
    Waiting { flow: usize },
    /// A worker has taken it.
    Begun { flow: usize, run: u32 },
    /// Its worker shows that it lives.
    Beat { flow: usize, run: u32 },
    /// The server checks whether it does.
    Looked { flow: usize, run: u32 },
    /// A job has what it needs from the store.
    Fetched { flow: usize, run: u32 },
    /// A worker has computed something.
    Computed { worker: usize, changes: u64 },
    /// A job has put its result into the store.
    Stored { flow: usize, run: u32 },
    /// The server knows that an activity is done.
    Done { flow: usize, poller: Poller },
    /// A workflow is done.
    Closed { flow: usize },
    /// A worker has its keys.
    Loaded { changes: u64 },
    /// A worker fails.
    Failed { worker: usize },
    /// The worker is back.
    Restarted { worker: usize },
    /// The server considers an activity's worker lost.
    TimedOut { flow: usize, run: u32 },
}
