use crate::{Backend, BackendError};

#[test]
fn a_name_chooses() {
    assert_eq!(Backend::named("portable").map(Backend::name), Ok("portable"));
    assert_eq!(Backend::named("").map(Backend::name), Ok(Backend::best().name()));
    let ifma = Backend::ifma().map(Backend::name);
    assert_eq!(Backend::named("ifma").map(Backend::name), ifma.ok_or(BackendError::Missing));
    assert_eq!(
        Backend::named("fast").map(Backend::name),
        Err(BackendError::Unknown("fast".into()))
    );
}

#[test]
fn the_best_is_ifma_where_there_is_one() {
    let name = if Backend::ifma().is_some() { "ifma" } else { "portable" };
    assert_eq!(Backend::best().name(), name);
}

#[cfg(feature = "portable")]
#[test]
fn a_portable_build_has_no_vectors() {
    assert!(Backend::ifma().is_none());
    let refusal = Backend::named("ifma").expect_err("there are none").to_string();
    assert_eq!(refusal, "MUSTER_ENGINE is ifma, but this program was built without vectors");
}
