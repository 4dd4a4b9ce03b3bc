//! The files of `vectors/compact`, which another program made.

use std::{fs, path::PathBuf};

use serde_json::Value;

use crate::{Key, Packing};

/// Files with a key and a proof.
pub(crate) const PROOFS: [&str; 2] = ["small", "large"];
/// All files: others have the circuits of Muster's own keys.
pub(crate) const ALL: [&str; 4] =
    ["small", "large", "schnorr-babyjubjub-8-16", "ecdsa-secp256k1-2-3"];

/// A file, or an object in it.
pub(crate) struct File(Value);

impl File {
    pub(crate) fn read(name: &str) -> Self {
        Self::at(&format!("vectors/compact/{name}.json"))
    }

    /// The file at this path, from the package on.
    pub(crate) fn at(path: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = fs::read(path).expect("the file is there");
        Self(serde_json::from_slice(&text).expect("it is JSON"))
    }

    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.0[name].as_bool().expect("true or false")
    }

    /// The object of this name.
    pub(crate) fn object(&self, name: &str) -> Self {
        Self(self.0[name].clone())
    }

    pub(crate) fn number(&self, name: &str) -> usize {
        self.0[name].as_u64().expect("a number") as usize
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.0[name].as_str().expect("a text")
    }

    /// Bytes in hexadecimal digits.
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        from_hex(&self.0[name])
    }

    /// As many bytes as are expected.
    pub(crate) fn array<const N: usize>(&self, name: &str) -> [u8; N] {
        self.bytes(name).try_into().expect("as many bytes")
    }

    pub(crate) fn words(&self, name: &str) -> Vec<[u8; 32]> {
        let words = self.0[name].as_array().expect("a list").iter();
        words.map(|word| from_hex(word).try_into().expect("32 bytes")).collect()
    }

    /// A list of lists of numbers.
    pub(crate) fn lists(&self, name: &str) -> Vec<Vec<i64>> {
        let lists = self.0[name].as_array().expect("a list").iter();
        let list = |list: &Value| -> Vec<i64> {
            let numbers = list.as_array().expect("a list").iter();
            numbers.map(|number| number.as_i64().expect("a number")).collect()
        };
        lists.map(list).collect()
    }

    /// The key of a file that has a proof.
    pub(crate) fn key(&self) -> Key {
        Key::read(&self.bytes("key")).expect("it obeys the rules")
    }

    /// The circuit of any file, with its packs.
    pub(crate) fn packing(&self) -> Packing {
        if self.0.get("key").is_some() {
            let key = self.key();
            return key.as_compact().expect("it is compact").packing().clone();
        }
        let key = Key::read(&self.bytes("fast_key")).expect("it obeys the rules");
        let packs = self.lists("packs").into_iter();
        let packs = packs.map(|pack| pack.into_iter().map(|number| number as usize).collect());
        let stride = self.number("stride") as u32;
        Packing::new(key.protocol().clone(), stride, packs.collect()).expect("it obeys the rules")
    }
}

fn from_hex(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("a text");
    hex::decode(text.strip_prefix("0x").expect("it begins with 0x")).expect("hexadecimal digits")
}
