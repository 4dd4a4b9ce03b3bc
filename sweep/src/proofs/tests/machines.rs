//! Tests of rows of several machines.

use std::{fs, path::Path};

use serde_json::{json, Value};

use super::{ask, kept, machine, proven, table, Ask, Degree, Results, Row};
use crate::{plot::Line, Existing, Machine, Row as _, Store};

fn asks() -> [Ask; 3] {
    [11, 12, 13].map(|degree| ask("s", Degree::Fixed(degree), 8, 16))
}

fn other() -> Machine {
    Machine { kernel: Some("another".into()), ..machine() }
}

/// Opens results on a machine and adds a row there.
fn go_on(dir: &Path, machine: Machine, ask: &Ask) -> Store<Row> {
    let resumed = Store::open_on(dir, Existing::Resume, Results::new(machine, None));
    let mut store = resumed.expect("resumed");
    let row = proven(ask, ask.degree.fixed().expect("a number"), 0.5);
    store.results.put(ask, row, None, |_| false);
    store.save().expect("saved");
    store
}

fn machines(store: &Store<Row>) -> Vec<usize> {
    store.results.rows.iter().map(|row| row.machine).collect()
}

/// Rows keep their machine however often a sweep moves; back on the first one, they are beside its earlier rows.
#[test]
fn rows_know_their_machine() {
    let dir = tempfile::tempdir().expect("a directory");
    let [first, second, third] = asks();
    assert_eq!(machines(&go_on(dir.path(), machine(), &first)), [0]);
    let moved = go_on(dir.path(), other(), &second);
    assert!(moved.machine_differs && moved.results.is_mixed());
    assert_eq!(machines(&moved), [0, 1]);
    let later = Machine { date: "2026-01-01T00:00:00Z".into(), ..machine() };
    let back = go_on(dir.path(), later, &third);
    assert_eq!((machines(&back), back.results.earlier_machines.len()), (vec![0, 1, 0], 2));
    let json = fs::read(dir.path().join("results.json")).expect("read");
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    let numbers = json["rows"].as_array().expect("rows").iter().map(|row| &row["machine"]);
    assert_eq!(numbers.collect::<Vec<_>>(), [0, 1, 0]);
}

/// No line of a plot joins them, and whoever reads table or CSV can tell them apart.
#[test]
fn unlike_machines_are_told_apart() {
    let dir = tempfile::tempdir().expect("a directory");
    let [first, second, third] = asks();
    let alone = go_on(dir.path(), machine(), &first).results;
    let plot = |results| (Row::PLOTS[0].1)(results);
    let [by_signers, by_degree] = plot(&alone).panels;
    assert_eq!((by_signers.lines.len(), by_degree.lines.len()), (1, 1));
    assert!(!table(&alone).contains("machine") && alone.summaries() == [machine().summary()]);
    go_on(dir.path(), other(), &second);
    let results = go_on(dir.path(), machine(), &third).results;
    let drawn = plot(&results);
    assert_eq!(drawn.colours.1, ["s, machine 0", "s, machine 1"]);
    let [by_signers, by_degree] = drawn.panels;
    let places = |line: &Line| line.points.iter().map(|point| point.x).collect::<Vec<_>>();
    let lines: Vec<_> = by_degree.lines.iter().map(places).collect();
    assert_eq!(lines, [vec![11.0, 13.0], vec![12.0]]);
    assert_eq!(by_signers.lines.iter().map(|line| line.points.len()).sum::<usize>(), 2);

    for (_, plot) in Row::PLOTS {
        let plot = plot(&results).draw(&results.summaries()).expect("drawn");
        for words in ["machine 0: ", "machine 1: ", "kernel another", ", machine 1"] {
            assert!(plot.contains(words), "{words}");
        }
    }
    let lines = table(&results);
    let first: Vec<&str> =
        lines.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(first, ["machine", "0", "1", "0"]);
    let csv = results.csv_file().expect("plain data");
    let last = csv.lines().filter_map(|line| Some(line.rsplit_once(',')?.1));
    let last: Vec<&str> = last.skip_while(|cell| *cell != "machine").collect();
    assert_eq!(last, ["machine", "0", "1", "0"]);
}

/// Files of versions that did not write it, and of a machine whose kernel nobody wrote down.
#[test]
fn rows_without_a_machine_are_from_the_newest() {
    let rows = asks().map(|ask| proven(&ask, 11, 0.5));
    let mut old = serde_json::to_value(machine()).expect("plain data");
    old.as_object_mut().expect("a machine").remove("kernel").expect("a field");
    let file = json!({ "machine": old, "earlier_machines": [machine()], "rows": rows });
    let results: Results = serde_json::from_value(file.clone()).expect("an earlier file");
    assert!(results.machine.kernel.is_none() && !results.is_mixed());
    assert!(results.rows.iter().all(|row| row.machine == 1));
    let file = json!({ "machine": old, "rows": rows });
    let results: Results = serde_json::from_value(file).expect("an earlier file");
    assert!(results.rows == kept(rows));
}

#[test]
fn rows_of_no_machine_are_refused() {
    let mut file = serde_json::to_value(Results::new(machine(), None)).expect("plain data");
    file["rows"] = json!([proven(&asks()[0], 11, 0.5)]);
    file["rows"][0]["machine"] = json!(1);
    let refused = serde_json::from_value::<Results>(file).expect_err("there is one machine");
    assert!(refused.to_string().contains("rows[0].machine: 1, but there are 1"), "{refused}");
}

/// Rows share the threads of a sweep, and the results say so.
#[test]
fn results_tell_how_many_rows_ran_at_once() {
    let [alone, two] = [1, 2].map(|jobs| machine().shared_by(jobs, 4));
    assert!(!alone.is_like(&two) && alone.jobs.is_none());
    assert!(two.summary().contains(", 2 rows at once"), "{}", two.summary());
    assert!(two.lines().contains(&"rows at once: 2".to_owned()));
}
