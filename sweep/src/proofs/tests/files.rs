//! Tests of the files of results.

use std::{fs, path::Path};

use muster_circuits::{KeyKind, MessageForm};

use super::{ask, kept, machine, proven, sample, Ask, Case, Degree, Phases, Results, Row, Status};
use crate::{tests::assert_columns, Existing, Machine, Row as _, Store};

#[test]
fn json_round_trip() {
    let mut results = sample();
    results.earlier_machines.push(machine());
    let json = serde_json::to_string(&results).expect("plain data");
    assert!(serde_json::from_str::<Results>(&json).expect("what was written") == results);
    assert!(json.starts_with("{\"machine\":{\"processor\":"));
    assert!(json.contains("\"versions\":{\"muster\":"));
    assert!(json.contains("\"requested_degree\":\"11\""));
    assert!(json.contains("\"status\":\"does-not-fit\",\"smallest_degree\":15"));
    assert!(serde_json::from_str::<Results>(&json.replace("\"11\"", "\"eleven\"")).is_err());
}

/// A line of CSV, by RFC 4180.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let last = fields.len() - 1;
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => fields[last].extend(rest.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields[last].push(c),
        }
    }
    fields
}

#[test]
fn csv_round_trip() {
    let mut results = sample();
    let reason = "it said \"no\", #1\nand ended";
    results.rows[0].row.status = Status::Failed;
    results.rows[0].row.reason = Some(reason.into());
    let text = results.csv_file().expect("plain data");
    let (comments, lines): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('#'));
    assert!(comments[0].starts_with("# processor: ") && comments.len() == 9);
    assert_eq!(lines.len(), 1 + results.rows.len());
    let columns: Vec<&str> = Row::COLUMNS.split(',').chain(["machine"]).collect();
    assert_eq!(fields(lines[0]), columns);
    for (line, row) in lines[1..].iter().zip(&results.rows) {
        let json = serde_json::to_value(row).expect("plain data");
        let cells = fields(line);
        assert_eq!(cells.len(), columns.len());
        for (column, cell) in columns.iter().zip(cells) {
            let expected = match &json[*column] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.replace('\n', " "),
                other => other.to_string(),
            };
            assert_eq!(cell, expected, "{column}");
        }
    }
}

/// Files from before there were forms of messages, hashes to points, and masks.
#[test]
fn rows_without_a_form_a_hash_or_a_mask() {
    let row = Row::new(&ask("s", Degree::Auto, 1, 2), 3);
    for field in ["message_form", "hash", "mask"] {
        let mut json = serde_json::to_value(&row).expect("plain data");
        json.as_object_mut().expect("a row").remove(field).expect("a field");
        assert!(serde_json::from_value::<Row>(json).expect("an earlier row") == row);
    }
}

/// Files from before there were phases.
#[test]
fn rows_without_phases() {
    let row = proven(&ask("s", Degree::Auto, 1, 2), 11, 0.5);
    let mut json = serde_json::to_value(&row).expect("plain data");
    let fields = json.as_object_mut().expect("a row");
    for (name, _) in Phases::FIELDS {
        fields.remove(&format!("{name}_s")).expect("a field");
    }
    let earlier = serde_json::from_value::<Row>(json).expect("an earlier row");
    assert!(earlier == Row { phases: Phases::default(), ..row });
    let results = Results { rows: kept([earlier]), ..sample() };
    let svg = draw_phases(&results).expect("drawn");
    assert_well_formed(&svg);
    assert!(svg.contains("No row is proven yet."));
}

fn draw_as(file: &str, results: &Results) -> Result<String, String> {
    let (_, plot) = Row::PLOTS.iter().find(|(end, _)| *end == file).expect("a plot");
    plot(results).draw(&results.summaries())
}

fn draw(results: &Results) -> Result<String, String> {
    draw_as("svg", results)
}

fn draw_phases(results: &Results) -> Result<String, String> {
    draw_as("phases.svg", results)
}

