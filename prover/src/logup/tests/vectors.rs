//! Proofs from fixed seeds, for verifiers that others write.

use std::{fs, path::PathBuf};

use muster_verifier::Key;
use serde::{Deserialize, Serialize};

use super::{
    copies::nine_columns,
    every::every,
    lookups::two_tables,
    mirror::{items, squeezed},
    sample::{Keys, Sample},
};
use crate::logup::blinded::to_bytes;

/// A file: a key, and a proof under it with its challenges.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Vector {
    key: String,
    inputs: Vec<String>,
    proof: String,
    challenges: Named,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Named {
    theta: String,
    beta_l: String,
    beta: String,
    gamma: String,
    y: String,
    x: String,
    alpha: String,
    u: String,
}

fn hexed(bytes: impl AsRef<[u8]>) -> String {
    format!("0x{}", hex::encode(bytes))
}

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text.strip_prefix("0x").unwrap()).unwrap()
}

/// The coins are of a fixed seed, and so is τ: proofs and keys are the same at each run.
fn vector(sample: &Sample) -> Vector {
    let keys = Keys::of(sample);
    let proof = keys.prove(sample, 2021);
    let challenges = squeezed(&items(&keys, &sample.inputs, &proof));
    let [theta, beta_l, beta, gamma, y, x, alpha, u] =
        challenges.map(|challenge| hexed(to_bytes(&challenge)));
    Vector {
        key: hexed(keys.key.to_bytes()),
        inputs: sample.inputs.iter().map(|input| hexed(to_bytes(input))).collect(),
        proof: hexed(proof),
        challenges: Named { theta, beta_l, beta, gamma, y, x, alpha, u },
    }
}

#[test]
fn proofs_are_those_of_the_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../verifier/vectors");
    for (name, sample) in
        [("everything", every(1)), ("lookups", two_tables()), ("copies", nine_columns())]
    {
        let vector = vector(&sample);
        let path = folder.join(format!("{name}.json"));
        if std::env::var("MUSTER_UPDATE_GOLDEN").as_deref() == Ok("1") {
            fs::create_dir_all(&folder).unwrap();
            let text = serde_json::to_string_pretty(&vector).unwrap();
            fs::write(&path, text + "\n").unwrap();
        }
        let stored: Vector = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(stored, vector, "{name}: MUSTER_UPDATE_GOLDEN=1 writes the file anew");

        let key = Key::read(&bytes(&stored.key)).unwrap();
        let inputs: Vec<[u8; 32]> =
            stored.inputs.iter().map(|input| bytes(input).try_into().unwrap()).collect();
        assert_eq!(key.verify(&inputs, &bytes(&stored.proof)), Ok(()), "{name}");
    }
}
