//! Encryption of what only participants may read: a request shows who signed, which its proof hides.
//!
//! A farm has one key. Keys derived from it encrypt payloads on their way through the server, and inputs in the store.

use std::{fs, path::Path, sync::Arc};

use chacha20poly1305::{
    aead::{Aead, KeyInit, OsRng, Payload},
    AeadCore, XChaCha20Poly1305, XNonce,
};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::{digest::Digest, Error};

/// Length of a nonce: long enough to be chosen at random.
const NONCE_BYTES: usize = 24;
/// The associated data of each text begins with this.
const DOMAIN: &[u8] = b"muster farm sealed 2";
/// Separate what is derived from the key.
const MARK_LABEL: &[u8] = b"muster farm codec key 1";
const CIPHER_LABEL: &[u8] = b"muster farm cipher key 2";
const NONCE_LABEL: &[u8] = b"muster farm nonce key 2";

/// The key of all payloads and inputs of a farm.
pub struct CodecKey(Zeroizing<[u8; 32]>);

impl CodecKey {
    /// Reads a key: 64 hex digits and nothing else. The file may be a pipe from a program that asks a key service.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::Usage`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = Zeroizing::new(fs::read_to_string(path).map_err(Error::io(path))?);
        let mut key = Zeroizing::new([0; 32]);
        hex::decode_to_slice(text.trim(), key.as_mut_slice())
            .map_err(|_| Error::Usage(format!("{}: not 64 hex digits", path.display())))?;
        Ok(Self(key))
    }
}

/// What something is encrypted for. It opens for nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose<'a> {
    /// A payload on its way through the server, in one of its namespaces. Encrypting it again gives other bytes.
    Payload(&'a str),
    /// An input in the store. Encrypting it again gives the same bytes, so that they are stored once. Whoever sees
    /// both learns only that they are equal.
    Input,
}

impl Purpose<'_> {
    /// The associated data: label, purpose and namespace, of which only the last may contain a zero byte.
    fn associated(self) -> Vec<u8> {
        let (purpose, namespace) = match self {
            Self::Payload(namespace) => ("payload", namespace),
            Self::Input => ("input", ""),
        };
        [DOMAIN, purpose.as_bytes(), namespace.as_bytes()].join(&0)
    }
}

/// Encrypts with XChaCha20-Poly1305 (RFC 8439, and draft-irtf-cfrg-xchacha for its nonces of 24 bytes).
///
/// The farm's key is used only to derive others: one encrypts, one makes the nonces of inputs, and one is the mark.
#[derive(Clone)]
pub struct Seal(Arc<Derived>);

struct Derived {
    cipher: XChaCha20Poly1305,
    nonces: Zeroizing<[u8; 32]>,
    mark: Digest,
}

impl Seal {
    /// With this key.
    pub fn new(key: CodecKey) -> Self {
        let derive = |label| Zeroizing::new(mac(key.0.as_slice(), label));
        let cipher = XChaCha20Poly1305::new(derive(CIPHER_LABEL).as_slice().into());
        let (nonces, mark) = (derive(NONCE_LABEL), Digest(*derive(MARK_LABEL)));
        Self(Arc::new(Derived { cipher, nonces, mark }))
    }

    /// What tells this key from others, and reveals nothing else about it.
    pub fn mark(&self) -> Digest {
        self.0.mark
    }

    /// Encrypts.
    pub(crate) fn seal(&self, purpose: Purpose<'_>, plain: &[u8]) -> Result<Vec<u8>, String> {
        let nonce = match purpose {
            Purpose::Payload(_) => XChaCha20Poly1305::generate_nonce(&mut OsRng),
            // A MAC of the plaintext, so no two texts share one.
            Purpose::Input => {
                let mac = mac(self.0.nonces.as_slice(), plain);
                *XNonce::from_slice(&mac[..NONCE_BYTES])
            }
        };
        let aad = purpose.associated();
        let sealed = self.0.cipher.encrypt(&nonce, Payload { msg: plain, aad: &aad });
        let sealed = sealed.map_err(|_| "it cannot be encrypted".to_owned())?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts.
    ///
    /// # Errors
    ///
    /// Why it was not encrypted with this key for this purpose.
    pub(crate) fn open(
        &self,
        purpose: Purpose<'_>,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, String> {
        let parts = sealed.split_at_checked(NONCE_BYTES);
        let (nonce, sealed) = parts.ok_or_else(|| "it is shorter than a nonce".to_owned())?;
        let aad = purpose.associated();
        let payload = Payload { msg: sealed, aad: &aad };
        let plain = self.0.cipher.decrypt(XNonce::from_slice(nonce), payload);
        let plain = plain.map_err(|_| match purpose {
            Purpose::Payload(_) => {
                "it was encrypted with another codec key, or in another namespace"
            }
            Purpose::Input => "it was encrypted with another codec key",
        })?;
        Ok(Zeroizing::new(plain))
    }
}

/// HMAC-SHA256.
fn mac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mac = <Hmac<Sha256> as Mac>::new_from_slice(key).expect("keys have any length");
    mac.chain_update(text).finalize().into_bytes().into()
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}