#[test]
fn the_plot_of_phases_is_well_formed() {
    let results = sample();
    let svg = draw_phases(&results).expect("drawn");
    assert_well_formed(&svg);
    if let Ok(path) = std::env::var("MUSTER_PLOT") {
        fs::write(path, &svg).expect("written");
    }
    for words in ["commitments", "transforms", "openings", "musig-babyjubjub 8/16", "percent"] {
        assert!(svg.contains(words), "{words}");
    }
    let none = Results { rows: vec![], ..results.clone() };
    assert_well_formed(&draw_phases(&none).expect("drawn"));
    let one = Results { rows: vec![results.rows[0].clone()], ..results };
    assert_well_formed(&draw_phases(&one).expect("drawn"));
}

/// Forms are told apart wherever rows are shown.
#[test]
fn forms_are_named() {
    let forms = [MessageForm::Sha256 { most: 41 }, MessageForm::CometbftPrecommit];
    let asks =
        forms.map(|form| Ask { message_form: Some(form), ..ask("ed25519", Degree::Auto, 2, 3) });
    assert_eq!(asks[0].to_string(), "ed25519 sha256:41 2/3");
    let rows = kept(asks.map(|ask| proven(&ask, 15, 1.0)));
    let results = Results { rows, ..sample() };
    let lines = super::table(&results);
    let csv = results.csv_file().expect("plain data");
    let json = serde_json::to_string(&results).expect("plain data");
    let svg = draw(&results).expect("drawn");
    for form in forms.map(|form| form.to_string()) {
        for text in [&lines, &csv, &json, &svg] {
            assert!(text.contains(&form), "{form}: {text}");
        }
    }
}

/// So are rows with a mask.
#[test]
fn masks_are_named() {
    let plain = ask("s", Degree::Auto, 2, 3);
    let masked = Ask { mask: true, ..plain.clone() };
    assert_eq!(masked.to_string(), "s with a mask 2/3");
    let rows = kept([plain.clone(), masked.clone()].map(|ask| proven(&ask, 15, 1.0)));
    assert_eq!([0, 1].map(|row| rows[row].ask()), [plain, masked]);
    let results = Results { rows, ..sample() };
    let svg = draw(&results).expect("drawn");
    for text in [super::table(&results), svg] {
        assert!(text.contains("s with a mask"), "{text}");
    }
}

#[test]
fn columns_are_the_fields_of_a_row() {
    assert_columns(&Row::new(&ask("s", Degree::Auto, 1, 2), 3));
}

fn open(dir: &Path, existing: Existing) -> Result<Store<Row>, crate::Error> {
    Store::open_on(dir, existing, Results::new(machine(), None))
}

#[test]
fn results_are_not_overwritten_unasked() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path().join("deep/er");
    let mut store = open(&dir, Existing::Refuse).expect("an empty directory");
    store.results = sample();
    store.save().expect("saved");
    store.save().expect("saved again");
    for path in store.paths() {
        assert!(fs::metadata(&path).expect("written").len() > 100, "{}", path.display());
    }
    assert_eq!(fs::read_dir(&dir).expect("a directory").count(), 5);

    let refused = open(&dir, Existing::Refuse).expect_err("there are results");
    assert!(refused.to_string().contains("--resume"));
    let resumed = open(&dir, Existing::Resume).expect("resumed");
    assert!(resumed.results.rows == sample().rows && !resumed.machine_differs);
    let replaced = open(&dir, Existing::Replace).expect("replaced");
    assert!(replaced.results.rows.is_empty());

    fs::write(dir.join("results.json"), "{").expect("written");
    let malformed = open(&dir, Existing::Resume).expect_err("half a file");
    assert!(malformed.to_string().contains("results.json"));
    assert!(open(&dir.join("results.json/x"), Existing::Refuse).is_err());
}

