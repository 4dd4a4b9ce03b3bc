//! The command `muster-farm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    muster_farm::cli::main()
}
