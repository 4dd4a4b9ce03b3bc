//! The command `muster`.

use std::process::ExitCode;

/// That of musl makes proofs take 2.4 times as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if muster_prover::is_asked_to_drop() {
        eprintln!("error: the environment asks to drop constraints, which only tests may");
        return ExitCode::from(muster_prover::BAD_INPUT);
    }
    muster_cli::main()
}
