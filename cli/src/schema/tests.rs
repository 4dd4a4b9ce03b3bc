use std::{fs, path::Path};

use muster_circuits::{translation::CommitmentKind, Rule, Scheme};
use muster_testing::schema::Schema as Held;
use muster_threshold::{bls, frost};
use serde_json::json;

use super::{list, run, SchemaArgs, SCHEMAS};

fn named(name: &str) -> SchemaArgs {
    SchemaArgs { name: Some(name.to_owned()) }
}

#[test]
fn every_schema_in_the_book_is_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/reference/schemas");
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let stem = |name: String| name.strip_suffix(".json").unwrap().to_owned();
    let mut files: Vec<_> = entries.map(|name| stem(name.into_string().unwrap())).collect();
    files.sort();
    let names: Vec<_> = SCHEMAS.iter().map(|schema| schema.name).collect();
    assert_eq!(files, names, "in their order");
    let page = fs::read_to_string(folder.join("../files.md")).unwrap();
    for schema in SCHEMAS {
        let report = run(&named(schema.name)).unwrap();
        let file = fs::read_to_string(folder.join(format!("{}.json", schema.name))).unwrap();
        assert_eq!(report.text, file);
        assert_eq!(report.json["$schema"], "https://json-schema.org/draft/2020-12/schema");
        let [name, title, description] = schema.described();
        assert!(!title.is_empty() && description.ends_with('.'), "{name}");
        assert!(list().text.contains(&format!("  {name} ")), "{name}");
        assert!(
            page.contains(&format!("[{name}](schemas/{name}.json) | `{title}` | {description}")),
            "{name}"
        );
    }
    assert_eq!(list().json["schemas"].as_array().unwrap().len(), SCHEMAS.len());
}

/// Lists of names in the schemas are those of the code.
#[test]
fn names_are_all_there() {
    let listed = |name: &str, of: &str| {
        let schema = SCHEMAS.iter().find(|schema| schema.name == name).unwrap();
        let held = Held::new(schema.text);
        held.listed(of).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let schemes: Vec<_> = Scheme::ALL.iter().map(|scheme| scheme.name().to_owned()).collect();
    for name in ["committee", "signatures", "secrets", "proof", "keys", "evm-key"] {
        assert_eq!(listed(name, "scheme"), schemes, "{name}");
    }
    let schema = SCHEMAS.iter().find(|schema| schema.name == "proof").unwrap().value();
    let rules = Rule::ALL.map(Rule::name);
    assert_eq!(schema["$defs"]["shape"]["properties"]["rule"]["enum"], json!(rules));
    let commitments: Vec<_> = CommitmentKind::ALL.iter().map(|kind| kind.name()).collect();
    for name in ["translation", "translation-keys"] {
        let schema = SCHEMAS.iter().find(|schema| schema.name == name).unwrap().value();
        let listed = &schema["$defs"]["shape"]["properties"]["commitment"]["enum"];
        assert_eq!(*listed, json!(commitments), "{name}");
    }
    let of_frost = frost::SuiteName::ALL.map(|suite| suite.to_string());
    assert_eq!(listed("frost-parcel", "suite"), of_frost);
    use bls::SuiteName::{Bn254, MinPublicKey, MinSignature};
    let of_bls = [MinSignature, MinPublicKey, Bn254].map(|suite| suite.to_string());
    assert_eq!(listed("bls-threshold-group", "suite"), of_bls);
}
