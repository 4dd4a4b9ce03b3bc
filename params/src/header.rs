//! The first line of a file of our own: an object in JSON.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads the line. Headers have no lists, which serde would take for objects, as it lets errors say what the code calls
/// the type of a field.
pub(crate) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, String> {
    let value: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    if has_list(&value) {
        return Err("a list in the header, which has only objects".into());
    }
    serde_json::from_value(value).map_err(|error| {
        let text = error.to_string();
        text.split_once(", expected ").map_or(text.as_str(), |(found, _)| found).to_owned()
    })
}

fn has_list(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(fields) => fields.values().any(has_list),
        _ => false,
    }
}
