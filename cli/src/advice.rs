//! What a user of the command line can do about an error from the library, which knows no options.

use muster_circuits::Error as CircuitError;
use muster_evm::Error as EvmError;

use crate::Error;

/// The text of an error, with the option or the command that helps.
pub(super) fn with_advice(error: &Error) -> String {
    let advice = match error {
        Error::Exists(_) => "; --force replaces it",
        Error::Batch { failed, .. }
            if failed.iter().any(|(_, error)| matches!(error, Error::Exists(_))) =>
        {
            "\n--resume keeps proofs that are there, --force replaces them"
        }
        Error::Batch { failed, .. }
            if failed
                .iter()
                .any(|(_, error)| matches!(error, Error::SameKey { adds_up: true, .. })) =>
        {
            "\n--seats lets a key have several seats"
        }
        Error::SameKey { adds_up: true, .. } => {
            "; --seats lets a key have several seats, `muster root --merge-same-keys` adds up its weights"
        }
        Error::SameKey { .. } => "; `muster root --merge-same-keys` adds up the weights of a key",
        Error::UnusableKey { .. } => "; `muster root --leave-out-unusable` leaves such members out",
        Error::InsecureSrs(_) => {
            "; give a ceremony's with --srs FILE, or pass --insecure-srs for a test"
        }
        Error::Unproven(_) => ", which `muster check` would name",
        Error::Evm(EvmError::TooLarge { .. }) => {
            "; `muster keygen --on-chain` makes keys whose contract is smaller"
        }
        Error::Circuit(CircuitError::NoAbsent) => ": --absent A",
        _ => "",
    };
    format!("{error}{advice}")
}
