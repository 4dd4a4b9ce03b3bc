//! The columns of a row, and files of earlier versions.

use muster_threshold::frost::{ceremony::Times, SuiteName};

use super::assert_columns;
use crate::{
    frost::{Case, Row},
    Existing, Machine, Results, Store,
};

fn row(suite: SuiteName, threshold: u16) -> Row {
    let times = Times {
        keygen_ms: 1.0,
        round1_ms: 0.1,
        round2_ms: 0.2,
        aggregate_frost_core_ms: f64::from(threshold),
        aggregate_ms: 0.5,
        aggregate_encoding_ms: 0.75,
        cheater_frost_core_ms: 3.0,
        cheater_one_by_one_ms: 2.0,
        cheater_ms: 1.5,
    };
    Row { suite, threshold, signers: 2 * threshold, times }
}

#[test]
fn columns_are_the_fields_of_a_row() {
    assert_columns(&row(SuiteName::P256, 2));
}

/// Rows of an earlier version, with what they were medians of beside them.
#[test]
fn earlier_files_are_resumed() {
    let dir = tempfile::tempdir().expect("a directory");
    let rows = [row(SuiteName::Ed448, 2), row(SuiteName::BabyJubjub, 3)];
    let old = serde_json::json!({ "machine": Machine::this(), "repeat": 5, "rows": rows });
    std::fs::write(dir.path().join("frost.json"), old.to_string()).expect("written");
    let open = |repeat| {
        let results = Results::new(Machine::this(), Some(repeat));
        Store::<Row>::open_on(dir.path(), Existing::Resume, results)
    };
    let store = open(5).expect("resumed");
    assert!(store.results.rows.iter().map(|kept| &kept.row).eq(&rows));
    let case = Case { suite: SuiteName::BabyJubjub, threshold: 3, signers: 6, repeat: 5 };
    assert_eq!(store.results.finished(&case), Some(&rows[1]));
    assert_eq!(store.results.finished(&Case { threshold: 2, ..case }), None);
    store.save().expect("saved");
    let saved = std::fs::read(dir.path().join("frost.json")).expect("read");
    let saved: serde_json::Value = serde_json::from_slice(&saved).expect("JSON");
    let mut old = old;
    for row in old["rows"].as_array_mut().expect("rows") {
        row["machine"] = 0.into();
    }
    assert_eq!(saved, old);
    let svg = std::fs::read_to_string(dir.path().join("frost.svg")).expect("read");
    for words in ["babyjubjub", "frost-core", "one by one", "seconds"] {
        assert!(svg.contains(words), "{words}");
    }
    let refused = open(7).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("medians of 5"), "{refused}");
}
