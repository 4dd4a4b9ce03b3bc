//! The command `muster`.

use std::process::ExitCode;

fn main() -> ExitCode {
    if muster_prover::FORGES {
        eprintln!("error: this build has the feature `forgery`, which only tests may have");
        return ExitCode::from(muster_prover::BAD_INPUT);
    }
    muster_cli::main()
}