#[test]
fn resuming() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse).expect("an empty directory");
    let [done, unfit, over, failed] =
        [11, 12, 13, 14].map(|degree| ask("musig-babyjubjub", Degree::Fixed(degree), 8, 16));
    store.results.put(&done, proven(&done, 11, 0.2), None, |_| false);
    for (ask, status) in
        [(&unfit, Status::DoesNotFit), (&over, Status::OverMemory), (&failed, Status::Failed)]
    {
        let row = Row { status, ..Row::new(ask, 3) };
        store.results.put(ask, row, None, |_| false);
    }
    store.save().expect("saved");

    let mut store = open(dir.path(), Existing::Resume).expect("resumed");
    assert!(store.results.finished(&done).is_some() && store.results.finished(&unfit).is_some());
    assert!(store.results.finished(&over).is_none() && store.results.finished(&failed).is_none());
    // Every part of what is asked for counts.
    let others = [
        Ask { scheme: "eddsa-babyjubjub".into(), ..done.clone() },
        Ask { degree: Degree::Auto, ..done.clone() },
        Ask { case: Case { signing: 7, signers: 16 }, ..done.clone() },
        Ask { mode: "path".into(), ..done.clone() },
        Ask { keys: KeyKind::Address, ..done.clone() },
        Ask { rule: Some("low-s".into()), ..done.clone() },
        Ask { message_form: Some(MessageForm::CometbftPrecommit), ..done.clone() },
        Ask { arity: 2, ..done.clone() },
        Ask { kind: "compact".into(), ..done.clone() },
        Ask { memory: "low".into(), ..done.clone() },
    ];
    assert!(others.iter().all(|other| store.results.finished(other).is_none()));
    // A row that is run again stands where it stood.
    store.results.put(&failed, proven(&failed, 14, 0.3), None, |_| false);
    assert_eq!(store.results.rows.len(), 4);
    assert_eq!(store.results.rows[3].status, Status::Ok);

    let other = Machine { processor: "another".into(), ..machine() };
    let store = Store::<Row>::open_on(dir.path(), Existing::Resume, Results::new(other, None))
        .expect("resumed elsewhere");
    assert!(store.machine_differs && store.results.machine.processor == "another");
    assert_eq!(store.results.earlier_machines.len(), 1);
    let csv = store.results.csv_file().expect("plain data");
    assert!(
        csv.starts_with("# machine 0: processor: ") && csv.contains("# machine 1, the newest:")
    );
}

/// Tags open and close in order, and no `<` or `&` stands free.
fn assert_well_formed(svg: &str) {
    let mut open = vec![];
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('&') || text.contains(';'), "{text}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && svg.starts_with("<svg ") && !svg.contains("NaN"));
}

#[test]
fn the_plot_is_well_formed() {
    let results = sample();
    let svg = draw(&results).expect("drawn");
    assert_well_formed(&svg);
    if let Ok(path) = std::env::var("MUSTER_PLOT") {
        fs::write(path, &svg).expect("written");
    }
    for words in ["schnorr-babyjubjub", "128/256", "seconds", "Time of a proof", "sans-serif"] {
        assert!(svg.contains(words), "{words}");
    }
    // No row, one row, a name that is none of ours, and more cases than the picture is high.
    let few =
        |rows: Vec<Row>| draw(&Results { rows: kept(rows), ..results.clone() }).expect("drawn");
    assert_well_formed(&few(vec![]));
    assert_well_formed(&few(vec![results.rows[0].row.clone()]));
    assert_well_formed(&few(vec![proven(&ask("<a & b>", Degree::Auto, 3, 4), 12, 1e-3)]));
    let many = (1..40).map(|n| proven(&ask("s", Degree::Auto, n, 100), 12, n as f64));
    assert_well_formed(&few(many.collect()));
}

/// A point with nothing beside it is drawn as a bar; of several, each spread is a line.
#[test]
fn a_case_alone_has_bars() {
    let count = |svg: &str, word: &str| svg.matches(word).count();
    let results = sample();
    let many = draw(&results).expect("drawn");
    let mut one = results.clone();
    one.rows.retain(|row| row.status == Status::Ok);
    one.rows.truncate(1);
    let alone = draw(&one).expect("drawn");
    assert_well_formed(&alone);
    // The page, and a bar in each panel; the legend has the one marker.
    assert_eq!(count(&alone, "<rect"), 3, "{alone}");
    assert_eq!(count(&alone, "<polygon"), 1);
    assert_eq!(count(&many, "<rect"), 1);
    let mut known = results.clone();
    known.rows.iter_mut().for_each(|row| row.row.prove_min_s = None);
    let spreads = count(&many, "<polyline") - count(&draw(&known).expect("drawn"), "<polyline");
    assert!(spreads > 0 && many.contains("seconds (logarithmic)"));
}
