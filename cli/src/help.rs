//! Help that fits the terminal.

use clap::{builder::StyledStr, Command};

/// The command and all below it, with paragraphs that are wrapped where the terminal ends, not where the code does.
pub(crate) fn flowing(command: Command) -> Command {
    let text = |text: Option<&StyledStr>| text.map(|text| flow(&text.to_string()));
    let (after, long) = (text(command.get_after_help()), text(command.get_after_long_help()));
    let command = match after {
        Some(text) => command.after_help(text),
        None => command,
    };
    let command = match long {
        Some(text) => command.after_long_help(text),
        None => command,
    };
    command.mut_subcommands(flowing)
}

/// Joins the lines of paragraphs. Lines that are indented, such as examples, stay, and so does what is above them.
pub(crate) fn flow(text: &str) -> String {
    let mut flowing = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        flowing += line;
        let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        let goes_on = lines.peek().is_some_and(|next| is_prose(line) && is_prose(next));
        flowing.push(if goes_on { ' ' } else { '\n' });
    }
    flowing.trim_end().to_owned()
}
