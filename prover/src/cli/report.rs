//! What a command has to say.

use serde_json::Value;

use crate::{
    terminal::{print, printable},
    Error,
};

/// What a command has to say: for people, and for programs.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Report {
    /// Says it on stdout.
    ///
    /// # Errors
    ///
    /// Those of [`print`].
    pub(crate) fn print(&self, json: bool) -> Result<(), Error> {
        if json {
            print(&self.json.to_string())
        } else {
            print(&printable(self.text.trim_end()))
        }
    }
}
