use super::*;

fn place(line: &str) -> Place {
    Place::parse(line).expect("a place")
}

fn sources(text: &str) -> Sources {
    Sources::of([("a.rs", text.to_owned())].into_iter())
}

fn noticed(line: &str, title: &str) -> Verdict {
    Verdict { place: place(line), noticed: Some(title.to_owned()), is_open: false }
}

fn left(line: &str, is_open: bool) -> Verdict {
    Verdict { place: place(line), noticed: None, is_open }
}

fn again(hints: &Hints) -> Hints {
    Hints::from_written(&serde_json::from_str(&hints.text()).expect("hints"))
}

#[test]
fn a_line_that_moved_keeps_its_hints() {
    let verdicts = [noticed("a.rs:2:3|copy|1", "p one"), noticed("a.rs:3:3|copy|1", "p two")];
    let hints = Hints::default().after(&verdicts, &sources("f();\n  g();\n  h();"));
    let moved = sources("f();\n\nmod b {\n    h();\n    if c { g(); }\n        g();\n}");
    assert_eq!(hints.of(&place("a.rs:6:9|copy|1"), &moved), ["p one"]);
    assert_eq!(hints.of(&place("a.rs:4:5|copy|1"), &moved), ["p two"]);
    // Another line, another part, another constraint, another file.
    for other in ["a.rs:5:5|copy|1", "a.rs:6:9|copy|2", "a.rs:6:9|gate|1", "b.rs:6:9|copy|1"] {
        assert!(hints.of(&place(other), &moved).is_empty(), "{other}");
    }
}

#[test]
fn lines_with_the_same_code_have_their_own_hints() {
    let verdicts = [noticed("a.rs:1:1|copy|0", "p one"), noticed("a.rs:3:1|copy|0", "p two")];
    let hints = again(&Hints::default().after(&verdicts, &sources("g();\nf();\ng();")));
    let moved = sources("f();\ng();\ng();\ng();");
    let titles = [2, 3, 4].map(|row| hints.of(&place(&format!("a.rs:{row}:1|copy|0")), &moved));
    assert_eq!(titles, [vec!["p one".to_owned()], vec!["p two".to_owned()], vec![]]);
}

#[test]
fn columns_of_a_line_share_their_hints() {
    let verdicts = [noticed("a.rs:1:9|copy|0", "p two"), noticed("a.rs:1:1|copy|0", "p one")];
    let text = sources("g(g());");
    let hints = again(&Hints::default().after(&verdicts, &text));
    assert_eq!(hints.of(&place("a.rs:1:3|copy|0"), &text), ["p one", "p two"]);
    assert_eq!(hints.count(), 1);
}

#[test]
fn what_is_open_keeps_what_was_known() {
    let text = sources("g();");
    let [first, second, third] = [0, 1, 2].map(|part| format!("a.rs:1:1|copy|{part}"));
    let known = [&first, &second, &third].map(|line| noticed(line, "p one"));
    let known = Hints::default().after(&known, &text);
    let after =
        known.after(&[noticed(&first, "p two"), left(&second, true), left(&third, false)], &text);
    let titles = [&first, &second, &third].map(|line| after.of(&place(line), &text));
    assert_eq!(titles, [vec!["p two".to_owned()], vec!["p one".to_owned()], vec![]]);
}

#[test]
fn determinism_is_no_hint() {
    let text = sources("g();");
    let verdicts = [noticed("a.rs:1:1|copy|0", "muster-circuits tests::determinism::a")];
    assert_eq!(Hints::default().after(&verdicts, &text).count(), 0);
}

#[test]
fn hints_are_written_in_order() {
    let lines = ["a.rs:2:1|no bit|7", "a.rs:2:1|copy|3", "a.rs:2:1|copy|1", "a.rs:2:1|copy|2"];
    let mut verdicts: Vec<_> = lines.map(|line| noticed(line, "p b::one")).to_vec();
    verdicts.push(noticed("a.rs:1:1|copy|0", "p a::two"));
    let text = sources("g();\ng();");
    let hints = Hints::default().after(&verdicts, &text);
    verdicts.reverse();
    assert_eq!(Hints::default().after(&verdicts, &text), hints);
    let expected = serde_json::json!({
        "p a::two": {"a.rs": {"g();": [{"copy": "0"}]}},
        "p b::one": {"a.rs": {"g();": [{}, {"copy": "1-3", "no bit": "7"}]}},
    });
    assert_eq!(hints.text(), serde_json::to_string_pretty(&expected).expect("JSON") + "\n");
    assert_eq!(again(&hints), hints);
}

#[test]
fn without_a_file_there_are_no_hints() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hints.json");
    assert_eq!(Hints::read(&path).expect("no file"), Hints::default());
    let hints = Hints::default().after(&[noticed("a.rs:1:1|copy|0", "p a")], &sources("g();"));
    hints.write(&path).expect("a file");
    assert_eq!(Hints::read(&path).expect("hints"), hints);
    std::fs::write(&path, "[]").expect("a file");
    assert!(Hints::read(&path).is_err());
}

#[test]
fn the_hints_of_this_repository_are_as_a_run_writes_them() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../gadgets/golden/noticed.json");
    let text = std::fs::read_to_string(golden).expect("the file");
    assert_eq!(Hints::read(Path::new(golden)).expect("hints").text(), text);
}
