//! Seeds and samples, and what holds files to schemas.

use rand::RngCore;

use serde_json::{json, Value};

use super::{
    rng, sampled,
    schema::{changed, words_of_code, Schema},
    EXHAUSTIVE,
};

#[test]
fn two_generators_differ() {
    assert_ne!(rng().next_u64(), rng().next_u64());
}

#[test]
fn a_sample_is_a_share_in_order_and_never_empty() {
    let all = std::env::var(EXHAUSTIVE).as_deref() == Ok("1");
    for (count, share, expected) in [(9, 4, 3), (8, 4, 2), (1, 4, 1), (0, 4, 0)] {
        let drawn = sampled(0..count, share);
        assert_eq!(drawn.len(), if all { count } else { expected });
        assert!(drawn.is_sorted() && drawn.iter().all(|case| *case < count));
    }
}

#[test]
fn a_schema_is_checked_keyword_by_keyword() {
    let defs = json!({ "short": { "type": "string", "pattern": "^[a-c]{2}$" } });
    let holds = |schema: Value, value: Value| {
        let mut schema = schema;
        schema["$defs"] = defs.clone();
        Schema::new(&schema.to_string()).check(&value).is_ok()
    };
    for (schema, good, bad) in [
        (json!({ "type": "integer" }), json!(3), json!(3.5)),
        (json!({ "type": ["null", "string"] }), json!(null), json!(true)),
        (json!({ "enum": ["a", 1] }), json!(1), json!(2)),
        (json!({ "const": {} }), json!({}), json!([])),
        (json!({ "minimum": 1 }), json!(1), json!(-1)),
        (json!({ "maximum": u64::MAX }), json!(u64::MAX), json!(1e30)),
        (json!({ "$ref": "#/$defs/short" }), json!("ab"), json!("abc")),
        (json!({ "anyOf": [{ "type": "null" }, { "type": "array" }] }), json!([]), json!(0)),
        (json!({ "oneOf": [{ "minimum": 1 }, { "maximum": 1 }] }), json!(0), json!(1)),
        (json!({ "items": { "$ref": "#/$defs/short" } }), json!(["aa"]), json!(["aa", 1])),
        (json!({ "minItems": 1, "maxItems": 2 }), json!([1]), json!([1, 2, 3])),
        (json!({ "required": ["x"] }), json!({ "x": 1 }), json!({ "y": 1 })),
        (
            json!({ "properties": { "x": { "type": "null" } } }),
            json!({ "y": 1 }),
            json!({ "x": 1 }),
        ),
        (
            json!({ "properties": { "x": {} }, "additionalProperties": false }),
            json!({ "x": 1 }),
            json!({ "x": 1, "y": 1 }),
        ),
    ] {
        assert!(holds(schema.clone(), good), "{schema}");
        assert!(!holds(schema.clone(), bad), "{schema}");
    }
    let unknown = Schema::new(r#"{ "multipleOf": 2 }"#);
    std::panic::catch_unwind(|| unknown.check(&json!(1))).unwrap_err();
}

#[test]
fn every_part_of_a_file_is_changed() {
    let file = json!({ "a": [{ "b": 1 }], "c": "x" });
    let changed = changed(&file);
    for (what, value) in [
        ("/c: null", json!({ "a": [{ "b": 1 }], "c": null })),
        ("/a/0: without b", json!({ "a": [{}], "c": "x" })),
        ("/a/0: a list of values", json!({ "a": [[1]], "c": "x" })),
        ("/a/0: with another field", json!({ "a": [{ "b": 1, "unheard_of": 0 }], "c": "x" })),
        (": without a", json!({ "c": "x" })),
    ] {
        assert!(changed.contains(&(what.to_owned(), value)), "{what}");
    }
    assert!(changed.iter().all(|(_, value)| *value != file));
}

#[test]
fn words_of_code_are_seen() {
    for (message, word) in [
        ("invalid type: map, expected struct RawMember at line 1", Some("struct")),
        ("expected u32", Some("u32")),
        ("c.json: members: expected ShapeFile", Some("ShapeFile")),
        ("unknown field `struct`, expected `PathBuf`, found \"usize\"", None),
        ("Baby Jubjub, BN254, an object at line 3", None),
    ] {
        assert_eq!(words_of_code(message).as_deref(), word, "{message}");
    }
}
