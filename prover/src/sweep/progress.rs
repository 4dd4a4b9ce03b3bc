//! How far a sweep is: a bar with the time left on a terminal, plain lines elsewhere.

use std::{
    io::{stderr, IsTerminal},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

const TEMPLATE: &str = "{spinner} [{bar:24}] {pos}/{len} rows, {time_left}  {wide_msg}";

/// The time that rows take, from a model of their cost and the rows that are done. The model is in
/// seconds of a machine with two cores; what is learnt is the factor to this machine.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    planned: f64,
    modelled: f64,
    spent: f64,
    row: f64,
    started: Instant,
}

impl Clock {
    /// A clock for rows that cost `planned` together.
    pub(super) fn new(planned: f64) -> Self {
        Self { planned, modelled: 0.0, spent: 0.0, row: 0.0, started: Instant::now() }
    }

    /// A row that costs `cost` begins.
    pub(super) fn start(&mut self, cost: f64, now: Instant) {
        (self.row, self.started) = (cost, now);
    }

    /// The row ends; a row that did not run teaches nothing about speed.
    pub(super) fn finish(&mut self, ran: bool, now: Instant) {
        if ran {
            self.modelled += self.row;
            self.spent += now.duration_since(self.started).as_secs_f64();
        }
        self.planned = (self.planned - self.row).max(0.0);
        (self.row, self.started) = (0.0, now);
    }

    /// How long the rest will take.
    pub(super) fn left(&self, now: Instant) -> Duration {
        let factor = if self.modelled > 0.0 { self.spent / self.modelled } else { 1.0 };
        let row = self.row.min(self.planned);
        let running = now.duration_since(self.started).as_secs_f64();
        // A row that takes longer than thought takes nothing off the others.
        let row_left = (row * factor - running).max(0.0);
        Duration::from_secs_f64((self.planned - row) * factor + row_left)
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
    /// A sweep of `rows` rows that cost `planned` together.
    pub(super) fn new(rows: usize, planned: f64) -> Self {
        let clock = Arc::new(Mutex::new(Clock::new(planned)));
        let bar = stderr().is_terminal().then(|| bar(rows, clock.clone()));
        Self { bar, clock, rows, done: 0 }
    }

    /// A row begins.
    pub(super) fn start(&self, name: &str, cost: f64) {
        self.with_clock(|clock| clock.start(cost, Instant::now()));
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_owned());
        }
    }

    /// A row ends.
    pub(super) fn finish(&mut self, name: &str, outcome: &str, ran: bool) {
        self.done += 1;
        self.with_clock(|clock| clock.finish(ran, Instant::now()));
        let left = roughly(self.with_clock(|clock| clock.left(Instant::now())));
        match &self.bar {
            Some(bar) => {
                bar.println(format!("{name}: {outcome}"));
                bar.set_position(self.done as u64);
            }
            None if self.done < self.rows => {
                eprintln!("[{}/{}] {name}: {outcome} (about {left} left)", self.done, self.rows);
            }
            None => eprintln!("[{}/{}] {name}: {outcome}", self.done, self.rows),
        }
    }

    /// Something worth a line.
    pub(super) fn note(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => eprintln!("{line}"),
        }
    }

    /// The sweep is over.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
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
    // The template is ours: were it wrong, a bar without the time would still do.
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
