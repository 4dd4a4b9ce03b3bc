//! What a user of the command line can do about an error from the library, which knows no options.

use std::path::PathBuf;

use muster_circuits::Error as CircuitError;
use muster_prover::Error as ProverError;

use crate::Error;

/// The text of an error, with the option or the command that helps.
pub(super) fn with_advice(error: &Error) -> String {
    let advice = match error {
        Error::Prover(error) => of_library(error),
        Error::Uncompared(missing) => {
            let options: Vec<_> = missing.iter().map(|part| part.usage).collect();
            let options = options.join(" ");
            return format!(
                "{error}: add {options}, or --unchecked to accept a proof that was not compared"
            );
        }
        Error::Batch { failed, .. }
            if any(failed, |error| matches!(error, ProverError::Exists(_))) =>
        {
            "\n--resume keeps existing proofs, --force replaces them"
        }
        Error::Batch { failed, .. }
            if any(failed, |error| matches!(error, ProverError::SameKey { adds_up: true, .. })) =>
        {
            "\n--seats lets a key have several seats"
        }
        Error::InsecureSrs(_) => {
            "; pass a ceremony's with --srs FILE, or --insecure-srs for a test"
        }
        _ => "",
    };
    format!("{error}{advice}")
}

fn of_library(error: &ProverError) -> &'static str {
    match error {
        ProverError::Exists(_) => "; --force replaces it",
        ProverError::SameKey { adds_up: true, .. } => {
            "; --seats lets a key have several seats, `muster root --merge-same-keys` adds up its weights"
        }
        ProverError::SameKey { .. } => {
            "; `muster root --merge-same-keys` adds up the weights of a key"
        }
        ProverError::NoScheme(_) => {
            "; `muster root FILE --scheme S --out committee.json` makes a committee of it"
        }
        ProverError::UnusableKey { .. } => {
            "; `muster root --leave-out-unusable` leaves such members out"
        }
        ProverError::Unproven(_) => ", which `muster check` would name",
        ProverError::Circuit(CircuitError::NoAbsent) => ": --absent A",
        _ => "",
    }
}

/// Whether one of several proofs was not made for this reason.
fn any(failed: &[(PathBuf, Error)], is_it: impl Fn(&ProverError) -> bool) -> bool {
    failed.iter().any(|(_, error)| matches!(error, Error::Prover(error) if is_it(error)))
}
