//! What the command line says beside the libraries' errors.

use muster_evm::Error as EvmError;

use super::advice::with_advice;
use crate::Error;

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
