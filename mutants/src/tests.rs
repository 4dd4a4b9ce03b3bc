use super::*;

fn options(arguments: &str) -> Options {
    Options::parse_from(std::iter::once("").chain(arguments.split_whitespace()))
}

#[test]
fn only_a_run_without_limits_is_whole() {
    assert!(options("--resume --jobs 3 --confirm 0").is_whole());
    for limited in
        ["--package muster-gadgets", "--place x", "--sample 3", "--minutes 4", "--one-in 2"]
    {
        assert!(!options(limited).is_whole(), "{limited}");
    }
}

/// A verdict on the first line of this program, and its report.
fn verdict() -> (Verdict, Sources) {
    let place = Place::parse("src/main.rs:1:1|copy|0").expect("a place");
    let sources = Sources::read([&place].into_iter());
    (Verdict { place, noticed: Some("p a".to_owned()), is_open: false }, sources)
}

#[test]
fn a_whole_run_writes_hints_and_others_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let (verdict, sources) = verdict();
    let path = folder.path().display();
    let files = format!("--report {path}/of/report.txt --hints {path}/hints.json");
    for (limits, is_whole) in [("--sample 3", false), ("", true)] {
        let options = options(&format!("{files} {limits}"));
        let verdicts = std::slice::from_ref(&verdict);
        save(&options, verdicts, &Hints::default(), &sources).expect("files");
        assert_eq!(report::read(&options.report).expect("a report"), verdicts);
        let hints = Hints::read(&options.hints).expect("hints");
        assert_eq!(hints.of(&verdict.place, &sources) == ["p a"], is_whole);
    }
}

#[test]
fn hints_are_kept_from_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let (verdict, sources) = verdict();
    let [from, to] = ["report.txt", "hints.json"].map(|name| folder.path().join(name));
    report::write(&from, std::slice::from_ref(&verdict), &sources).expect("a report");
    keep(&from, &Hints::default(), &to).expect("hints");
    let hints = Hints::read(&to).expect("hints");
    assert_eq!(hints.of(&verdict.place, &sources), ["p a"]);
    assert_eq!(sources.code(&verdict.place), "//! Drops each constraint of the circuits once and reports which ones no forged witness notices.");
}
