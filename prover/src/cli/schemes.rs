//! `muster schemes`.

use muster_circuits::Scheme;
use serde_json::json;

use super::{table::table, Report};

/// The signature schemes: curves, encodings, and which keys and signatures are accepted.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  muster schemes --json")]
pub(super) struct SchemesArgs;

const CURVE: &str =
    "Baby Jubjub (EIP-2494, circomlib): twisted Edwards over the BN254 scalar field";
const KEY: &str = "32 bytes, circomlib's packPoint: y little-endian, top bit set if x > (r - 1)/2";
const MESSAGE: &str =
    "32 bytes: an element of the BN254 scalar field, big-endian, below the modulus";
const KEY_RULES: &str =
    "canonical, on the curve, in the prime-order subgroup, not the identity, once in a committee";
const SIGNATURE_RULES: &str =
    "R as a key is; s below the group order l (zero is legal); a member signs once";

fn equation(scheme: Scheme) -> (&'static str, &'static str) {
    match scheme {
        Scheme::Schnorr => (
            "s·B = R + c·A, c = Poseidon(R.x, R.y, A.x, A.y, m) under the tag muster.schnorr.v1",
            "64 bytes a signer: R packed, then s little-endian",
        ),
        Scheme::Eddsa => (
            "s·B = R + 8·h·A, h = Poseidon(R.x, R.y, A.x, A.y, m): circomlib's EdDSA-Poseidon",
            "64 bytes a signer: R packed, then s little-endian, as iden3 writes it",
        ),
        Scheme::Musig => (
            "s·B = R + c·X, X = Σ aᵢ·Xᵢ, aᵢ = Poseidon(root, Xᵢ.x, Xᵢ.y, 0, 0): MuSig2",
            "64 bytes for all signers together: R packed, then s little-endian",
        ),
    }
}

pub(super) fn run() -> Report {
    let mut text = String::new();
    let mut list = vec![];
    for scheme in Scheme::ALL {
        let (equation, signature) = equation(scheme);
        let rows = [
            ("curve", CURVE),
            ("public key", KEY),
            ("message", MESSAGE),
            ("signature", signature),
            ("equation", equation),
            ("a key is accepted if", KEY_RULES),
            ("a signature is accepted if", SIGNATURE_RULES),
        ];
        let lines = rows.map(|(name, value)| (name, value.to_owned()));
        text += &format!("{scheme}\n{}\n", table(&lines));
        let object = rows.map(|(name, value)| (name.replace(' ', "_"), json!(value)));
        let mut object: serde_json::Map<_, _> = object.into_iter().collect();
        object.insert("name".into(), json!(scheme.name()));
        object.insert("aggregate".into(), json!(scheme.is_aggregate()));
        list.push(object);
    }
    Report { text, json: json!({ "schemes": list }) }
}
