//! JSON Schemas, for tests that hold the readers of files to them: the part of Draft 2020-12 that ours use, and what may be
//! wrong with a file.

use std::{collections::HashMap, sync::OnceLock};

use regex::Regex;
use serde_json::{json, Map, Value};

use crate::sampled;

/// A schema.
#[derive(Clone, Debug)]
pub struct Schema {
    whole: Value,
    /// Its patterns, by their texts.
    patterns: HashMap<String, Regex>,
}

impl Schema {
    /// The schema with this text.
    ///
    /// # Panics
    ///
    /// If it is not JSON, or a pattern of it is none.
    pub fn new(text: &str) -> Self {
        let whole = serde_json::from_str(text).expect("a schema is JSON");
        let mut patterns = HashMap::new();
        collect(&whole, &mut patterns);
        Self { whole, patterns }
    }

    /// What one of its definitions lists.
    ///
    /// # Panics
    ///
    /// If there is no such definition, or it lists nothing.
    pub fn listed(&self, name: &str) -> Vec<&str> {
        let list = self.whole["$defs"][name]["enum"].as_array().expect("a list");
        list.iter().filter_map(Value::as_str).collect()
    }

    /// Holds a value to the schema.
    ///
    /// # Errors
    ///
    /// Where it differs, and from what.
    ///
    /// # Panics
    ///
    /// For a keyword that this does not know: it would go unchecked.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.check_at(&self.whole, value, "")
    }

    fn check_at(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => return Err(format!("{at}: nothing may be here")),
            Value::Object(keywords) => keywords,
            other => panic!("{other} is no schema"),
        };
        for (keyword, said) in keywords {
            let differs = || Err(format!("{at}: {value} differs from {keyword} {said}"));
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" | "properties"
                | "default" => {}
                "$ref" => self.check_at(self.definition(said), value, at)?,
                "anyOf" => {
                    if !choices(said).iter().any(|one| self.check_at(one, value, at).is_ok()) {
                        return differs();
                    }
                }
                "oneOf" => {
                    let holds = |one: &&Value| self.check_at(one, value, at).is_ok();
                    if choices(said).iter().filter(holds).count() != 1 {
                        return differs();
                    }
                }
                "items" => {
                    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check_at(said, item, &format!("{at}/{place}"))?;
                    }
                }
                "additionalProperties" => self.check_others(keywords, said, value, at)?,
                "pattern" => {
                    let pattern = &self.patterns[said.as_str().expect("a text")];
                    if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                        return differs();
                    }
                }
                _ if !holds(keyword, said, value) => return differs(),
                _ => {}
            }
        }
        let named = keywords.get("properties").and_then(Value::as_object);
        for (name, field) in named.into_iter().flatten() {
            if let Some(found) = value.get(name) {
                self.check_at(field, found, &format!("{at}/{name}"))?;
            }
        }
        Ok(())
    }

    /// The fields of an object that have no name in the schema.
    fn check_others(
        &self,
        keywords: &Map<String, Value>,
        said: &Value,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        for (name, found) in value.as_object().into_iter().flatten() {
            if keywords.get("properties").and_then(|named| named.get(name)).is_none() {
                self.check_at(said, found, &format!("{at}/{name}"))?;
            }
        }
        Ok(())
    }

    fn definition(&self, reference: &Value) -> &Value {
        let place = reference.as_str().and_then(|text| text.strip_prefix('#'));
        place.and_then(|place| self.whole.pointer(place)).expect("a definition of this schema")
    }
}

/// Finds the patterns of a schema.
fn collect(schema: &Value, patterns: &mut HashMap<String, Regex>) {
    match schema {
        Value::Object(keywords) => {
            if let Some(Value::String(text)) = keywords.get("pattern") {
                patterns.insert(text.clone(), Regex::new(text).expect("a pattern"));
            }
            keywords.values().for_each(|part| collect(part, patterns));
        }
        Value::Array(list) => list.iter().for_each(|part| collect(part, patterns)),
        _ => {}
    }
}

fn choices(list: &Value) -> &[Value] {
    list.as_array().expect("a list of schemas")
}

/// What a keyword says of a value by itself.
fn holds(keyword: &str, said: &Value, value: &Value) -> bool {
    let of = |list: &Value| list.as_array().map_or(0, Vec::len) as u64;
    let least = || said.as_u64().expect("a number of items");
    match keyword {
        "type" => match said {
            Value::Array(types) => types.iter().any(|one| is_of(one, value)),
            one => is_of(one, value),
        },
        "enum" => choices(said).contains(value),
        "const" => said == value,
        "minimum" => !value.is_number() || at_most(said, value),
        "maximum" => !value.is_number() || at_most(value, said),
        "minItems" => !value.is_array() || of(value) >= least(),
        "maxItems" => !value.is_array() || of(value) <= least(),
        "required" => {
            let names = choices(said).iter().filter_map(Value::as_str);
            value
                .as_object()
                .is_none_or(|fields| names.into_iter().all(|name| fields.contains_key(name)))
        }
        _ => panic!("{keyword}: not a keyword that is checked here"),
    }
}

fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => {
            let is_whole = |number: f64| number.fract() == 0.0;
            value.is_u64() || value.is_i64() || value.as_f64().is_some_and(is_whole)
        }
        _ => panic!("{name} is no type"),
    }
}

fn at_most(left: &Value, right: &Value) -> bool {
    match (left.as_u64(), right.as_u64()) {
        (Some(left), Some(right)) => left <= right,
        _ => left.as_f64() <= right.as_f64(),
    }
}

/// What is put in the place of each part of a file.
fn others() -> [Value; 11] {
    let huge = json!(1e30);
    let texts = ["", "x", "-1", "01", "0x0"].map(Value::from);
    let [empty, word, negative, zeros, half] = texts;
    [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        huge,
        empty,
        word,
        negative,
        zeros,
        half,
        json!([]),
    ]
}

/// The file with one thing wrong, or merely different, each with where and what: every part is replaced by values of
/// other types, every field dropped, fields are added, and objects become lists of their values. Of a long list, the
/// first and the last entry are taken.
pub fn changed(file: &Value) -> Vec<(String, Value)> {
    let mut places = vec![];
    find(file, String::new(), &mut places);
    let mut all = vec![];
    for at in places {
        let mut put = |what: String, value: Value| {
            let mut whole = file.clone();
            if let Some(place) = whole.pointer_mut(&at).filter(|place| **place != value) {
                *place = value;
                all.push((format!("{at}: {what}"), whole));
            }
        };
        for other in others() {
            put(other.to_string(), other);
        }
        let Some(Value::Object(fields)) = file.pointer(&at) else {
            put("{}".into(), json!({}));
            continue;
        };
        put("a list of values".into(), fields.values().cloned().collect());
        for name in fields.keys() {
            let mut fields = fields.clone();
            fields.remove(name);
            put(format!("without {name}"), fields.into());
        }
        let mut fields = fields.clone();
        fields.insert("unheard_of".into(), json!(0));
        put("with another field".into(), fields.into());
    }
    all
}

/// The places of a file's parts, the whole included.
fn find(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                find(field, format!("{at}/{name}"), places);
            }
        }
        Value::Array(list) => {
            let ends = [0, list.len().saturating_sub(1)];
            for (number, entry) in list.iter().enumerate().filter(|(i, _)| ends.contains(i)) {
                find(entry, format!("{at}/{number}"), places);
            }
        }
        _ => {}
    }
    places.push(at);
}

/// What a message quotes of a file.
const QUOTED: &str = r#"`[^`]*`|"[^"]*""#;
/// Words of the code.
const WORDS: &str = r"(?-u:\b)(usize|isize|[ui](8|16|32|64|128)|f(32|64)|struct|enum|(variant|field) identifier|Option|Vec|HashMap|[A-Z][a-z]+[A-Z][a-z][A-Za-z]*)(?-u:\b)";

/// What a message says in the words of the code: names of types, or what serde calls them. Words of the file itself,
/// which messages quote, do not count.
pub fn words_of_code(message: &str) -> Option<String> {
    static PATTERNS: OnceLock<[Regex; 2]> = OnceLock::new();
    let [quoted, words] =
        PATTERNS.get_or_init(|| [QUOTED, WORDS].map(|text| Regex::new(text).expect("a pattern")));
    let bare = quoted.replace_all(message, "");
    words.find(&bare).map(|found| found.as_str().to_owned())
}

/// Whatever [`changed`] makes of a file, no message speaks of the code. A run reads a [sample](sampled).
///
/// # Panics
///
/// If one does.
#[track_caller]
pub fn assert_in_words(file: &Value, mut read: impl FnMut(&Value) -> Result<(), String>) {
    for (what, changed) in sampled(changed(file), 4) {
        let error = read(&changed).err();
        let spoken = error.as_deref().and_then(words_of_code);
        assert!(spoken.is_none(), "{what}: {error:?} says {spoken:?}");
    }
}

/// Holds a reader to a schema, by a file that is good: what the schema refuses of all that [`changed`] makes of it, the
/// reader refuses, too; and no message speaks of the code. A run reads a [sample](sampled).
///
/// # Panics
///
/// If it is not so.
#[track_caller]
pub fn assert_reader(
    schema: &Schema,
    file: &Value,
    mut read: impl FnMut(&Value) -> Result<(), String>,
) {
    assert_eq!(schema.check(file), Ok(()), "{file}");
    assert_eq!(read(file), Ok(()), "{file}");
    let all = changed(file);
    let refused = all.iter().any(|(_, changed)| schema.check(changed).is_err());
    assert!(refused, "the schema refuses nothing");
    for (what, changed) in sampled(all, 4) {
        let differs = schema.check(&changed).err();
        let error = read(&changed).err();
        if let Some(difference) = differs {
            assert!(error.is_some(), "{what}: read, though {difference}");
        }
        let spoken = error.as_deref().and_then(words_of_code);
        assert!(spoken.is_none(), "{what}: {error:?} says {spoken:?}");
    }
}
