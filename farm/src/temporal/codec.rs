//! Payloads that the server cannot read: a request shows who signed, which its proof hides.

use std::{fs, path::Path, sync::Arc};

use chacha20poly1305::{
    aead::{Aead, KeyInit, OsRng},
    AeadCore, XChaCha20Poly1305,
};
use futures::future::{ready, BoxFuture, FutureExt};
use prost::Message;
use temporalio_common::{
    data_converters::{
        DataConverter, DefaultFailureConverter, PayloadCodec, PayloadConversionError,
        PayloadConverter, SerializationContextData,
    },
    protos::temporal::api::common::v1::Payload,
};
use zeroize::Zeroizing;

use crate::Error;

/// What encrypted payloads say of themselves.
const ENCODING: &[u8] = b"binary/muster-sealed-v1";
/// Where they say it.
const ENCODING_KEY: &str = "encoding";
/// Length of a nonce: long enough to be random.
const NONCE_BYTES: usize = 24;

/// The key of all payloads of a farm.
pub struct CodecKey(Zeroizing<[u8; 32]>);

impl CodecKey {
    /// Reads a key: 64 hex digits and nothing else.
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

/// Encrypts payloads with XChaCha20-Poly1305 (RFC 8439, and draft-irtf-cfrg-xchacha for its nonces of 24 bytes).
#[derive(Clone)]
pub struct Sealed(Arc<XChaCha20Poly1305>);

impl Sealed {
    /// With this key.
    pub fn new(key: CodecKey) -> Self {
        Self(Arc::new(XChaCha20Poly1305::new(key.0.as_slice().into())))
    }

    /// JSON as usual, encrypted.
    pub fn converter(self) -> DataConverter {
        DataConverter::new(PayloadConverter::default(), DefaultFailureConverter::default(), self)
    }

    pub(super) fn seal(&self, payload: &Payload) -> Result<Payload, PayloadConversionError> {
        let nonce = XChaCha20Poly1305::generate_nonce(&mut OsRng);
        let plain = Zeroizing::new(payload.encode_to_vec());
        let sealed = self.0.encrypt(&nonce, plain.as_slice());
        let sealed = sealed.map_err(|_| wrong("it cannot be encrypted"))?;
        let data = [nonce.as_slice(), &sealed].concat();
        let metadata = [(ENCODING_KEY.to_owned(), ENCODING.to_vec())].into();
        Ok(Payload { metadata, data, ..Payload::default() })
    }

    /// Whoever has the key refuses what was sent without it: nobody else is to give orders.
    pub(super) fn open(&self, payload: &Payload) -> Result<Payload, PayloadConversionError> {
        if payload.metadata.get(ENCODING_KEY).map(Vec::as_slice) != Some(ENCODING) {
            return Err(wrong("it was sent without the farm's codec key"));
        }
        let (nonce, sealed) = payload
            .data
            .split_at_checked(NONCE_BYTES)
            .ok_or_else(|| wrong("it is shorter than a nonce"))?;
        let plain = self.0.decrypt(nonce.into(), sealed);
        let plain = Zeroizing::new(plain.map_err(|_| wrong("it was sent with another codec key"))?);
        Payload::decode(plain.as_slice()).map_err(|_| wrong("it holds no payload"))
    }
}

fn wrong(reason: &str) -> PayloadConversionError {
    PayloadConversionError::EncodingError(format!("payload: {reason}").into())
}

impl PayloadCodec for Sealed {
    fn encode(
        &self,
        _: &SerializationContextData,
        payloads: Vec<Payload>,
    ) -> BoxFuture<'static, Result<Vec<Payload>, PayloadConversionError>> {
        ready(payloads.iter().map(|payload| self.seal(payload)).collect()).boxed()
    }

    fn decode(
        &self,
        _: &SerializationContextData,
        payloads: Vec<Payload>,
    ) -> BoxFuture<'static, Result<Vec<Payload>, PayloadConversionError>> {
        ready(payloads.iter().map(|payload| self.open(payload)).collect()).boxed()
    }
}
