//! `muster schema`.

#[cfg(test)]
mod tests;

use clap::builder::PossibleValuesParser;
use serde_json::{json, Value};

use crate::{report::Report, table::table, Error};

/// A schema by its name.
macro_rules! schema {
    ($name:literal) => {
        Schema { name: $name, text: include_str!(concat!("../../schemas/", $name, ".json")) }
    };
}

/// The schemas of all files that people or other programs write or read, by their names. `schemas` is a link to the folder
/// in the book.
const SCHEMAS: &[Schema] = &[
    schema!("bls-threshold-group"),
    schema!("bls-threshold-secret"),
    schema!("bls-threshold-share"),
    schema!("bls-threshold-signature"),
    schema!("cometbft-message"),
    schema!("committee"),
    schema!("dkg-attestation"),
    schema!("dkg-certificate"),
    schema!("dkg-proposal"),
    schema!("evm-key"),
    schema!("evm-proof"),
    schema!("farm"),
    schema!("farm-ceremony"),
    schema!("farm-job"),
    schema!("farm-keys"),
    schema!("farm-node"),
    schema!("farm-pin"),
    schema!("frost-commitment"),
    schema!("frost-group"),
    schema!("frost-nonces"),
    schema!("frost-parcel"),
    schema!("frost-share"),
    schema!("frost-signature"),
    schema!("frost-signature-share"),
    schema!("keys"),
    schema!("messages"),
    schema!("proof"),
    schema!("pvss-opened"),
    schema!("pvss-public"),
    schema!("pvss-secret"),
    schema!("pvss-session"),
    schema!("pvss-shares"),
    schema!("secrets"),
    schema!("signatures"),
    schema!("stakes"),
    schema!("sweep"),
    schema!("sweep-bls-threshold"),
    schema!("sweep-frost"),
    schema!("sweep-pvss"),
    schema!("sweep-record"),
    schema!("translation"),
    schema!("translation-keys"),
];

/// Print the JSON Schema of a kind of file, or list the kinds.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster schema
  muster schema committee > committee.schema.json

The schemas are of Draft 2020-12. What a schema refuses, muster refuses, too; it checks more than a schema can say, such
as whether a key is on its curve.")]
pub(super) struct SchemaArgs {
    /// The kind of file. Without it, all are listed.
    #[arg(value_parser = names(), hide_possible_values = true)]
    name: Option<String>,
}

/// A schema.
struct Schema {
    name: &'static str,
    text: &'static str,
}

impl Schema {
    fn value(&self) -> Value {
        serde_json::from_str(self.text).expect("a test reads every schema")
    }

    /// Its name, which file it is of, and what that is.
    fn described(&self) -> [String; 3] {
        let schema = self.value();
        let text = |field: &str| schema[field].as_str().unwrap_or_default().to_owned();
        [self.name.to_owned(), text("title"), text("description")]
    }
}

pub(super) fn run(args: &SchemaArgs) -> Result<Report, Error> {
    let Some(name) = &args.name else { return Ok(list()) };
    let schema = SCHEMAS.iter().find(|schema| schema.name == name);
    let schema = schema.expect("the parser takes no other name");
    Ok(Report { text: schema.text.to_owned(), json: schema.value() })
}

/// A name on the command line: an error lists all of them, and suggests the nearest.
fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(SCHEMAS.iter().map(|schema| schema.name))
}

/// All schemas.
fn list() -> Report {
    let described: Vec<_> = SCHEMAS.iter().map(Schema::described).collect();
    let rows: Vec<_> = described
        .iter()
        .map(|[name, file, what]| (name.as_str(), format!("{file}: {what}")))
        .collect();
    let list = described
        .iter()
        .map(|[name, file, what]| json!({ "name": name, "file": file, "description": what }));
    Report { text: table(&rows), json: json!({ "schemas": list.collect::<Vec<_>>() }) }
}
