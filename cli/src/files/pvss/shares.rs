//! `shares-1.json`: a player's shares of a sum of dealings.

use std::path::Path;

use muster_prover::encoding::to_hex;
use muster_threshold::pvss::Share;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use super::exact;
use crate::Error;

/// Little-endian values by the numbers of the shares. They are wiped from memory when dropped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharesFile {
    shares: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    share: usize,
    value: String,
}

impl SharesFile {
    /// The content of a file of shares.
    pub fn new(shares: &[Share]) -> Self {
        let entry = |share: &Share| Entry {
            share: share.number(),
            value: to_hex(share.to_bytes().as_slice()),
        };
        Self { shares: shares.iter().map(entry).collect() }
    }

    /// The shares.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`].
    pub fn decode(&self, path: &Path) -> Result<Vec<Share>, Error> {
        let decode = |(place, entry): (usize, &Entry)| {
            let at = format!("shares[{place}].value");
            let value = Zeroizing::new(exact(path, &at, &entry.value)?);
            Share::from_bytes(entry.share, *value).map_err(|found| Error::field(path, at, found))
        };
        self.shares.iter().enumerate().map(decode).collect()
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.value.zeroize();
    }
}
