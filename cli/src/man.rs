//! `muster man`.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Command;
use clap_mangen::Man;
use muster_prover::output::Output;
use serde_json::json;

use super::report::Report;
use crate::Error;

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

/// A page: the name of its file, and its text.
struct Page {
    name: String,
    text: Vec<u8>,
}

/// Writes the pages of `whole`, the command with all others in it.
pub(super) fn run(args: &ManArgs, whole: Command) -> Result<Report, Error> {
    let mut command = whole.disable_help_subcommand(true);
    command.build();
    let mut pages = vec![];
    add(&command, &mut pages).map_err(Error::io(&args.dir))?;
    let names: Vec<_> = pages.iter().map(|page| page.name.as_str()).collect();
    let mut output = Output::new(&args.dir, &names, args.force)?;
    for page in &pages {
        output.write(&page.name, |file| file.write_all(&page.text))?;
    }
    output.commit()?;
    let files: Vec<_> = names.iter().map(|name| args.dir.join(name)).collect();
    let text = format!("{} pages in {}", pages.len(), args.dir.display());
    Ok(Report { text, json: json!({ "pages": files }) })
}

/// The page of a command, and those of its own commands.
fn add(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    let man = Man::new(command.clone());
    let mut text = vec![];
    man.render(&mut text)?;
    pages.push(Page { name: man.get_filename(), text });
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.into_iter().try_for_each(|command| add(command, pages))
}
