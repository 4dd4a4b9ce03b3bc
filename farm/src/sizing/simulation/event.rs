//! What happens on a farm.

use super::lane::Poller;

/// What happens.
#[derive(Clone, Copy, Debug)]
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
