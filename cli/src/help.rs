//! What Muster says of itself: help that fits the terminal, its version, `muster completions` and `muster man`.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::LazyLock,
};

use clap::{builder::StyledStr, Command};
use clap_complete::{generate, Shell};
use clap_mangen::Man;
use muster_engine::{Backend, ENGINE_ENV};
use muster_prover::{output::Output, terminal::print};
use muster_sweep::HALO2_AXIOM;
use serde_json::json;

use crate::{report::Report, Error};

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

/// The version, the engine's back end as the environment asks for it, and the version of the proving system.
pub(super) fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        format!("{version}\nengine: {}\nhalo2-axiom: {HALO2_AXIOM}", engine())
    });
    &TEXT
}

fn engine() -> String {
    match Backend::from_env() {
        Ok(backend) => format!("{} ({})", backend.name(), described(backend)),
        Err(error) => format!("none: {error}"),
    }
}

fn described(backend: Backend) -> String {
    if backend.name() == Backend::best().name() {
        "the fastest on this machine".into()
    } else {
        format!("as {ENGINE_ENV} says")
    }
}

/// Print a completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster completions bash > ~/.local/share/bash-completion/completions/muster
  muster completions zsh > ~/.zfunc/_muster
  muster completions fish > ~/.config/fish/completions/muster.fish")]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script for `whole`, the command with all others in it.
pub(super) fn completions(
    args: &CompletionsArgs,
    mut whole: Command,
    as_json: bool,
) -> Result<(), Error> {
    let mut script = vec![];
    generate(args.shell, &mut whole, "muster", &mut script);
    let script = String::from_utf8_lossy(&script);
    // As it is: a shell reads it, and control characters in it are meant.
    Ok(if as_json {
        print(&json!({ "shell": args.shell.to_string(), "script": script }).to_string())
    } else {
        print(script.trim_end())
    }?)
}

/// Write manual pages, one for each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster man ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// Directory for the pages.
    dir: PathBuf,
    /// Replace existing ones.
    #[arg(long)]
    force: bool,
}

/// Writes the pages of `whole`, the command with all others in it.
pub(super) fn man(args: &ManArgs, whole: Command) -> Result<Report, Error> {
    let mut command = whole.disable_help_subcommand(true);
    command.build();
    let mut pages = vec![];
    add(&command, &mut pages).map_err(Error::io(&args.dir))?;
    let names: Vec<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
    let mut output = Output::new(&args.dir, &names, args.force)?;
    for (name, text) in &pages {
        output.write(name, |file| file.write_all(text))?;
    }
    output.commit()?;
    let files: Vec<_> = names.iter().map(|name| args.dir.join(name)).collect();
    let text = format!("{} pages in {}", pages.len(), args.dir.display());
    Ok(Report { text, json: json!({ "pages": files }) })
}

/// Adds the page of a command, and those of its own commands: the names of their files, and their texts.
fn add(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let man = Man::new(command.clone());
    let mut text = vec![];
    man.render(&mut text)?;
    pages.push((man.get_filename(), text));
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.into_iter().try_for_each(|command| add(command, pages))
}
