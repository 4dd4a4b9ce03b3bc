//! Circle's Cross-Chain Transfer Protocol: a message and its attestation, as `/v2/messages` answers. The format is that of
//! `Attestable.sol`: signatures of 65 bytes in the order of their attesters' addresses, on the Keccak-256 of the message.

use std::path::{Path, PathBuf};

use muster_schemes::hash::keccak::keccak256;
use serde::Deserialize;

use super::imported::{addresses, quorum, Claimed, Imported, Importer, Said};
use crate::{encoding::from_hex, input, Error};

/// Greatest length of a file.
const LIMIT: u64 = 1 << 22;
/// Bytes of a signature.
const SIGNATURE: usize = 65;
/// Bytes of a message before the nonce: the version, and the domains of source and destination.
const DOMAINS: usize = 12;

/// A message, its attestation, and who may attest.
#[derive(Clone, Debug)]
pub struct Cctp {
    /// The answer of `/v2/messages`, with one message.
    pub message: PathBuf,
    /// The addresses of the attesters.
    pub attesters: PathBuf,
    /// How many of them have to sign.
    pub threshold: u64,
}

#[derive(Deserialize)]
struct Answer {
    messages: Vec<Attested>,
}

#[derive(Deserialize)]
struct Attested {
    message: String,
    attestation: String,
    status: Option<String>,
}

impl Importer for Cctp {
    fn import(&self) -> Result<Imported, Error> {
        let path = &self.message;
        let threshold = quorum("--threshold", self.threshold)?;
        let Answer { messages } = input::parse(path, &input::read(path, LIMIT)?)?;
        let [one] = &messages[..] else {
            let reason = format!("{} messages: the file has to have one", messages.len());
            return Err(Error::field(path, "messages", reason));
        };
        let (message, signatures) = one.decode(path)?;
        let committee = addresses(&self.attesters)?;
        let digest = keccak256(&message);
        let claims = signatures.chunks(SIGNATURE).enumerate().map(|(number, signature)| Claimed {
            who: format!("signature {number}"),
            member: None,
            signature: signature.to_vec(),
        });
        let domain = |from: usize| u32::from_be_bytes(std::array::from_fn(|i| message[from + i]));
        let (source, destination) = (domain(4), domain(8));
        let mut said = Said {
            compared: vec!["each signature with the addresses of the attesters".into()],
            believed: vec![format!(
                "that these are the attesters on domain {destination}, and that {threshold} of them are enough"
            )],
            threshold,
            ..Said::default()
        };
        said.say("source domain", "source_domain", source);
        said.say("destination domain", "destination_domain", destination);
        Imported::by_addresses(committee, digest, claims.collect(), said)
    }
}

impl Attested {
    /// The message, and the signatures one behind the other.
    fn decode(&self, path: &Path) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let at = |field: &str| format!("messages[0].{field}");
        let message = from_hex(&self.message).map_err(Error::at(path, at("message")))?;
        if message.len() < DOMAINS {
            let reason = format!("{} bytes, too few for a message", message.len());
            return Err(Error::field(path, at("message"), reason));
        }
        let signatures = from_hex(&self.attestation).map_err(|reason| {
            let status = self.status.as_deref().unwrap_or("unknown");
            let reason =
                format!("{reason} (the status is {status:?}: it is attested when complete)");
            Error::field(path, at("attestation"), reason)
        })?;
        if signatures.len() % SIGNATURE != 0 {
            let reason = format!("{} bytes, not a multiple of {SIGNATURE}", signatures.len());
            return Err(Error::field(path, at("attestation"), reason));
        }
        Ok((message, signatures))
    }
}
