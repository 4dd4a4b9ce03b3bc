//! `muster-verifier` for JavaScript. `verifier/js` gives it types, errors and statements.
//!
//! Inputs are 32 bytes each, joined. What is thrown is the reason in words.

use std::rc::Rc;

use muster_verifier::BatchError;
use wasm_bindgen::prelude::wasm_bindgen;

const INPUT: usize = 32;

/// A key.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Key(Rc<muster_verifier::Key>);

#[wasm_bindgen]
impl Key {
    /// Reads a key from all of these bytes.
    ///
    /// # Errors
    ///
    /// If they are not one.
    pub fn read(bytes: &[u8]) -> Result<Key, String> {
        let key = muster_verifier::Key::read(bytes).map_err(|error| error.to_string())?;
        Ok(Self(Rc::new(key)))
    }

    /// The Keccak-256 of the key's bytes.
    pub fn digest(&self) -> Vec<u8> {
        self.0.digest().to_vec()
    }

    /// What the inputs mean.
    pub fn description(&self) -> Vec<u8> {
        self.0.description().to_vec()
    }

    /// Whether the SRS is a ceremony's.
    pub fn is_ceremony(&self) -> bool {
        self.0.is_ceremony()
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.0.protocol().inputs()
    }

    /// Checks a proof for these inputs.
    ///
    /// # Errors
    ///
    /// If it is refused.
    pub fn verify(&self, inputs: &[u8], proof: &[u8]) -> Result<(), String> {
        self.0.verify(split(inputs)?, proof).map_err(|error| error.to_string())
    }
}

/// Proofs that are checked together.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Batch(Vec<Item>);

#[derive(Debug)]
struct Item {
    key: Rc<muster_verifier::Key>,
    inputs: Vec<[u8; INPUT]>,
    proof: Vec<u8>,
}

#[wasm_bindgen]
impl Batch {
    /// No proof.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a proof under this key, for these inputs.
    ///
    /// # Errors
    ///
    /// If the inputs are not 32 bytes each.
    pub fn push(&mut self, key: &Key, inputs: &[u8], proof: &[u8]) -> Result<(), String> {
        let (key, inputs) = (Rc::clone(&key.0), split(inputs)?.to_vec());
        self.0.push(Item { key, inputs, proof: proof.to_vec() });
        Ok(())
    }

    /// Checks all proofs. For each one the reason why it is refused, or nothing if it is not.
    pub fn verify(&self) -> Vec<String> {
        let items = self.0.iter().map(|item| (&*item.key, &*item.inputs, &*item.proof));
        let mut reasons = vec![String::new(); self.0.len()];
        if let Err(BatchError(refused)) = muster_verifier::verify_batch(&items.collect::<Vec<_>>())
        {
            for (place, error) in refused {
                reasons[place] = error.to_string();
            }
        }
        reasons
    }
}

/// The inputs in these bytes.
fn split(bytes: &[u8]) -> Result<&[[u8; INPUT]], String> {
    let (inputs, rest) = bytes.as_chunks();
    if rest.is_empty() {
        Ok(inputs)
    } else {
        Err("inputs are not 32 bytes each".into())
    }
}
