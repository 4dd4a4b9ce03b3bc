//! Shows on stderr what a command is doing.

use std::{
    io::IsTerminal,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use muster_prover::terminal::{is_quiet, printable, say, warn};

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
        let spinner = self.terminal.then(|| spinner(what));
        if spinner.is_none() && !self.quiet {
            say(what);
        }
        let start = Instant::now();
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

fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(printable(what).into_owned());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
