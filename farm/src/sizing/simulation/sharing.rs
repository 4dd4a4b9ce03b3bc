//! A resource that its users share evenly: a machine's cores, or the connection to a store.

/// A resource of a certain speed, and its current users.
///
/// Everybody gets the same, so one count is enough for all: how much a user that was always there would have got.
/// Whoever comes waits until the count has grown by what they want.
#[derive(Debug)]
pub(super) struct Sharing<T> {
    speed: f64,
    /// What a user that was always there would have got.
    got: f64,
    since: f64,
    /// Who is here, with the count at which they go.
    here: Vec<(f64, T)>,
    busy: f64,
    changes: u64,
}

impl<T> Sharing<T> {
    /// A resource that does `speed` a second.
    pub(super) fn new(speed: f64) -> Self {
        Self { speed, got: 0.0, since: 0.0, here: vec![], busy: 0.0, changes: 0 }
    }

    /// A user comes that wants `want`.
    pub(super) fn come(&mut self, now: f64, want: f64, who: T) {
        self.pass(now);
        self.here.push((self.got + want, who));
    }

    /// The user that is done first goes.
    pub(super) fn go(&mut self, now: f64) -> Option<T> {
        self.pass(now);
        let first = self.first()?;
        Some(self.here.swap_remove(first).1)
    }

    /// All users that match go before they are done. Returns them.
    pub(super) fn leave(&mut self, now: f64, is_going: impl Fn(&T) -> bool) -> Vec<T> {
        self.pass(now);
        self.here.extract_if(.., |(_, who)| is_going(who)).map(|(_, who)| who).collect()
    }

    /// When the next user is done, if nobody comes or goes before, and the number of changes so far.
    pub(super) fn next(&self) -> Option<(f64, u64)> {
        let left = (self.here[self.first()?].0 - self.got).max(0.0);
        Some((self.since + left * self.here.len() as f64 / self.speed, self.changes))
    }

    /// The number of comings and goings so far: what [`Self::next`] returned is out of date once it has grown.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Seconds up to now in which the resource had users.
    pub(super) fn busy(&mut self, now: f64) -> f64 {
        let changes = self.changes;
        self.pass(now);
        self.changes = changes;
        self.busy
    }

    fn first(&self) -> Option<usize> {
        let all = self.here.iter().enumerate();
        all.min_by(|(_, one), (_, other)| one.0.total_cmp(&other.0)).map(|(place, _)| place)
    }

    fn pass(&mut self, now: f64) {
        if !self.here.is_empty() {
            let passed = now - self.since;
            self.got += passed * self.speed / self.here.len() as f64;
            self.busy += passed;
        }
        self.since = now;
        self.changes += 1;
    }
}
