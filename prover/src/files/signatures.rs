//! `signatures.json`: `{"message": "0x…", "signatures": [{"member": 3, "signature": "0x…"}, …]}`,
//! or for a scheme whose signers sign together `{"message": "0x…", "aggregate": {"members": […],
//! "signature": "0x…"}}`. `"scheme"` may be there too. A member is named by its number, by its key or address in hex or,
//! where a signature tells its key (ECDSA over secp256k1, with `v`), not at all.

use muster_circuits::{Message, Scheme, Signature, Signatures};
use serde_json::{json, Value};

use crate::encoding::{message_to_hex, to_hex};

/// A message and the signatures on it.
#[derive(Clone, Debug)]
pub struct SignaturesFile {
    /// Scheme of the signatures.
    pub scheme: Scheme,
    /// What was signed.
    pub message: Message,
    /// The signatures.
    pub signatures: Signatures,
}

impl SignaturesFile {
    /// The content of the file.
    pub fn to_json(&self) -> Value {
        let (scheme, message) = (self.scheme.name(), message_to_hex(&self.message));
        match &self.signatures {
            Signatures::Independent(list) => {
                let entry = |(member, signature): &(usize, Signature)| json!({ "member": member, "signature": to_hex(&signature.to_bytes()) });
                let signatures: Vec<_> = list.iter().map(entry).collect();
                json!({ "scheme": scheme, "message": message, "signatures": signatures })
            }
            Signatures::Aggregate { members, signature } => {
                let signature = to_hex(&signature.to_bytes());
                let aggregate = json!({ "members": members, "signature": signature });
                json!({ "scheme": scheme, "message": message, "aggregate": aggregate })
            }
        }
    }
}
