//! Values on the command line.

use std::{path::Path, str::FromStr};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{KeyKind, Message, Mode, Rule, Scheme};
use muster_prover::{
    encoding::{field_from_hex, from_hex, from_hex_exact, message_from_bytes},
    files::CommitteeFile,
    input, ProofKind,
};
use muster_schemes::{decimal, membership::Quorum};
use muster_sweep::proofs::mode_name;
use muster_threshold::{bls, frost::SuiteName, pvss::Variant};

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

/// A choice on the command line: each value by its name, with what help says of it.
fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [(T, &'static str); N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = values.map(|(value, help)| PossibleValue::new(name(value)).help(help));
    PossibleValuesParser::new(named).map(move |given| {
        let found = values.into_iter().find(|(value, _)| name(*value) == given);
        found.expect("the parser takes no other name").0
    })
}

/// How a committee names its members, on the command line.
pub(crate) fn key_kinds() -> impl TypedValueParser<Value = KeyKind> {
    let values = [
        (KeyKind::Coordinates, "By their public keys"),
        (KeyKind::Address, "By the Ethereum addresses of their keys"),
    ];
    choice(values, |kind| if kind.is_coordinates() { "coordinates" } else { "address" })
}

/// A rule of any scheme on the command line.
pub(crate) fn rules() -> impl TypedValueParser<Value = Rule> {
    let values = [
        (Rule::LowS, "s at most half the group order, as in Bitcoin and Ethereum"),
        (Rule::AnyS, "Any s, as in the standards"),
        (Rule::Zip215, "The cofactored equation, any encodings of points (ZIP 215)"),
        (Rule::Rfc8032, "The cofactored equation, canonical encodings (RFC 8032)"),
        (
            Rule::Strict,
            "The cofactorless equation, canonical encodings, points of the prime-order subgroup (verify_strict)",
        ),
        (Rule::ProvenKeys, "Keys that come with proofs of possession"),
        (
            Rule::TrustedKeys,
            "Any keys: whoever computes the root must know by other means that their owners have proven possession",
        ),
    ];
    choice(values, Rule::name)
}

/// How membership is proven, on the command line.
pub(crate) fn modes() -> impl TypedValueParser<Value = Mode> {
    let values = [
        (Mode::WholeSet, "The circuit hashes all leaves: for when a large part of the set signs"),
        (
            Mode::Path,
            "Each signer brings a Merkle path: for when few members of a large set sign",
        ),
        (
            Mode::Complement,
            "Each member who does not sign brings a Merkle path: for when most members sign, in schemes whose keys \
             add up (BLS)",
        ),
    ];
    choice(values, mode_name)
}

/// A format of proofs on the command line.
pub(crate) fn kinds() -> impl TypedValueParser<Value = ProofKind> {
    let values = [
        (ProofKind::Fast, "For everything off a chain"),
        (ProofKind::Compact, "Short, for contracts"),
    ];
    choice(values, ProofKind::name)
}

/// A BLS suite of groups on the command line.
pub(crate) fn bls_suites() -> impl TypedValueParser<Value = bls::SuiteName> {
    let values = [
        (
            bls::SuiteName::MinSignature,
            "BLS12-381, signatures of 48 bytes in G1: faster to aggregate",
        ),
        (bls::SuiteName::MinPublicKey, "BLS12-381, public keys of 48 bytes in G1, as in Ethereum"),
        (bls::SuiteName::Bn254, "BN254, signatures in G1"),
    ];
    choice(values, bls::SuiteName::name)
}

/// A sum of weights, or a part of all of them: `8`, `>2/3`, `>=2/3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThresholdArg {
    /// A sum of weights.
    Weight(u128),
    /// A part of the total weight.
    Part(Quorum),
}

impl FromStr for ThresholdArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            return decimal::read(text).map(Self::Weight).map_err(|reason| reason.to_string());
        }
        text.parse().map(Self::Part).map_err(|reason| {
            format!("neither an integer nor a quorum of the total weight: {reason}")
        })
    }
}

/// The threshold that a proof should be about: the number itself, since a proof does not have the total weight.
pub(crate) fn proven(text: &str) -> Result<u64, String> {
    if text.starts_with('>') {
        let reason =
            "a proof states a number, not a quorum of the total weight: give the number that `muster \
                      root COMMITTEE --threshold` prints for this quorum";
        return Err(reason.into());
    }
    decimal::read(text).map_err(|reason| reason.to_string())
}

impl ThresholdArg {
    /// The threshold for the committee in a file, whose weights are those after any shift.
    pub(crate) fn of(self, file: &CommitteeFile) -> Result<u64, Error> {
        let threshold = match self {
            Self::Weight(weight) => {
                weight.try_into().map_err(|_| format!("invalid value '{weight}': 2^64 or more"))
            }
            Self::Part(quorum) => file.threshold(quorum),
        };
        threshold.map_err(|reason| Error::usage(format!("--threshold: {reason}")))
    }

    /// The same where a sum of weights is meant to be one of weights before the shift.
    pub(crate) fn before_shift(self, file: &CommitteeFile) -> Result<u64, Error> {
        let shift = file.narrowed.map(|narrowed| narrowed.shift).unwrap_or_default();
        match self {
            Self::Weight(weight) => Self::Weight(shift.threshold(weight)).of(file),
            Self::Part(_) => self.of(file),
        }
    }
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

/// Those that are given or, in their place, a file of at most `limit`.
pub(crate) fn bytes_of(
    given: Option<&Bytes>,
    file: Option<&Path>,
    limit: u64,
) -> Result<Option<Vec<u8>>, Error> {
    match given {
        Some(Bytes(bytes)) => Ok(Some(bytes.clone())),
        None => Ok(file.map(|path| input::read(path, limit)).transpose()?),
    }
}

/// The message that the bytes of `--message` are for a scheme.
pub(crate) fn message(scheme: Scheme, Bytes(bytes): &Bytes) -> Result<Message, Error> {
    message_from_bytes(scheme, bytes).map_err(|reason| Error::usage(format!("--message: {reason}")))
}
