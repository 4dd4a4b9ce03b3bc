//! `muster schemes`.

use muster_circuits::Scheme;
use serde_json::json;

use super::{table::table, Report};

/// The signature schemes: curves, encodings, and which keys and signatures are accepted.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  muster schemes --json")]
pub(super) struct SchemesArgs;

const BABY_JUBJUB: &str =
    "Baby Jubjub (EIP-2494, circomlib): twisted Edwards over the BN254 scalar field";
const SECP256K1: &str = "secp256k1 (SEC 2)";
const P256: &str = "P-256, or secp256r1 (FIPS 186-5)";

const PACKED: &str =
    "32 bytes, circomlib's packPoint: y little-endian, top bit set if x > (r - 1)/2";
const SEC1: &str = "33 or 65 bytes (SEC 1, compressed or not)";

const ELEMENT: &str =
    "32 bytes: an element of the BN254 scalar field, big-endian, below the modulus";
const DIGEST: &str = "32 bytes: the digest of what is signed, with the hash that the signers use";

const IN_SUBGROUP: &str =
    "canonical, on the curve, in the prime-order subgroup, not the identity, once in a committee";
const ON_CURVE: &str = "canonical, on the curve, not the identity, once in a committee";

const ECDSA_EQUATION: &str =
    "R = (m/s)·G + (r/s)·A is not the identity, and R.x = r modulo n (FIPS 186-5)";

const EDWARDS_RULES: &str =
    "R as a key is; s below the group order l (zero is legal); a member signs once";

/// What there is to say of a scheme.
struct Description {
    curve: &'static str,
    public_key: &'static str,
    message: &'static str,
    signature: &'static str,
    equation: &'static str,
    key_rules: &'static str,
    signature_rules: &'static str,
}

/// A scheme over Baby Jubjub.
fn embedded(equation: &'static str, signature: &'static str) -> Description {
    Description {
        curve: BABY_JUBJUB,
        public_key: PACKED,
        message: ELEMENT,
        signature,
        equation,
        key_rules: IN_SUBGROUP,
        signature_rules: EDWARDS_RULES,
    }
}

fn describe(scheme: Scheme) -> Description {
    match scheme {
        Scheme::Schnorr => embedded(
            "s·B = R + c·A, c = Poseidon(R.x, R.y, A.x, A.y, m) under the tag muster.schnorr.v1",
            "64 bytes a signer: R packed, then s little-endian",
        ),
        Scheme::Eddsa => embedded(
            "s·B = R + 8·h·A, h = Poseidon(R.x, R.y, A.x, A.y, m): circomlib's EdDSA-Poseidon",
            "64 bytes a signer: R packed, then s little-endian, as iden3 writes it",
        ),
        Scheme::Musig => embedded(
            "s·B = R + c·X, X = Σ aᵢ·Xᵢ, aᵢ = Poseidon(root, Xᵢ.x, Xᵢ.y, 0, 0): MuSig2",
            "64 bytes for all signers together: R packed, then s little-endian",
        ),
        Scheme::EcdsaSecp256k1 => Description {
            curve: SECP256K1,
            public_key: "33 or 65 bytes (SEC 1); with --keys address the 20 bytes of an address \
                         (EIP-55)",
            message: DIGEST,
            signature: "64 bytes a signer: r, then s, big-endian; 65 with --keys address: then v, \
                        0 or 1, 27 or 28",
            equation: ECDSA_EQUATION,
            key_rules: ON_CURVE,
            signature_rules: "r and s from 1 to n - 1; s at most n/2 (--rule low-s, the default) \
                              or any (any-s); a member signs once",
        },
        Scheme::EcdsaP256 => Description {
            curve: P256,
            public_key: SEC1,
            message: DIGEST,
            signature: "64 bytes a signer: r, then s, big-endian (IEEE P1363)",
            equation: ECDSA_EQUATION,
            key_rules: ON_CURVE,
            signature_rules: "r and s from 1 to n - 1; any s (--rule any-s, the default) or s at \
                              most n/2 (low-s); a member signs once",
        },
        Scheme::SchnorrSecp256k1 => Description {
            curve: SECP256K1,
            public_key: "32 bytes (BIP-340): x big-endian, of the point with an even y",
            message: DIGEST,
            signature: "64 bytes a signer: x of R, then s, big-endian",
            equation: "s·G = R + e·A, e = SHA-256 of R.x, A.x, m under the tag BIP0340/challenge",
            key_rules: ON_CURVE,
            signature_rules: "R on the curve with an even y; s below the group order n; a member \
                              signs once",
        },
    }
}

pub(super) fn run() -> Report {
    let mut text = String::new();
    let mut list = vec![];
    for scheme in Scheme::ALL {
        let about = describe(scheme);
        let rows = [
            ("curve", about.curve),
            ("public key", about.public_key),
            ("message", about.message),
            ("signature", about.signature),
            ("equation", about.equation),
            ("a key is accepted if", about.key_rules),
            ("a signature is accepted if", about.signature_rules),
        ];
        let lines = rows.map(|(name, value)| (name, value.to_owned()));
        text += &format!("{scheme}\n{}\n", table(&lines));
        let object = rows.map(|(name, value)| (name.replace(' ', "_"), json!(value)));
        let mut object: serde_json::Map<_, _> = object.into_iter().collect();
        object.insert("name".into(), json!(scheme.name()));
        object.insert("aggregate".into(), json!(scheme.is_aggregate()));
        object.insert("public_inputs".into(), json!(scheme.public_inputs()));
        list.push(object);
    }
    Report { text, json: json!({ "schemes": list }) }
}
