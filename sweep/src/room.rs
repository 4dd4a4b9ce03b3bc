//! Memory for rows that run at once.

use std::sync::{Condvar, Mutex, MutexGuard};

/// Lets rows in as long as their estimates together stay within a limit. A row alone is always let in: whether it is too
/// large for the machine is checked before.
#[derive(Debug)]
pub(super) struct Room {
    limit: u64,
    taken: Mutex<Taken>,
    freed: Condvar,
    /// Held by the row that waits. Later rows wait for it, so that small rows cannot keep a large one out.
    turn: Mutex<()>,
}

#[derive(Debug, Default)]
struct Taken {
    rows: usize,
    bytes: u64,
}

/// A row's part of the memory, until it is dropped.
#[derive(Debug)]
pub(super) struct Part<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Room {
    /// Memory of `limit` bytes, or without a limit.
    pub(super) fn new(limit: Option<u64>) -> Self {
        let limit = limit.unwrap_or(u64::MAX);
        Self { limit, taken: Mutex::default(), freed: Condvar::new(), turn: Mutex::new(()) }
    }

    /// Waits until there are `bytes` left, or no row is inside.
    pub(super) fn enter(&self, bytes: u64) -> Part<'_> {
        let _turn = self.turn.lock().expect("nobody panics who holds it");
        let is_full =
            |taken: &mut Taken| taken.rows > 0 && taken.bytes.saturating_add(bytes) > self.limit;
        let taken = self.freed.wait_while(self.taken(), is_full);
        let mut taken = taken.expect("nobody panics who holds it");
        taken.rows += 1;
        taken.bytes += bytes;
        Part { room: self, bytes }
    }

    /// Whether a row waits, or is about to be let in.
    #[cfg(test)]
    pub(super) fn is_awaited(&self) -> bool {
        self.turn.try_lock().is_err()
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().expect("nobody panics who holds it")
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let mut taken = self.room.taken();
        taken.rows -= 1;
        taken.bytes -= self.bytes;
        self.room.freed.notify_all();
    }
}
