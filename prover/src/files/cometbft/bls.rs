//! Keys of BLS12-381 as CometBFT has them, and how they sign together.

use muster_circuits::{KeyKind, MessageForm, PointHash, Rule, Scheme, Suite};
use muster_schemes::{
    membership::PublicKey,
    signature::bls::{member::OwnedKey, MinPkPopBls12381},
};

use crate::{files::members::in_words, Error};

/// Bytes of a coordinate of a key.
const COORDINATE: usize = 48;

/// The scheme under which validators sign these bytes together.
pub(super) fn suite(most: usize) -> Result<Suite, Error> {
    let (scheme, keys) = (Scheme::BlsBls12381, KeyKind::Coordinates);
    let form = MessageForm::Sha256 { most };
    let suite = Suite::new(scheme, keys, Some(Rule::TrustedKeys), Some(form));
    let suite = suite.and_then(|suite| suite.with_hash(PointHash::Basic));
    suite.map_err(|_| muster_circuits::Error::Rule(scheme).into())
}

/// The key of both coordinates in 96 bytes, as CometBFT has it.
pub(super) fn key(bytes: &[u8]) -> Result<PublicKey, String> {
    let (x, y) = bytes
        .split_at_checked(COORDINATE)
        .filter(|_| bytes.len() == 2 * COORDINATE)
        .ok_or_else(|| format!("{} bytes, not {}", bytes.len(), 2 * COORDINATE))?;
    if x[0] >> 5 != 0 {
        return Err("not the encoding of a point without compression".into());
    }
    let suite = suite(1).map_err(|error| error.to_string())?;
    // Compressed, the sign tells which of two points it is.
    for sign in [0x80, 0xa0] {
        let compressed = [&[x[0] | sign][..], &x[1..]].concat();
        let key = suite.decode_key(&compressed).map_err(in_words)?;
        let owned = key.of::<OwnedKey<MinPkPopBls12381>>();
        let found = owned.map(|owned| owned.coordinates()[1].to_bytes_be()).unwrap_or_default();
        if y[..y.len() - found.len()].iter().all(|byte| *byte == 0) && y.ends_with(&found) {
            return Ok(key);
        }
    }
    Err("not a point of the curve".into())
}
