//! Something that all who use it share evenly: a machine's cores, the way to a store.

/// A thing that does so much a second, and who is at it.
///
/// Everybody gets the same. So what each has got is told by one count for all, of what somebody who was always there
/// would have; whoever comes has to wait until the count has grown by what they want.
#[derive(Debug)]
pub(super) struct Sharing<T> {
    speed: f64,
    /// What each that was always there has got.
    got: f64,
    since: f64,
    /// Who is here, with the count at which they go.
    here: Vec<(f64, T)>,
    busy: f64,
    changes: u64,
}

impl<T> Sharing<T> {
    /// A thing that does `speed` a second.
    pub(super) fn new(speed: f64) -> Self {
        Self { speed, got: 0.0, since: 0.0, here: vec![], busy: 0.0, changes: 0 }
    }

    /// Somebody comes who wants so much.
    pub(super) fn come(&mut self, now: f64, want: f64, who: T) {
        self.pass(now);
        self.here.push((self.got + want, who));
    }

    /// Whoever is done first goes.
    pub(super) fn go(&mut self, now: f64) -> Option<T> {
        self.pass(now);
        let first = self.first()?;
        Some(self.here.swap_remove(first).1)
    }

    /// All who match go before they are done. Returns them.
    pub(super) fn leave(&mut self, now: f64, is_going: impl Fn(&T) -> bool) -> Vec<T> {
        self.pass(now);
        let (going, here) = self.here.drain(..).partition(|(_, who)| is_going(who));
        self.here = here;
        let going: Vec<(f64, T)> = going;
        going.into_iter().map(|(_, who)| who).collect()
    }

    /// When the next one is done, as long as nobody comes or goes, and the number of comings and goings so far.
    pub(super) fn next(&self) -> Option<(f64, u64)> {
        let left = (self.here[self.first()?].0 - self.got).max(0.0);
        Some((self.since + left * self.here.len() as f64 / self.speed, self.changes))
    }

    /// The number of comings and goings so far: what was said of the next one is out of date if it has grown.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Seconds until now in which somebody was here.
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
