use std::{os::unix::fs::PermissionsExt, path::Path, sync::Arc};

use super::*;
use crate::binaries::Binary;

/// A test that fails without a place of which its name is a part.
const SCRIPT: &str = "#!/bin/sh\n! grep -qF \"$2\" \"$MUSTER_DROP\"\n";

/// Four places and tests that record all of them, but for the last test, which would notice any and records one.
fn record(folder: &Path) -> Record {
    let executable = folder.join("test");
    std::fs::write(&executable, SCRIPT).expect("a file");
    std::fs::set_permissions(&executable, PermissionsExt::from_mode(0o755)).expect("a file");
    let directory = folder.to_owned();
    let binary = Arc::new(Binary { package: "p".to_owned(), executable, directory });
    let recorded = |name: &str| Recorded {
        test: Test { binary: binary.clone(), name: name.to_owned(), is_exhaustive: false },
        time: Duration::ZERO,
        places: if name == "a.rs" { vec![1] } else { vec![0, 1, 2, 3] },
        noticed: vec![],
    };
    let places = ["copy|0", "copy|1", "gate|0", "range|0"];
    let tests = ["none", "determinism::none", "copy|0", "gate", "a.rs"];
    let place = |place: &str| Place::parse(&format!("a.rs:1:1|{place}")).expect("a place");
    Record { tests: tests.map(recorded).into(), places: places.map(place).into(), is_whole: true }
}

/// Which test noticed each place, and how many trials the hints and the whole search took.
fn search(record: &Record, hint: &str) -> (Vec<Option<String>>, usize, usize) {
    let limits = Limits { jobs: 1, time: None, sample: None, confirmed: 0, seed: 0 };
    let search = Search::new(record, &[0, 1, 2, 3], &[], &limits).expect("a search");
    let progress = |_: &[Verdict]| Ok(());
    let hints = |place: &Place| match place.key().contains("copy|0") {
        true => vec![hint.to_owned()],
        false => vec![],
    };
    search.follow(hints, 1, &progress).expect("hints");
    let followed = search.trials.load(Ordering::Relaxed);
    let tests: Vec<_> = record.tests.iter().collect();
    while search.round(&tests, 1, &progress).expect("a round") > 0 {}
    let noticed = search.verdicts(false).into_iter().map(|verdict| verdict.noticed).collect();
    (noticed, followed, search.trials.load(Ordering::Relaxed))
}

#[test]
fn a_hint_that_does_not_notice_leaves_the_place_to_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = record(folder.path());
    let expected = [Some("p copy|0"), Some("p a.rs"), Some("p gate"), None];
    let expected = expected.map(|title| title.map(str::to_owned));
    let (noticed, followed, trials) = search(&record, "p copy|0");
    assert_eq!((noticed, followed), (expected.to_vec(), 1));
    // One trial finds nothing; a test that is gone, or does not record the place, or comes last, is not asked.
    for (stale, asked) in [("p none", 1), ("p gone", 0), ("p a.rs", 0), ("p determinism::none", 0)]
    {
        let (noticed, followed, more) = search(&record, stale);
        assert_eq!((noticed, followed), (expected.to_vec(), asked), "{stale}");
        assert!(more > trials, "{stale}");
    }
}
