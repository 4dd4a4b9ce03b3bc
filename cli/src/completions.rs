//! `muster completions`.

use clap::Command;
use clap_complete::{generate, Shell};
use muster_prover::terminal::print;
use serde_json::json;

use crate::Error;

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
pub(super) fn run(args: &CompletionsArgs, mut whole: Command, as_json: bool) -> Result<(), Error> {
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
