//! `muster schemes`.

use muster_circuits::Scheme;
use muster_schemes::membership::KeySet;
use serde_json::json;

use super::{report::Report, table::table};

/// The signature schemes: curves, encodings, and which keys and signatures are accepted.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  muster schemes --json")]
pub(super) struct SchemesArgs;

pub(super) fn run() -> Report {
    let mut text = String::new();
    let mut list = vec![];
    for scheme in Scheme::ALL {
        let about = scheme.description();
        let rows = [
            ("curve", about.curve.to_owned()),
            ("public key", about.public_key),
            ("message", about.message.to_owned()),
            ("signature", about.signature),
            ("equation", about.equation),
            ("a key is accepted if", about.key_rules.to_owned()),
            ("a signature is accepted if", about.signature_rules),
            ("signatures made elsewhere", about.elsewhere),
        ];
        text += &format!("{scheme}\n{}\n", table(&rows));
        let object = rows.map(|(name, value)| (name.replace(' ', "_"), json!(value)));
        let mut object: serde_json::Map<_, _> = object.into_iter().collect();
        object.insert("name".into(), json!(scheme.name()));
        object.insert("aggregate".into(), json!(scheme.is_aggregate()));
        object.insert("public_inputs".into(), json!(scheme.suite().public_inputs()));
        list.push(object);
    }
    let committee = KeySet::rules();
    text += &format!("A committee is accepted if {committee}. A member signs once.\n");
    Report { text, json: json!({ "schemes": list, "a_committee_is_accepted_if": committee }) }
}
