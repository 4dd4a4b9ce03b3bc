use super::{making::caught, report::counted};
use crate::{Error, BAD_INPUT};

#[test]
fn a_panic_is_an_error() {
    assert!(matches!(caught(|| Ok(7)), Ok(7)));
    let refused = caught(|| -> Result<(), _> { Err(Error::Usage("no".into())) });
    assert!(matches!(refused, Err(Error::Usage(reason)) if reason == "no"));
    let zero = usize::from(counted(0).is_empty());
    let panics: [fn(usize) -> usize; 2] = [|zero| 1 / zero, |zero| [0; 1][zero + 1]];
    for (panic, part) in panics.into_iter().zip(["divide by zero", "out of bounds"]) {
        let error = caught(|| Ok(panic(zero))).expect_err("it panics");
        assert_eq!(error.exit_code(), BAD_INPUT);
        let text = error.to_string();
        assert!(text.contains("a bug in Muster") && text.contains(part), "{text}");
    }
}

#[test]
fn numbers_of_proofs() {
    assert_eq!([0, 1, 2].map(counted), ["0 proofs", "1 proof", "2 proofs"]);
}
