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

use crate::seal::Seal;

/// What encrypted payloads say of themselves.
const ENCODING: &[u8] = b"binary/muster-sealed-v1";
/// Where they say it.
const ENCODING_KEY: &str = "encoding";

/// Encrypts payloads.
#[derive(Clone)]
pub(super) struct Codec(Seal);

impl Codec {
    pub(super) fn new(seal: Seal) -> Self {
        Self(seal)
    }

    /// JSON as usual, encrypted.
    pub(super) fn converter(self) -> DataConverter {
        DataConverter::new(PayloadConverter::default(), DefaultFailureConverter::default(), self)
    }

    pub(super) fn seal(&self, payload: &Payload) -> Result<Payload, PayloadConversionError> {
        let plain = Zeroizing::new(payload.encode_to_vec());
        let data = self.0.seal(&plain).map_err(|reason| wrong(&reason))?;
        let metadata = [(ENCODING_KEY.to_owned(), ENCODING.to_vec())].into();
        Ok(Payload { metadata, data, ..Payload::default() })
    }

    /// Whoever has the key refuses what was sent without it: nobody else is to give orders.
    pub(super) fn open(&self, payload: &Payload) -> Result<Payload, PayloadConversionError> {
        if payload.metadata.get(ENCODING_KEY).map(Vec::as_slice) != Some(ENCODING) {
            return Err(wrong("it was sent without the farm's codec key"));
        }
        let plain = self.0.open(&payload.data).map_err(|reason| wrong(&reason))?;
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
