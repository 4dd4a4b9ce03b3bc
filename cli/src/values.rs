//! Values on the command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{Message, Scheme};
use muster_prover::encoding::{field_from_hex, from_hex, from_hex_exact, message_from_bytes};
use muster_threshold::{frost::SuiteName, pvss::Variant};

use crate::Error;

/// A scheme on the command line: an error lists all of them, and suggests the nearest.
pub(crate) fn schemes() -> impl TypedValueParser<Value = Scheme> {
    let names = Scheme::ALL.iter().map(|scheme| scheme.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Scheme>())
}

/// A suite of FROST on the command line, likewise.
pub(crate) fn frost_suites() -> impl TypedValueParser<Value = SuiteName> {
    PossibleValuesParser::new(SuiteName::ALL.map(SuiteName::as_str))
        .try_map(|name| name.parse::<SuiteName>())
}

/// A variant of PVSS on the command line, likewise.
pub(crate) fn variants() -> impl TypedValueParser<Value = Variant> {
    let names = Variant::ALL.iter().map(|variant| variant.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Variant>())
}

/// A field element on the command line.
pub(crate) fn field_element(text: &str) -> Result<Fr, String> {
    field_from_hex(text).map_err(String::from)
}

/// 32 bytes on the command line.
pub(crate) fn word(text: &str) -> Result<[u8; 32], String> {
    from_hex_exact(text).map_err(String::from)
}

/// Bytes on the command line. Clap would take a bare vector for an option that may be repeated.
#[derive(Clone, Debug)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

/// Any number of them.
pub(crate) fn bytes(text: &str) -> Result<Bytes, String> {
    from_hex(text).map(Bytes).map_err(String::from)
}

/// The message that the bytes of `--message` are for a scheme.
pub(crate) fn message(scheme: Scheme, Bytes(bytes): &Bytes) -> Result<Message, Error> {
    message_from_bytes(scheme, bytes).map_err(|reason| Error::usage(format!("--message: {reason}")))
}
