//! What a user of the command line can do about an error from the library, which knows no options.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use muster_circuits::Error as CircuitError;
use muster_params::ParamsError;
use muster_prover::Error as ProverError;

use crate::Error;

/// The text of an error, with the option or the command that helps.
pub(super) fn with_advice(error: &Error) -> String {
    let advice: Cow<'static, str> = match error {
        Error::Prover(error) => of_library(error),
        Error::Uncompared(missing) => {
            let options: Vec<_> = missing.iter().map(|part| part.usage).collect();
            let options = options.join(" ");
            format!(": add {options}, or --unchecked to accept proofs without comparing them")
                .into()
        }
        Error::Batch { failed, .. }
            if any(failed, |error| matches!(error, ProverError::Exists(_))) =>
        {
            "\n--resume keeps existing proofs, --force replaces them".into()
        }
        Error::Batch { failed, .. }
            if any(failed, |error| matches!(error, ProverError::SameKey { adds_up: true, .. })) =>
        {
            "\n--seats lets a key have several seats".into()
        }
        Error::InsecureSrs(_) => {
            "; pass a ceremony's with --srs FILE, or --insecure-srs for a test".into()
        }
        _ => "".into(),
    };
    format!("{error}{advice}")
}

fn of_library(error: &ProverError) -> Cow<'static, str> {
    match error {
        ProverError::Exists(_) => "; --force replaces it".into(),
        ProverError::SameKey { adds_up: true, .. } => {
            "; --seats lets a key have several seats, `muster root --merge-same-keys` adds up its weights".into()
        }
        ProverError::SameKey { .. } => {
            "; `muster root --merge-same-keys` adds up the weights of a key".into()
        }
        ProverError::NoScheme(_) => {
            "; `muster root FILE --scheme S --out committee.json` makes a committee of it".into()
        }
        ProverError::UnusableKey { .. } => {
            "; `muster root --leave-out-unusable` leaves such members out".into()
        }
        ProverError::WideWeights { path, shift, .. } => of_weights(path, *shift),
        ProverError::OtherForm { scheme, field, .. } => match *field {
            "aggregate" if scheme.adds_keys() => {
                "; `muster aggregate` makes one signature of them".into()
            }
            "signatures" if scheme.adds_keys() => {
                "; what `muster aggregate` made is for `muster prove --signatures`".into()
            }
            _ => "; `muster sample` writes such a file".into(),
        },
        ProverError::OtherMessage { .. } => {
            "; run `muster aggregate` once for each message".into()
        }
        ProverError::Unproven(_) => ", which `muster check` would name".into(),
        ProverError::Circuit(CircuitError::NoAbsent) => ": --absent A".into(),
        ProverError::Params(error) => of_srs(error),
        _ => "".into(),
    }
}

/// About weights that no set can hold.
fn of_weights(path: &Path, shift: Option<u32>) -> Cow<'static, str> {
    let Some(shift) = shift else {
        // Twice that many bits are what any token needs.
        return "; they are too large for any `muster root --weight-shift`: divide them by a common factor first".into();
    };
    let path = path.display();
    format!(
        "; `muster root {path} --weight-shift {shift} --out committee.json` makes a committee of it"
    )
    .into()
}

/// About an SRS.
fn of_srs(error: &ParamsError) -> Cow<'static, str> {
    match error {
        ParamsError::MissingG2 { .. } => ": --g2 FILE, or --srs-g2 FILE beside --srs".into(),
        ParamsError::AlreadyExists { .. } => "; --force replaces it".into(),
        // What is asked for may be more than the rows of the circuit, which --degree says: packs and deciders take multiples.
        ParamsError::NotEnoughPoints { k, found, .. } => match found.checked_ilog2() {
            Some(most) if most > 0 => format!(
                "; `muster srs list --degree {k}` has larger files, and this one serves --degree {most} at most"
            )
            .into(),
            _ => format!("; `muster srs list --degree {k}` has larger ones").into(),
        },
        ParamsError::Truncated { .. }
        | ParamsError::TrailingBytes { .. }
        | ParamsError::Format { .. }
        | ParamsError::Point { .. }
        | ParamsError::WrongTau { .. }
        | ParamsError::WrongLagrange { .. }
        | ParamsError::WrongCurve { .. }
        | ParamsError::KnownTau { .. } => {
            "; `muster srs list` has files of ceremonies, `muster srs fetch` gets them".into()
        }
        ParamsError::Corrupt { .. } => {
            ": `muster srs fetch NAME --force`, `muster srs import FILE --force`".into()
        }
        ParamsError::Degree { .. } => ": --degree K".into(),
        ParamsError::NotCached { k, .. } => format!(
            ": `muster srs fetch NAME` (`muster srs list --degree {k}` has the names), `muster srs import FILE`, or \
             --insecure-srs for a test"
        )
        .into(),
        _ => "".into(),
    }
}

/// Whether one of several proofs was not made for this reason.
fn any(failed: &[(PathBuf, Error)], is_it: impl Fn(&ProverError) -> bool) -> bool {
    failed.iter().any(|(_, error)| matches!(error, Error::Prover(error) if is_it(error)))
}
