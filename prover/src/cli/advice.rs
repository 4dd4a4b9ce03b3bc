//! What a user of the command line can do about an error from the library, which knows no options.

use muster_evm::Error as EvmError;

use crate::Error;

/// The text of an error, with the option or the command that helps.
pub(super) fn with_advice(error: &Error) -> String {
    let advice = match error {
        Error::Exists(_) => "; --force replaces it",
        Error::InsecureSrs(_) => {
            "; give a ceremony's with --srs FILE, or pass --insecure-srs for a test"
        }
        Error::Unproven(_) => ", which `muster check` would name",
        Error::Evm(EvmError::TooLarge { .. }) => {
            "; `muster keygen --on-chain` makes keys whose contract is smaller"
        }
        _ => "",
    };
    format!("{error}{advice}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_an_option_helps_with_names_it() {
        let large = EvmError::TooLarge { size: 2, limit: 1, what: "a contract may have" };
        for (error, option) in [
            (Error::Exists("keys".into()), "--force"),
            (Error::InsecureSrs(11), "--insecure-srs"),
            (large.into(), "--on-chain"),
        ] {
            let bare = error.to_string();
            assert!(!bare.contains("--"), "a library knows no options: {bare}");
            let advised = with_advice(&error);
            assert!(advised.starts_with(&bare) && advised.contains(option), "{advised}");
        }
        assert_eq!(with_advice(&Error::Usage("no".into())), "no");
    }
}
