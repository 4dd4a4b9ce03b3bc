//! Temporal's server as a queue: state transitions one after the other, at a limited rate.

use crate::sizing::Server;

/// A server at work.
#[derive(Debug)]
pub(super) struct Transitions {
    server: Server,
    /// When it is done with all that it was asked for.
    free: f64,
    asked: u64,
}

impl Transitions {
    pub(super) fn new(server: Server) -> Self {
        Self { server, free: 0.0, asked: 0 }
    }

    /// Asks for some transitions, each requested after the one before. Returns when the last is answered.
    pub(super) fn ask(&mut self, now: f64, count: u32) -> f64 {
        self.asked += u64::from(count);
        if let Some(limit) = self.server.transitions_per_second {
            self.free = self.free.max(now) + f64::from(count) / limit;
        }
        self.free.max(now) + f64::from(count) * self.server.request_seconds
    }

    /// How many transitions it has made.
    pub(super) fn made(&self, now: f64) -> f64 {
        let limit = self.server.transitions_per_second.unwrap_or(0.0);
        self.asked as f64 - (self.free - now).max(0.0) * limit
    }
}
