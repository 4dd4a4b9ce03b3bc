//! The command `muster`.

use std::process::ExitCode;

fn main() -> ExitCode {
    muster_cli::main()
}
