//! Shows on stderr what a command is doing.

use std::{
    io::IsTerminal,
    sync::mpsc::{channel, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use muster_prover::terminal::{is_quiet, printable, say, warn};

/// What takes longer is not left unsaid.
const SLOW: Duration = Duration::from_millis(500);

/// Shows what is going on: a spinner on a terminal, one line per step elsewhere.
#[derive(Clone, Debug)]
pub struct Progress {
    terminal: bool,
    quiet: bool,
}

impl Progress {
    /// Progress on stderr, unless nobody wants to see it.
    pub fn new() -> Self {
        if is_quiet() {
            return Self::quiet();
        }
        Self { terminal: std::io::stderr().is_terminal(), quiet: false }
    }

    /// No progress; warnings still appear.
    pub fn quiet() -> Self {
        Self { terminal: false, quiet: true }
    }

    /// Does some work, saying what it is.
    pub fn run<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        self.timed(what, work).0
    }

    /// Does some work, saying what it is; also returns the time it took.
    pub fn timed<T>(&self, what: &str, work: impl FnOnce() -> T) -> (T, Duration) {
        self.since(Instant::now(), what, work)
    }

    /// Does some work that mostly takes no time, and says what it is once it has taken half a second.
    pub fn if_slow<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        if self.quiet {
            return work();
        }
        let (start, (done, is_done)) = (Instant::now(), channel::<()>());
        thread::scope(|scope| {
            scope.spawn(move || {
                if is_done.recv_timeout(SLOW) == Err(RecvTimeoutError::Timeout) {
                    // The sender is dropped once the work is done, or has panicked.
                    self.since(start, what, || is_done.recv().unwrap_or_default());
                }
            });
            let result = work();
            drop(done);
            result
        })
    }

    /// Does work that began before, saying what it is.
    fn since<T>(&self, start: Instant, what: &str, work: impl FnOnce() -> T) -> (T, Duration) {
        let spinner = self.terminal.then(|| spinner(what, start.elapsed()));
        if spinner.is_none() && !self.quiet {
            say(what);
        }
        let result = work();
        let taken = start.elapsed();
        if let Some(spinner) = spinner {
            spinner.finish_and_clear();
            if !self.quiet {
                say(&format!("{what}: {:.2} s", taken.as_secs_f64()));
            }
        }
        (result, taken)
    }

    /// A bar of so many bytes on a terminal, a line elsewhere.
    pub(crate) fn bytes(&self, what: &str, count: u64) -> ProgressBar {
        if !self.terminal {
            self.note(what);
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(count).with_message(printable(what).into_owned());
        let template = "{msg} [{bar:24}] {bytes}/{total_bytes}, {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar
    }

    /// A remark.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// A warning.
    pub fn warn(&self, text: &str) {
        warn(text);
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

fn spinner(what: &str, elapsed: Duration) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(printable(what).into_owned());
    let bar = bar.with_elapsed(elapsed);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
