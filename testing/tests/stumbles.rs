//! The tests that the book's table of stumbles names are there.

use std::{fs, path::Path};

/// The words between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a file declares a function or a test of this name.
fn declares(file: &str, name: &str) -> bool {
    let heads = ["fn ", "def ", "function ", "test(\"", ""];
    let ends = ["(", "\"", "()"];
    let line = |line: &str| {
        let line = line.trim_start().trim_start_matches("async ");
        heads.iter().any(|head| {
            let rest = line.strip_prefix(head).and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| ends.iter().any(|end| rest.starts_with(end)))
        })
    };
    file.lines().any(line)
}

#[test]
fn tests_of_the_table_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/src/reference/stumbles.md")).expect("a page");
    let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 15, "{} rows", rows.len());
    for row in rows {
        let tests = row.trim_end_matches('|').rsplit_once('|').expect("columns").1;
        let mut file = None;
        let mut named = 0;
        for word in quoted(tests) {
            if word.contains('/') {
                let path = root.join(word);
                file = Some(fs::read_to_string(path).unwrap_or_else(|e| panic!("{word}: {e}")));
                continue;
            }
            let file = file.as_deref().expect("a file comes before its tests");
            assert!(declares(file, word), "{word} is not there: {row}");
            named += 1;
        }
        assert!(named > 0, "no test: {row}");
    }
}
