//! The command `muster-farm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    if muster_prover::is_asked_to_drop() {
        eprintln!("error: the environment asks to drop constraints, which only tests may");
        return ExitCode::from(muster_prover::BAD_INPUT);
    }
    muster_farm::cli::main()
}
