//! What `muster --version` says: the version, and what would compute.

use std::sync::LazyLock;

use muster_engine::{Backend, ENGINE_ENV};
use muster_sweep::HALO2_AXIOM;

/// The version, the engine's back end as the environment asks for it, and the version of the proving system.
pub(super) fn long() -> &'static str {
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
