//! How far a sweep is: a bar with the time left on a terminal, plain lines elsewhere.

use std::{
    io::{stderr, IsTerminal},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use muster_prover::terminal::{is_quiet, printable, say};

const TEMPLATE: &str = "{spinner} [{bar:24}] {pos}/{len} rows, {time_left}  {wide_msg}";

/// The time that rows take, from a model of their cost and the rows that are done. The model is in
/// seconds of a machine with two cores; what is learnt is this machine's factor.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    at_once: usize,
    /// The cost of the rows that have not ended.
    planned: f64,
    modelled: f64,
    spent: f64,
    running: Vec<Running>,
}

/// A row at work.
#[derive(Clone, Debug)]
struct Running {
    place: usize,
    name: String,
    cost: f64,
    started: Instant,
}

impl Clock {
    /// A clock for rows that cost `planned` together, with this many `at_once`.
    pub(super) fn new(planned: f64, at_once: usize) -> Self {
        Self { at_once, planned, modelled: 0.0, spent: 0.0, running: vec![] }
    }

    /// A row that costs `cost` begins; `place` tells it from others.
    pub(super) fn start(&mut self, place: usize, name: &str, cost: f64, now: Instant) {
        self.running.push(Running { place, name: name.to_owned(), cost, started: now });
    }

    /// The row ends, and its name is returned. A row that did not run teaches nothing about speed.
    pub(super) fn finish(&mut self, place: usize, ran: bool, now: Instant) -> Option<String> {
        let at = self.running.iter().position(|row| row.place == place)?;
        let Running { name, cost, started, .. } = self.running.remove(at);
        if ran {
            self.modelled += cost;
            self.spent += now.duration_since(started).as_secs_f64();
        }
        self.planned = (self.planned - cost).max(0.0);
        Some(name)
    }

    /// How long the rest will take.
    pub(super) fn left(&self, now: Instant) -> Duration {
        // At first each row is assumed to have its share of the machine.
        let factor =
            if self.modelled > 0.0 { self.spent / self.modelled } else { self.at_once as f64 };
        let row_left = |row: &Running| {
            let spent = now.duration_since(row.started).as_secs_f64();
            // A row that takes longer than planned does not shorten the others.
            (row.cost * factor - spent).max(0.0)
        };
        let begun: f64 = self.running.iter().map(|row| row.cost).sum();
        let waiting = (self.planned - begun).max(0.0) * factor;
        let all = waiting + self.running.iter().map(row_left).sum::<f64>();
        // The longest row ends no sooner because others end.
        let longest = self.running.iter().map(row_left).fold(0.0, f64::max);
        Duration::from_secs_f64(longest.max(all / self.at_once as f64))
    }
}

/// The bar or the lines of a sweep.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    clock: Arc<Mutex<Clock>>,
    rows: usize,
    done: usize,
}

impl Progress {
    /// A sweep of `rows` rows that cost `planned` together, with this many `at_once`.
    pub(super) fn new(rows: usize, planned: f64, at_once: usize) -> Self {
        let clock = Arc::new(Mutex::new(Clock::new(planned, at_once)));
        let is_shown = stderr().is_terminal() && !is_quiet();
        let bar = is_shown.then(|| bar(rows, clock.clone()));
        Self { bar, clock, rows, done: 0 }
    }

    /// A row begins.
    pub(super) fn start(&self, place: usize, name: &str, cost: f64) {
        self.with_clock(|clock| clock.start(place, name, cost, Instant::now()));
        self.show_names();
    }

    /// A row ends.
    pub(super) fn finish(&mut self, place: usize, outcome: &str, ran: bool) {
        let ended = self.with_clock(|clock| clock.finish(place, ran, Instant::now()));
        let Some(name) = ended else { return };
        self.done += 1;
        self.show_names();
        let left = roughly(self.with_clock(|clock| clock.left(Instant::now())));
        match &self.bar {
            Some(bar) => {
                bar.println(printable(&format!("{name}: {outcome}")));
                bar.set_position(self.done as u64);
            }
            None if is_quiet() => {}
            None if self.done < self.rows => {
                let (done, rows) = (self.done, self.rows);
                say(&format!("[{done}/{rows}] {name}: {outcome} (about {left} left)"));
            }
            None => say(&format!("[{}/{}] {name}: {outcome}", self.done, self.rows)),
        }
    }

    /// Prints a line, above the bar if there is one.
    pub(super) fn note(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(printable(line)),
            None => say(line),
        }
    }

    /// The sweep is over.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Says which rows are at work.
    fn show_names(&self) {
        if let Some(bar) = &self.bar {
            let name = |row: &Running| row.name.clone();
            let names = self.with_clock(|clock| clock.running.iter().map(name).collect::<Vec<_>>());
            bar.set_message(names.join(", "));
        }
    }

    fn with_clock<T>(&self, look: impl FnOnce(&mut Clock) -> T) -> T {
        look(&mut self.clock.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn bar(rows: usize, clock: Arc<Mutex<Clock>>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(rows as u64), ProgressDrawTarget::stderr());
    let time_left = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let clock = clock.lock().unwrap_or_else(PoisonError::into_inner);
        // The bar's buffer takes every line.
        let _ = write!(out, "about {} left", roughly(clock.left(Instant::now())));
    };
    // The template is our own: if it were wrong, a bar without the time would still do.
    let style = ProgressStyle::with_template(TEMPLATE)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("time_left", time_left)
        .progress_chars("=> ");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A time to wait, as roughly as it is known.
pub(super) fn roughly(time: Duration) -> String {
    let seconds = (time.as_secs_f64().ceil() as u64).max(1);
    match seconds {
        0..90 => format!("{seconds} s"),
        90..5_400 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {:02} min", seconds / 3_600, seconds / 60 % 60),
    }
}
