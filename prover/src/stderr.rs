//! Lines on stderr. If nobody reads them, that is no reason to stop.

use std::io::Write;

/// A line.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A warning.
pub(crate) fn warn(text: &str) {
    say(&format!("warning: {text}"));
}
