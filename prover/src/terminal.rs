//! What is said to people: lines on standard output and on standard error.

use std::{
    borrow::Cow,
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{apart::is_output_taken, Error};

/// Characters that print nothing but change the text around them: direction marks and line separators.
const TURNING: [(char, char); 4] = [
    ('\u{200e}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2066}', '\u{2069}'),
    ('\u{feff}', '\u{feff}'),
];

/// The text with every character escaped that a terminal would obey instead of show, except line ends: anyone may have
/// written a file or chosen its name.
pub fn printable(text: &str) -> Cow<'_, str> {
    let turns = |c| TURNING.iter().any(|(first, last)| (*first..=*last).contains(&c));
    let obeyed = |c: char| c != '\n' && (c.is_control() || turns(c));
    if !text.contains(obeyed) {
        return text.into();
    }
    let shown = |c| if obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() };
    text.chars().map(shown).collect::<String>().into()
}

/// Whether nobody wants to see how far the work is.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on this process shows no progress. Warnings and errors are said as before.
pub fn hush() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether this process shows no progress.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes a line to stderr. If nobody reads it, that is no reason to stop.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// A warning.
pub fn warn(text: &str) {
    say(&format!("warning: {text}"));
}

/// Writes a line to stdout, as it is; to stderr, if stdout is for a file's content.
///
/// # Errors
///
/// [`Error::Io`] if it cannot be written, as on a full disk; not if the reader has gone away.
pub fn print(text: &str) -> Result<(), Error> {
    if is_output_taken() {
        let _ = writeln!(io::stderr(), "{text}");
        return Ok(());
    }
    let mut out = io::stdout().lock();
    printed(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// The outcome of a write to stdout.
///
/// # Errors
///
/// Those of [`print()`].
pub fn printed(written: io::Result<()>) -> Result<(), Error> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(Error::io("standard output")),
    }
}
