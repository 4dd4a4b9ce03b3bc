//! Payloads that the server cannot read.

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

use crate::seal::{Purpose, Seal};

/// The encoding that encrypted payloads name.
const ENCODING: &[u8] = b"binary/muster-sealed-v2";
/// How its name begins in every version.
const ENCODINGS: &[u8] = b"binary/muster-sealed-";
/// Where they name it.
const ENCODING_KEY: &str = "encoding";

/// Encrypts the payloads of a namespace.
#[derive(Clone)]
pub(super) struct Codec {
    seal: Seal,
    namespace: String,
}

impl Codec {
    pub(super) fn new(seal: Seal, namespace: String) -> Self {
        Self { seal, namespace }
    }

    /// JSON as usual, but encrypted, as are the messages of failures.
    pub(super) fn converter(self) -> DataConverter {
        DataConverter::new(PayloadConverter::default(), DefaultFailureConverter::new(true), self)
    }

    pub(super) fn seal(&self, payload: &Payload) -> Result<Payload, PayloadConversionError> {
        let plain = Zeroizing::new(payload.encode_to_vec());
        let data = self
            .seal
            .seal(Purpose::Payload(&self.namespace), &plain)
            .map_err(|reason| wrong(&reason))?;
        let metadata = [(ENCODING_KEY.to_owned(), ENCODING.to_vec())].into();
        Ok(Payload { metadata, data, ..Payload::default() })
    }

    /// Whoever has the key refuses what was sent without it: nobody else may give orders.
    pub(super) fn open(&self, payload: &Payload) -> Result<Payload, PayloadConversionError> {
        match payload.metadata.get(ENCODING_KEY).map(Vec::as_slice) {
            Some(ENCODING) => {}
            Some(other) if other.starts_with(ENCODINGS) => {
                return Err(wrong("it was encrypted by another version of this program"));
            }
            _ => return Err(wrong("it was sent without the farm's codec key")),
        }
        let plain = self
            .seal
            .open(Purpose::Payload(&self.namespace), &payload.data)
            .map_err(|reason| wrong(&reason))?;
        Payload::decode(plain.as_slice()).map_err(|_| wrong("it holds no payload"))
    }
}

fn wrong(reason: &str) -> PayloadConversionError {
    PayloadConversionError::EncodingError(format!("payload: {reason}").into())
}

impl PayloadCodec for Codec {
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
