//! What only those may read who take part: a request shows who signed, which its proof hides.
//!
//! One key for all of a farm. With it payloads are encrypted on their way through the server, and inputs in the store.

use std::{fs, path::Path, sync::Arc};

use chacha20poly1305::{
    aead::{Aead, KeyInit, OsRng},
    AeadCore, XChaCha20Poly1305, XNonce,
};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::{digest::Digest, Error};

/// Length of a nonce: long enough to be random.
const NONCE_BYTES: usize = 24;
/// Keep what is computed with the key apart.
const MARK_DOMAIN: &[u8] = b"muster farm codec key 1";
const NONCE_DOMAIN: &[u8] = b"muster farm input nonce 1";

/// The key of all payloads and inputs of a farm.
pub struct CodecKey(Zeroizing<[u8; 32]>);

impl CodecKey {
    /// Reads a key: 64 hex digits and nothing else. The file may be a pipe, from a program that asks a key service.
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

/// Encrypts with XChaCha20-Poly1305 (RFC 8439, and draft-irtf-cfrg-xchacha for its nonces of 24 bytes).
#[derive(Clone)]
pub struct Seal(Arc<Keyed>);

struct Keyed {
    cipher: XChaCha20Poly1305,
    key: CodecKey,
}

impl Seal {
    /// With this key.
    pub fn new(key: CodecKey) -> Self {
        Self(Arc::new(Keyed { cipher: XChaCha20Poly1305::new(key.0.as_slice().into()), key }))
    }

    /// What tells this key from others, and nothing else of it.
    pub fn mark(&self) -> Digest {
        Digest(self.mac(MARK_DOMAIN, &[]))
    }

    /// Encrypts. The same once more gives other bytes.
    pub(crate) fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, String> {
        self.seal_with(&XChaCha20Poly1305::generate_nonce(&mut OsRng), plain)
    }

    /// Encrypts. The same once more gives the same bytes, so that they are stored once; who sees both sees no more than that.
    /// The nonce is a MAC of what is encrypted, so no two texts share one.
    pub(crate) fn seal_same(&self, plain: &[u8]) -> Result<Vec<u8>, String> {
        let mac = self.mac(NONCE_DOMAIN, plain);
        self.seal_with(XNonce::from_slice(&mac[..NONCE_BYTES]), plain)
    }

    fn seal_with(&self, nonce: &XNonce, plain: &[u8]) -> Result<Vec<u8>, String> {
        let sealed = self.0.cipher.encrypt(nonce, plain);
        let sealed = sealed.map_err(|_| "it cannot be encrypted".to_owned())?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts what either of them gave.
    ///
    /// # Errors
    ///
    /// Why it is nothing that this key was used for.
    pub(crate) fn open(&self, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, String> {
        let parts = sealed.split_at_checked(NONCE_BYTES);
        let (nonce, sealed) = parts.ok_or_else(|| "it is shorter than a nonce".to_owned())?;
        let plain = self.0.cipher.decrypt(XNonce::from_slice(nonce), sealed);
        let plain = plain.map_err(|_| "it was encrypted with another codec key".to_owned())?;
        Ok(Zeroizing::new(plain))
    }

    /// HMAC-SHA256 of a text, in a domain.
    fn mac(&self, domain: &[u8], text: &[u8]) -> [u8; 32] {
        let key = self.0.key.0.as_slice();
        let mac = <Hmac<Sha256> as Mac>::new_from_slice(key).expect("keys have any length");
        mac.chain_update(domain).chain_update(text).finalize().into_bytes().into()
    }
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}
